import Testing

/// Every rule, shown a text that breaks it and one that looks alike but does not.
@Suite(.timeLimit(.minutes(15))) struct OffendingSnippetTests {
    /// A text, where it claims to stand, and the lines that a rule must name.
    struct Snippet: CustomTestStringConvertible, Sendable {
        let text: String
        var path = "Sources/Proxy/Thing.swift"
        let lines: [Int]

        var testDescription: String { "\(path): \(text.debugDescription)" }
        var file: SourceFile { SourceFile(path: path, text: text) }
    }

    @Test(
        "An import that the table does not name is found",
        arguments: [
            Snippet(text: "import NIOCore\nimport GRDB\n", lines: [2]),
            Snippet(text: "@preconcurrency package import struct Hummingbird.Router", lines: [1]),
            Snippet(text: "import Foundation; import Store", lines: [1]),
            Snippet(text: "#if canImport(Web)\n  import Web\n#endif", lines: [2]),
            Snippet(text: "import NIOCore  // import GRDB\n/* import Web */ let text = \"import Store\"", lines: []),
            Snippet(text: "import Traffic", path: "Sources/FacilityAPI/Thing.swift", lines: [1]),
            Snippet(text: "import NIOPosix", path: "Sources/Traffic/Filter/Thing.swift", lines: [1]),
            Snippet(text: "import GRDB", path: "Sources/inspect/Thing.swift", lines: [1]),
            Snippet(text: "import Proxy", path: "Sources/Web/Thing.swift", lines: [1]),
            Snippet(text: "struct Thing {}", path: "Sources/Elsewhere/Thing.swift", lines: [1]),
        ]
    )
    func imports(_ snippet: Snippet) {
        #expect(ImportTable.violations(in: snippet.file).map(\.line) == snippet.lines)
    }

    @Test("A module that a row names and no file imports is found")
    func idleModules() {
        let text = "import Traffic\nimport X509\nimport Crypto"
        let idle = ImportTable.idle(in: [SourceFile(path: "Sources/Trust/Thing.swift", text: text)])
        #expect(idle.contains("Trust SwiftASN1") && idle.contains("Archive Traffic") && !idle.contains("Trust X509"))
    }

    @Test(
        "A name that says nothing is found",
        arguments: [
            Snippet(text: "struct PoolManager {}", lines: [1]),
            Snippet(text: "enum A {}\nfinal class HTTPUtils {}", lines: [2]),
            Snippet(text: "protocol ProxyBase {}\nactor RowData {}", lines: [1, 2]),
            Snippet(text: "struct DatabasePool {}\nstruct DataRoute {}\nclass func helperMethod() {}", lines: []),
        ]
    )
    func names(_ snippet: Snippet) {
        #expect(HouseRules.emptyNames(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "A file that is not named for what it holds is found",
        arguments: [
            Snippet(text: "struct Other {}", lines: [1]),
            Snippet(text: "extension Thing {}", lines: [1]),
            Snippet(text: "// struct Thing {}", lines: [1]),
            Snippet(text: "struct Other {}", path: "Sources/Proxy/Thing+Reading.swift", lines: [1]),
            Snippet(text: "extension Room.Thing {}", path: "Sources/Proxy/Thing+Reading.swift", lines: []),
            Snippet(text: "package enum Outer { struct Thing {} }", lines: []),
        ]
    )
    func fileNames(_ snippet: Snippet) {
        #expect(HouseRules.fileNames(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "A second type of a file is found",
        arguments: [
            Snippet(text: "struct A {}\npackage final class B {}\n@A(b) indirect enum C {}", lines: [2, 3]),
            Snippet(text: "package protocol A {}\nnonisolated actor B {}", lines: [2]),
            Snippet(text: "struct A {\n    enum B {}\n}\nextension B {}\nprivate struct C {}", lines: []),
            Snippet(text: "#if os(Linux)\nstruct A {}\n#else\nstruct A {}\n#endif\nfileprivate enum B {}", lines: []),
            Snippet(text: "import struct A.B\nstruct A {}\n// struct B {}\nlet b = C.self", lines: []),
        ]
    )
    func furtherTypes(_ snippet: Snippet) {
        #expect(HouseRules.furtherTypes(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "A write to standard error beside its one door is found",
        arguments: [
            Snippet(text: "fputs(line, stderr)\nFileHandle.standardError.write(data)", lines: [1, 2]),
            Snippet(text: "try Console.write(bytes, to: STDERR_FILENO)\nwrite(bytes, to: 2)", lines: [1, 2]),
            Snippet(text: "let notes = Console(descriptor: STDERR_FILENO)", lines: [1]),
            Snippet(
                text: "try? write(bytes, to: STDERR_FILENO)",
                path: "Sources/inspect/Terminal/Console.swift",
                lines: []
            ),
            Snippet(text: "isatty(STDERR_FILENO)\nConsole.remark(line)\nwrite(bytes, to: 20) // to: 2", lines: []),
        ]
    )
    func rawErrors(_ snippet: Snippet) {
        #expect(HouseRules.rawErrors(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "A command that reads a query or a number by itself is found",
        arguments: [
            Snippet(
                text: "try FilterParser.parse(text, now: 0)\nlet id = ExchangeID(word)",
                path: "Sources/inspect/Commands/Look/Thing.swift",
                lines: [1, 2]
            ),
            Snippet(
                text: "try SavedSearch.expanded(text, from: saved)",
                path: "Sources/inspect/Instance/Thing.swift",
                lines: [1]
            ),
            Snippet(
                text: "FilterParser.parse(\"port:\\(port)\", now: 0)",
                path: "Sources/inspect/Commands/Proxy/Doctor/Thing.swift",
                lines: []
            ),
            Snippet(
                text: "var id: ExchangeID\ntry SavedSearch.blanked(text) // FilterParser",
                path: "Sources/inspect/Thing.swift",
                lines: []
            ),
        ]
    )
    func ownSelectors(_ snippet: Snippet) {
        #expect(HouseRules.ownSelectors(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "A body that is taken, or an asker that is watched, beside the one place is found",
        arguments: [
            Snippet(
                text: "try await request.collectBody(upTo: 5)\ntry await request.body.collect(upTo: limit)",
                path: "Sources/Web/Routes/Thing.swift",
                lines: [1, 2]
            ),
            Snippet(
                text: "body.consumeWithInboundCloseHandler { _ in }\nbody.consumeWithCancellationOnInboundClose(a)",
                path: "Sources/Web/Thing.swift",
                lines: [1, 2]
            ),
            Snippet(text: "try await request.collectBody(upTo: 5)", path: "Sources/Web/Asker.swift", lines: []),
            Snippet(text: "try await answer.body.collect(upTo: 5)", path: "Sources/inspect/Thing.swift", lines: []),
            Snippet(
                text: "Asker(request, context)\ncollected()  // collectBody(upTo: 5)",
                path: "Sources/Web/Thing.swift",
                lines: []
            ),
        ]
    )
    func askers(_ snippet: Snippet) {
        #expect(HouseRules.looseAskers(snippet.file).map(\.line) == snippet.lines)
    }

    @Test("A file of 401 lines is found, one of 400 is not")
    func length() {
        let line = "let a = 1\n"
        #expect(HouseRules.length(SourceFile(path: "A.swift", text: String(repeating: line, count: 400))) == [])
        #expect(
            HouseRules.length(SourceFile(path: "A.swift", text: String(repeating: line, count: 401))).map(\.line) == [
                401
            ]
        )
    }

    @Test("A folder of 21 files is found, whatever they are; one of 20 is not")
    func rooms() {
        let files = (1...20).map { "Sources/Store/Rows/Row\($0).swift" }
        let others = ["Sources/Store/Rows/Inner/Row.swift", "Sources/Store/Row.swift"]
        #expect(HouseRules.crowdedRooms(files + others) == [])
        for name in ["row.js", "rows.md"] {
            let found = HouseRules.crowdedRooms(files + ["Sources/Store/Rows/\(name)"]).map(\.path)
            #expect(found == ["Sources/Store/Rows"], "\(name)")
        }
    }

    @Test("A name that two files of the page have is found")
    func pageNames() {
        #expect(HouseRules.sharedNames(["Assets/app.js", "Assets/list/row.js", "Assets/list/list.js"]) == [])
        #expect(HouseRules.sharedNames(["Assets/list/row.js", "Assets/body/row.js", "app.js"]) == ["row.js"])
    }

    @Test(
        "What traps is found",
        arguments: [
            Snippet(text: "let a = try! b()", lines: [1]),
            Snippet(text: "let a = b as! C", lines: [1]),
            Snippet(text: "let a = b!\nc[0]!.d()\ne()!", lines: [1, 2, 3]),
            Snippet(text: "var a: String!", lines: [1]),
            Snippet(text: "unowned let a: B", lines: [1]),
            Snippet(text: "fatalError(\"no\")", lines: [1]),
            Snippet(text: "if !a, a != b, a! = b { print(\"oh!\") } // really!", lines: [1]),
            Snippet(text: "if !a, a != b { print(\"oh!\", #\"a!\"#, \"\\(c)!\") } // really!", lines: []),
            Snippet(text: "let a = \"\"\"\n  b!\n  \"\"\"\nc!", lines: [4]),
        ]
    )
    func traps(_ snippet: Snippet) {
        #expect(HouseRules.traps(snippet.file).map(\.line) == snippet.lines)
    }

    @Test("What is left for later is found")
    func unfinished() {
        let file = SourceFile(
            path: "A.swift",
            text: "let a = 1\n// " + "TO" + "DO: b\nthrow E(\"not" + " implemented\")"
        )
        #expect(HouseRules.unfinished(file).map(\.line) == [2, 3])
    }

    @Test(
        "A task without a parent is found",
        arguments: [
            Snippet(text: "Task { a() }", lines: [1]),
            Snippet(text: "let a = Task<Int, Never> { 1 }\nTask(priority: .low) {}", lines: [1, 2]),
            Snippet(text: "Task.detached { a() }", lines: [1]),
            Snippet(text: "group.addTask { a() }; try Task.checkCancellation(); var t: Task<Void, Never>", lines: []),
        ]
    )
    func tasks(_ snippet: Snippet) {
        #expect(HouseRules.looseTasks(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "An await in Proxy is found outside its server",
        arguments: [
            Snippet(text: "let a = try await b()", lines: [1]),
            Snippet(text: "let a = try await b()", path: "Sources/Proxy/ProxyServer+Life.swift", lines: []),
            Snippet(text: "let a = try await b()", path: "Sources/Proxy/Replay/Replayer.swift", lines: [1]),
            Snippet(text: "let a = try await b()", path: "Sources/Store/Thing.swift", lines: []),
        ]
    )
    func awaits(_ snippet: Snippet) {
        #expect(HouseRules.awaitInProxy(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "A read of the environment below the commands is found",
        arguments: [
            Snippet(text: "let a = ProcessInfo.processInfo.environment[\"A\"]", lines: [1]),
            Snippet(text: "let a = getenv(\"A\")", path: "Sources/Store/Thing.swift", lines: [1]),
            Snippet(
                text: "let a = ProcessInfo.processInfo.environment[\"A\"]",
                path: "Sources/inspect/Thing.swift",
                lines: []
            ),
            Snippet(text: "let a = ProcessInfo.processInfo.processIdentifier", lines: []),
        ]
    )
    func environment(_ snippet: Snippet) {
        #expect(HouseRules.environmentReads(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "Shared state is found",
        arguments: [
            Snippet(text: "static var a = 1", lines: [1]),
            Snippet(text: "package static var a: [String: Int] = [:]", lines: [1]),
            Snippet(text: "static let shared = A()", lines: [1]),
            Snippet(text: "static var a: Int { 1 }\nstatic let b = 2\nstatic var c:\n    Int { 3 }", lines: []),
        ]
    )
    func sharedState(_ snippet: Snippet) {
        #expect(HouseRules.sharedState(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "A check that is switched off without proof is found",
        arguments: [
            Snippet(text: "final class A: @unchecked Sendable {}", lines: [1]),
            Snippet(text: "/// What it is.\nfinal class A: @unchecked Sendable {}", lines: [2]),
            Snippet(text: "// Only the loop touches it.\nfinal class A: @unchecked Sendable {}", lines: []),
            Snippet(text: "nonisolated(unsafe) let a = b  // never written after the lock is made", lines: []),
            Snippet(
                text: "// Only the loop.\nfinal class A: @unchecked Sendable {}",
                path: "Sources/Store/Thing.swift",
                lines: [2]
            ),
        ]
    )
    func unchecked(_ snippet: Snippet) {
        #expect(HouseRules.uncheckedConcurrency(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "A test that idles or is switched off is found",
        arguments: ["sleep", "usleep", "Task.sleep", ".disabled", "Thread.sleep"]
    )
    func idle(_ name: String) {
        let file = SourceFile(path: "Tests/A.swift", text: "let a = 1\n\(name)(\"b\")")
        #expect(HouseRules.idleTests(file).map(\.line) == [2])
        #expect(HouseRules.idleTests(SourceFile(path: "Tests/A.swift", text: "// \(name)()")) == [])
    }

    @Test(
        "A test that judges by the clock is found",
        arguments: [
            Snippet(
                text: "#expect(took < .seconds(15))\n#expect(clock.now - start <= Duration.milliseconds(5))",
                lines: [1, 2]
            ),
            Snippet(text: "#expect(ContinuousClock.now - start < limit)", lines: [1]),
            Snippet(text: "#expect(start.duration(to: .now) < limit)", lines: [1]),
            Snippet(text: "#expect(took < Patience.stretched(.seconds(1)))", lines: [1]),
            Snippet(text: "#expect(took >= .milliseconds(120))\n#expect(slow < quick * 20)", lines: []),
            Snippet(text: "while ContinuousClock.now < end {}\nwait(within: .seconds(5)) { $0 < 3 }", lines: []),
        ]
    )
    func judgedTimes(_ snippet: Snippet) {
        #expect(HouseRules.judgedTimes(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "A program that is started beside the one way is found",
        arguments: [
            Snippet(text: "let process = Process()", lines: [1]),
            Snippet(text: "try Foundation.Process.run(url, arguments: [])", lines: [1]),
            Snippet(text: "posix_spawn(&id, path, nil, nil, words, nil)\npopen(a, b)", lines: [1, 2]),
            Snippet(text: "try ChildProcess.start(path)", lines: [1]),
            Snippet(text: "try ChildProcess.start(path)", path: "Tests/Support/RunningProcess.swift", lines: []),
            Snippet(text: "LocalProcess(id: 7)\nRunningProcess(a)\ntype.process(1)\n\"fork()\"", lines: []),
        ]
    )
    func programs(_ snippet: Snippet) {
        #expect(HouseRules.loosePrograms(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "A wait that is expected to fail is found",
        arguments: [
            Snippet(
                text: "await #expect(throws: DeadlinePassed.self) {}",
                path: "Tests/ProxyTests/A.swift",
                lines: [1]
            ),
            Snippet(text: "} catch is DeadlinePassed {", path: "Tests/ProxyTests/A.swift", lines: [1]),
            Snippet(text: "} catch let passed as DeadlinePassed {", path: "Tests/ProxyTests/A.swift", lines: []),
            Snippet(text: "#expect(throws: DeadlinePassed.self) {}", path: "Tests/SupportTests/A.swift", lines: []),
        ]
    )
    func expectedDeadlines(_ snippet: Snippet) {
        #expect(HouseRules.expectedDeadlines(snippet.file).map(\.line) == snippet.lines)
    }

    @Test(
        "A suite without the limit, and a limit of another length, are found",
        arguments: [
            Snippet(text: "struct A {\n    @Test func a() {}\n}", lines: [1]),
            Snippet(text: "@Suite(\"a\")\nstruct A {\n    @Test func a() {}\n}", lines: [2]),
            Snippet(
                text: "@Suite(\n    \"a\",\n    .timeLimit(.minutes(15))\n)\nstruct A {\n    @Test func a() {}\n}",
                lines: []
            ),
            Snippet(text: "@Suite(.timeLimit(.minutes(15))) enum A {\n    @Test func a() {}\n}", lines: []),
            Snippet(text: "@Suite(.timeLimit(.minutes(1)))\nstruct A {\n    @Test func a() {}\n}", lines: [1, 2]),
            Snippet(text: "struct A {}\n\nextension B {\n    @Test func a() {}\n}", lines: []),
        ]
    )
    func suiteLimits(_ snippet: Snippet) {
        #expect(HouseRules.suiteLimits(snippet.file).map(\.line) == snippet.lines)
    }

    @Test("A path that does not belong at the top is found")
    func topLevel() {
        let paths = ["Package.swift", ".ci/run", "Sources/a.swift", "docs/a.md", "notes.txt"]
        #expect(HouseRules.strayPaths(paths) == ["docs/a.md", "notes.txt"])
    }

    @Test("A folder of one machine is found; a URL's path is not")
    func machinePaths() {
        let folder = "/" + "work/"
        let text = "cd \(folder)main\nhttps://a.test\(folder)\n\"\(folder)\"\n"
        #expect(HouseRules.machinePaths(path: "a.md", text: text).map(\.line) == [1, 3])
    }

    @Test("A command, a key or a lens that a text does not name is found")
    func unnamed() {
        let sources = [
            SourceFile(path: "A.swift", text: "CommandConfiguration(commandName: \"start\")"),
            SourceFile(path: "B.swift", text: "CommandConfiguration(\n    commandName:\n        \"tail\"\n)"),
            SourceFile(path: "C.swift", text: "Facet(name: \"code\", title: \"Code\")"),
        ]
        #expect(HouseRules.commands(in: sources) == ["start", "tail"])
        #expect(HouseRules.facets(in: sources) == ["code"])
        let lens = "package struct OneLens: Lens {\n    package let name = \"one\"\n}"
        let other = "struct Other {\n    let name = \"two\"\n}"
        let lenses = [SourceFile(path: "D.swift", text: lens), SourceFile(path: "E.swift", text: other)]
        #expect(HouseRules.lenses(in: lenses) == ["one"])
        #expect(HouseRules.unnamed(["one"], in: "`OneLens` reads one") == ["one"])
        #expect(
            HouseRules.unnamed(["start", "tail", "code"], in: "Run `inspect start --port 9090`; `code` is a key; tail")
                == ["tail"]
        )
    }
}
