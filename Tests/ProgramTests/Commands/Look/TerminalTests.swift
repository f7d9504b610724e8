import Foundation
import Support
import Testing

/// What a person on a terminal gets.
@Suite(.timeLimit(.minutes(15))) struct TerminalTests {
    /// Runs a program on a terminal of its own with 80 columns, and passes on what it writes there and its exit status.
    private static let terminal = """
        import fcntl, os, pty, struct, sys, termios
        pid, terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execv(sys.argv[1], sys.argv[1:])
        while True:
            try:
                written = os.read(terminal, 65536)
            except OSError:
                break
            if not written:
                break
            sys.stdout.buffer.write(written)
        sys.stdout.flush()
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """

    private static func onTerminal(
        _ store: CapturedStore,
        _ arguments: [String],
        pager: String = "cat"
    ) async throws -> (status: Int32, lines: [String]) {
        let words = ["-c", terminal, try Executable.inspect()] + arguments + ["--store", store.path]
        let result = try await CommandLineTool.run("python3", words, environment: ["PAGER": pager, "TERM": "xterm"])
        #expect(result.errors.isEmpty)
        let text = result.output.replacing("\r\n", with: "\n")
        return (result.status, text.split(separator: "\n").map(String.init))
    }

    private static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        let fields = "Content-Type: application/json; charset=utf-8\r\n"
        try await store.record(
            Sample(1, "GET", "/v2/facilities/?format=json", fields: fields, responseBody: Array("{\"a\": 1}".utf8))
        )
        try await store.record(Sample(2, "POST", "/" + String(repeating: "long", count: 40)))
        return store
    }

    @Test("A listing fits 80 columns, says the day once and begins addresses with the path")
    func lists() async throws {
        let store = try await Self.store()
        for command in ["ls", "filter", "search"] {
            let words = [command, "--color", "never"] + (command == "search" ? ["path:/"] : [])
            let shown = try await Self.onTerminal(store, words)
            #expect(shown.status == 0)
            #expect(shown.lines.allSatisfy { $0.count <= 80 }, "\(command): \(shown.lines)")
            #expect(shown.lines.count { $0.hasPrefix("2025-11-") && $0.count == 10 } == 1, "\(command): \(shown.lines)")
            #expect(shown.lines.contains { $0.contains(" GET    200 json ") && $0.contains(" /v2/facilities/?f") })
        }
        let painted = try await Self.onTerminal(store, ["ls"])
        #expect(painted.lines.contains { $0.contains("\u{1B}[32m200 json") })
    }

    @Test(
        "show goes by way of the pager on a terminal, and never elsewhere; a pager that ends early ends nothing badly"
    )
    func pages() async throws {
        let store = try await Self.store()
        for arguments in [["show", "1"], ["show", "1", "--json"], ["show", "1", "--body", "response"]] {
            let paged = try await Self.onTerminal(store, arguments, pager: "sed 's/^/paged /'")
            #expect(
                paged.status == 0 && paged.lines.count > 1 && paged.lines.allSatisfy { $0.hasPrefix("paged ") },
                "\(paged)"
            )
            let piped = try await CommandLineTool.run(
                try Executable.inspect(),
                arguments + ["--store", store.path],
                environment: ["PAGER": "sed 's/^/paged /'"]
            )
            #expect(piped.status == 0 && !piped.output.isEmpty && !piped.output.contains("paged "))
        }
        let first = try await Self.onTerminal(store, ["show", "1"], pager: "head -n 1")
        #expect(first.status == 0 && first.lines.count == 1)
        let painted = try await Self.onTerminal(store, ["show", "1"])
        #expect(painted.lines.contains("\u{1B}[36mHost\u{1B}[0m: api.example.test"))
        let absent = try await Self.onTerminal(store, ["show", "1"], pager: "no-such-pager-anywhere 2> /dev/null")
        #expect(absent.status == 0 && absent.lines == painted.lines)
    }
}
