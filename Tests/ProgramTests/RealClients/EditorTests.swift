import Foundation
import Support
import Testing

/// The editor of `inspect replay --edit` on a terminal, as a person has it.
@Suite(.timeLimit(.minutes(15))) struct EditorTests {
    /// Runs a command on a terminal of its own, types a line when it is asked for one, and prints all that was to be seen.
    private static let terminal = """
        import os, pty, signal, sys
        signal.alarm(\(Patience.seconds(40)))
        pid, screen = pty.fork()
        if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
        seen = b""
        while True:
            try: piece = os.read(screen, 4096)
            except OSError: break
            if not piece: break
            if b"which? " in piece: os.write(screen, b"typed\\n")
            seen += piece
        print(seen.decode(errors="replace"))
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """

    @Test("The editor reads from the terminal, and what it leaves is sent")
    func typed() async throws {
        let origin = try await RecordingOrigin.start()
        let inspect = try await RunningInspect.start()
        _ = try await CommandLineTool.run(
            "curl",
            ["-s", "--noproxy", "", "-x", inspect.proxy, "http://127.0.0.1:\(origin.port)/length"]
        )
        let editor = try inspect.directory.write(
            #"""
            printf 'which? ' > /dev/tty
            read word < /dev/tty
            sed -i "s/^Host:/X-Word: $word\nHost:/" "$1"

            """#,
            to: "editor"
        )
        let edited = try await CommandLineTool.run(
            "python3",
            ["-c", Self.terminal, try Executable.inspect(), "replay", "1", "--edit"]
                + ["--store", RunningInspect.store(inspect.directory)],
            environment: RunningInspect.environment(inspect.directory).merging(
                ["EDITOR": "sh \(editor)", "VISUAL": nil]
            ) { $1 }
        )
        #expect(edited.status == 0, "\(edited.output)\(edited.errors)")
        #expect(origin.answered.count == 2)
        #expect(origin.answered.last?.request.field("x-word") == "typed", "\(edited.output)")
    }

    @Test("Without a proxy to send it through, no editor is opened")
    func stopped() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1))
        let opened = store.file("opened")
        let edited = try await CommandLineTool.run(
            try Executable.inspect(),
            ["replay", "1", "--edit", "--store", store.path],
            environment: ["EDITOR": "touch \(opened); true", "VISUAL": nil]
        )
        #expect(edited.status == 2 && edited.errors.contains("no proxy"), "\(edited.errors)")
        #expect(!FileManager.default.fileExists(atPath: opened))
    }
}
