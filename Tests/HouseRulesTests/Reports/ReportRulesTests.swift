import Testing

/// What the commands show goes through one seam.
@Suite(.timeLimit(.minutes(15))) struct ReportRulesTests {
    @Test("The commands make JSON in one place, declare --json in one, and call what they show a report")
    func sources() throws {
        let files = try Checkout.swiftFiles(under: "Sources/inspect")
        #expect(files.flatMap(HouseRules.ownWriters) == [])
        #expect(files.flatMap(HouseRules.ownJSONFlags) == [])
        #expect(files.flatMap(HouseRules.formerSuffixes) == [])
        // Both places are there.
        let moved = files.map { SourceFile(path: "Sources/inspect/Thing.swift", text: $0.text) }
        #expect(moved.flatMap(HouseRules.ownWriters).count == 1)
        #expect(moved.flatMap(HouseRules.ownJSONFlags).count == 1)
    }

    @Test(
        "A writer beside the one is found",
        arguments: [
            "var json = JSONWriter()", "var json = JSONWriter(isIndented: console.isTerminal)",
            "let json: JSONWriter = JSONWriter.init()", "var json: JSONWriter = .init(isIndented: true)",
        ]
    )
    func writers(line: String) {
        #expect(HouseRules.ownWriters(file(line)).map(\.line) == [1])
        #expect(HouseRules.ownWriters(SourceFile(path: "Sources/Web/Thing.swift", text: line)).isEmpty)
    }

    @Test(
        "A flag beside the one is found",
        arguments: ["var json = false", "var json: Bool", "@Flag(name: .customLong(\"json\"), help: \"Print JSON.\")"]
    )
    func flags(line: String) {
        #expect(HouseRules.ownJSONFlags(file(line)).map(\.line) == [1])
    }

    @Test(
        "A former name is found",
        arguments: [
            "struct StatusView {}", "final class HARFindingPrinter {}", "enum Rows { struct WormholyListing {} }",
            "struct ManualPage: Sendable {}", "enum TerminalText {}", "typealias CheckJSON = [UInt8]",
        ]
    )
    func names(line: String) {
        #expect(HouseRules.formerSuffixes(file(line)).map(\.line) == [1])
        #expect(HouseRules.formerSuffixes(SourceFile(path: "Sources/Lenses/Thing.swift", text: line)).isEmpty)
    }

    @Test(
        "What only looks alike is not",
        arguments: [
            "func write(to json: inout JSONWriter) {}", "JSONWriter.bytes { $0.value(nil, value) }",
            "// JSONWriter()", "var jsonl = false", "var json: [UInt8] { bytes }", "output.json",
            "struct PageOptions {}",
            "struct ListingLines {}", "struct StatusReport: Report {}", "let text = \"struct StatusView {}\"",
            "name: .customLong(\"jsonl\")",
        ]
    )
    func innocent(line: String) {
        let rules = [HouseRules.ownWriters, HouseRules.ownJSONFlags, HouseRules.formerSuffixes]
        #expect(rules.flatMap { $0(file(line)) } == [])
    }

    private func file(_ text: String) -> SourceFile { SourceFile(path: "Sources/inspect/Thing.swift", text: text) }
}
