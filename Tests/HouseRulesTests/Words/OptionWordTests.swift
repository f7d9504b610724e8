import Testing

/// Options are words of the command line, and of nothing below it.
@Suite(.timeLimit(.minutes(15))) struct OptionWordTests {
    @Test("No text below the commands names an option, but those of other programs")
    func sources() throws {
        let files = try Checkout.swiftFiles(under: "Sources")
        #expect(files.flatMap(HouseRules.optionWords) == [])
        // No exception outlives what it was made for.
        let writing = files.filter { HouseRules.commandLineFiles.contains($0.path) }.map {
            SourceFile(path: "Sources/Archive/Thing.swift", text: $0.text)
        }
        #expect(writing.count == HouseRules.commandLineFiles.count)
        #expect(writing.allSatisfy { !HouseRules.optionWords($0).isEmpty })
    }

    @Test("A text that names an option is found, wherever it stands in a literal")
    func offending() {
        let text = #"""
            throw StoreError("name another store with --store")
            let option = isListed ? "--listen-mode" : name
            let place = "https://a.test/" + " (--ca-directory \(path))"
            let long = """
                one line, and another with
                --insecure-upstream
                """
            let form = #"give '--header NAME'"#
            """#
        let found = HouseRules.optionWords(SourceFile(path: "Sources/Store/Thing.swift", text: text))
        #expect(found.map(\.line) == [1, 2, 3, 6, 8], "\(found)")
        for target in ["inspect", "Benchmarks"] {
            #expect(HouseRules.optionWords(SourceFile(path: "Sources/\(target)/Thing.swift", text: text)) == [])
        }
    }

    @Test(
        "What only looks alike is none",
        arguments: [
            "/// The proxy's `--store`.", "    // see --store", "let limit = 64 << 20  // --body-limit",
            "\"<!--page-->\"", "\"--\"", "\"a -- b\"", "\"-----BEGIN\"", "\"--\\(boundary)\"", "\"a--b\"",
            "let left = count - -one",
        ]
    )
    func innocent(line: String) {
        #expect(HouseRules.optionWords(SourceFile(path: "Sources/Web/Thing.swift", text: line)) == [])
    }
}
