import Foundation
import Support
import Testing

@testable import inspect

/// How an output goes by way of a pager.
@Suite(.timeLimit(.minutes(15)), .serialized) struct PagerTests {
    /// More than a pipe holds.
    private static let long = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)

    /// As `main` does; a reader that leaves early would end this process else.
    init() { signal(SIGPIPE, SIG_IGN) }

    private static func pager(_ command: String) throws -> Pager {
        var environment = ProcessInfo.processInfo.environment
        environment["PAGER"] = command
        environment["TERM"] = "xterm"
        return try #require(Pager(environment: environment))
    }

    @Test("PAGER names the pager; an empty one or cat is none, and without PAGER it is less where there is one")
    func names() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("", to: "less")
        #expect(chmod(directory.file("less"), 0o755) == 0)
        let path = directory.file("")
        #expect(Pager(environment: ["PATH": path])?.command == "less -R")
        #expect(Pager(environment: ["PATH": "/nowhere"]) == nil)
        #expect(Pager(environment: ["PATH": "/nowhere", "PAGER": "most -s"])?.command == "most -s")
        #expect(Pager(environment: ["PATH": path, "PAGER": ""]) == nil)
        #expect(Pager(environment: ["PATH": path, "PAGER": "cat"]) == nil)
        #expect(Pager(environment: ["PATH": path, "TERM": "dumb"]) == nil)
    }

    @Test("Less gets the options that git gives it, unless the user has chosen")
    func variables() {
        #expect(Pager(environment: ["PAGER": "less"])?.environment["LESS"] == "FRX")
        #expect(Pager(environment: ["PAGER": "less", "LESS": "-i"])?.environment["LESS"] == "-i")
    }

    @Test("The pager gets all that is written, and the console's own descriptor and terminal are told apart")
    func shows() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("shown")
        let isShown = try Self.pager("cat > '\(file)'").show { descriptor in
            let console = Console(descriptor: descriptor, environment: [:], isTerminal: true)
            try console.line(console.style.paint("bold", .bold))
            try console.write(Self.long)
            try console.flush()
        }
        let shown = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(isShown && shown == Data("\u{1B}[1mbold\u{1B}[0m\n".utf8) + Data(Self.long))
    }

    @Test(
        "A reader that leaves early ends nothing badly",
        arguments: ["head -c 1 > /dev/null", "true", "exit 3", "kill $$"]
    )
    func leaves(command: String) throws {
        #expect(try Self.pager(command).show { try Console.write(Self.long, to: $0) })
    }

    @Test(
        "A pager that is not there, or is no program, says so, so that all is written to the terminal itself",
        arguments: ["no-such-pager-anywhere 2> /dev/null", "/ 2> /dev/null"]
    )
    func absent(command: String) throws {
        #expect(try Self.pager(command).show { try Console.write(Self.long, to: $0) } == false)
    }

    @Test("What goes wrong while it is written is told, once the reader has left")
    func fails() throws {
        let error = try #require(throws: InputError.self) {
            try Self.pager("cat > /dev/null").show { _ in throw InputError("the store is gone") }
        }
        #expect("\(error)".contains("the store is gone"))
    }

    @Test("Ctrl-C does to this process what it did before")
    func interrupts() throws {
        let before = SignalAction.isIgnored(SIGINT)
        var during: Bool?
        _ = try Self.pager("cat > /dev/null").show { _ in during = SignalAction.isIgnored(SIGINT) }
        #expect(during == true && SignalAction.isIgnored(SIGINT) == before)
    }
}
