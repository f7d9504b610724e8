import Testing

/// The checkout as it stands, held to every rule; each failure names file and line.
@Suite(.timeLimit(.minutes(15))) struct HouseRulesTests {
    @Test("Every target imports only what its row of the import table names")
    func imports() throws {
        try expectNone(ImportTable.violations, under: "Sources")
    }

    @Test("Every target of the table is there, and every folder of the sources has a row")
    func tableIsComplete() throws {
        let targets = Set(try Checkout.swiftFiles(under: "Sources").compactMap(\.target))
        #expect(targets == Set(ImportTable.allowed.keys))
    }

    @Test("Every module of the table's rows is imported by a file of its target")
    func tableIsNeeded() throws {
        #expect(ImportTable.idle(in: try Checkout.swiftFiles(under: "Sources")) == [])
    }

    @Test("Types are named for what they are")
    func typeNames() throws {
        try expectNone(HouseRules.emptyNames, under: "Sources", "Tests")
    }

    @Test("Files are named for the type that they hold")
    func fileNames() throws {
        try expectNone(HouseRules.fileNames, under: "Sources")
    }

    @Test("Each file of the sources declares one type")
    func furtherTypes() throws {
        try expectNone(HouseRules.furtherTypes, under: "Sources")
    }

    @Test("No file is longer than 400 lines")
    func lengths() throws {
        try expectNone(HouseRules.length, under: "Sources", "Tests")
    }

    @Test("No file lies beside more than 20 others")
    func rooms() async throws {
        let paths = try await Checkout.trackedPaths()
        let tests = paths.filter { $0.hasPrefix("Tests/") && $0.hasSuffix(".swift") }
        #expect(HouseRules.crowdedRooms(paths.filter { $0.hasPrefix("Sources/") } + tests) == [])
    }

    @Test("Every file of the page has a name of its own, whatever its folder")
    func pageNames() async throws {
        let files = try await Checkout.trackedPaths().filter { $0.hasPrefix("Sources/Web/Assets/") }
        #expect(files.contains { $0.hasSuffix("/app.js") })
        #expect(HouseRules.sharedNames(files) == [])
    }

    @Test("Nothing in the sources forces, traps or is left for later")
    func traps() throws {
        try expectNone(HouseRules.traps, under: "Sources", "Tests")
        try expectNone(HouseRules.unfinished, under: "Sources")
    }

    @Test("Concurrency is structured, checked, and kept out of the event loops")
    func concurrency() throws {
        try expectNone(HouseRules.looseTasks, under: "Sources")
        try expectNone(HouseRules.awaitInProxy, under: "Sources")
        try expectNone(HouseRules.uncheckedConcurrency, under: "Sources", "Tests")
    }

    @Test("The page takes bodies and watches askers in one place")
    func askers() throws {
        try expectNone(HouseRules.looseAskers, under: "Sources/Web")
    }

    @Test("Standard error is written to in one place")
    func standardError() throws {
        try expectNone(HouseRules.rawErrors, under: "Sources")
    }

    @Test("What selects exchanges is read in one place")
    func selectors() throws {
        try expectNone(HouseRules.ownSelectors, under: "Sources/inspect")
    }

    @Test("A command line is parsed once, and no command handles the events of a channel")
    func commands() throws {
        try expectNone(HouseRules.reparsed, under: "Sources/inspect")
        try expectNone(HouseRules.channelHandlers, under: "Sources/inspect")
    }

    @Test("No state is shared by being static, and only the commands read the environment")
    func state() throws {
        try expectNone(HouseRules.sharedState, under: "Sources")
        try expectNone(HouseRules.environmentReads, under: "Sources")
    }

    @Test("No test waits for nothing or is switched off")
    func tests() throws {
        try expectNone(HouseRules.idleTests, under: "Tests")
    }

    @Test("No test judges by the clock, and none waits for a wait to fail")
    func times() throws {
        try expectNone(HouseRules.judgedTimes, under: "Tests")
        try expectNone(HouseRules.expectedDeadlines, under: "Tests")
    }

    @Test("Tests start programs in one way")
    func programs() throws {
        try expectNone(HouseRules.loosePrograms, under: "Tests")
    }

    @Test("Every suite has the one limit")
    func limits() throws {
        try expectNone(HouseRules.suiteLimits, under: "Tests")
    }

    @Test("The top of the checkout holds what the design lists")
    func topLevel() async throws {
        let paths = try await Checkout.trackedPaths()
        #expect(paths.contains("Package.swift"))
        #expect(HouseRules.strayPaths(paths) == [])
    }

    @Test("No file names a folder of the machine it was written on")
    func machinePaths() async throws {
        let texts = try await Checkout.trackedPaths().filter { path in
            ["swift", "md", "js", "css", "html", "json", "sh", "py", "run", "h", "modulemap", "yml"].contains {
                path.hasSuffix("." + $0) || path.hasSuffix("/" + $0)
            }
        }
        #expect(texts.contains("README.md"))
        let found = try texts.flatMap { HouseRules.machinePaths(path: $0, text: try Checkout.text(at: $0)) }
        #expect(found == [])
    }

    @Test("The manual names every command, every filter key and every lens")
    func manual() async throws {
        let articles = try await Checkout.trackedPaths().filter { $0.hasPrefix("Sources/inspect/Manual/Articles/") }
        let manual = try articles.map { try Checkout.text(at: $0) }.joined(separator: "\n")
        let commands = HouseRules.commands(in: try Checkout.swiftFiles(under: "Sources/inspect"))
        let facets = HouseRules.facets(in: try Checkout.swiftFiles(under: "Sources/Traffic"))
        #expect(facets.contains("code") && facets.contains("json") && facets.contains("port"))
        #expect(HouseRules.unnamed(commands, in: manual) == [])
        #expect(HouseRules.unnamed(facets, in: manual) == [])
        let lenses = HouseRules.lenses(in: try Checkout.swiftFiles(under: "Sources/Lenses"))
        #expect(lenses.contains("whatsopen") && lenses.contains("json"))
        #expect(HouseRules.unnamed(lenses, in: manual) == [])
    }

    private func expectNone(
        _ rule: (SourceFile) -> [Violation],
        under folders: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for folder in folders {
            let files = try Checkout.swiftFiles(under: folder)
            #expect(!files.isEmpty, sourceLocation: sourceLocation)
            for violation in files.flatMap(rule) {
                Issue.record("\(violation)", sourceLocation: sourceLocation)
            }
        }
    }
}
