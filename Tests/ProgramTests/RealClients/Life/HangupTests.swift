import Foundation
import Support
import Testing

/// How `inspect start` takes the end of the terminal that it was started on (SIGHUP).
@Suite(.timeLimit(.minutes(15))) struct HangupTests {
    /// Starts a program on a terminal of its own, ends the terminal once a file is there, and prints which of two texts the program's log has then.
    private static let script = """
        import os, pty, signal, sys, time
        way, log, ready, *command = sys.argv[1:]
        child, terminal = pty.fork()
        if child == 0:
            if way == "nohup": signal.signal(signal.SIGHUP, signal.SIG_IGN)
            out = os.open(log, os.O_WRONLY | os.O_CREAT, 0o600)
            os.dup2(out, 1), os.dup2(out, 2)
            os.execv(command[0], command)
        def wait(condition):
            deadline = time.time() + \(Patience.seconds(20))
            while not condition() and time.time() < deadline: time.sleep(0.02)
        wait(lambda: os.path.exists(ready))
        os.close(terminal)
        said = lambda: [text for text in ("read the configuration", "the terminal is gone") if text in open(log).read()]
        wait(said)
        print("said", said() or open(log).read(), flush=True)
        os.kill(child, signal.SIGTERM)
        print("ended", os.waitpid(child, 0)[1], flush=True)
        """

    @Test(
        "The end of the terminal ends it, and not where nohup started it",
        arguments: [("plain", "the terminal is gone"), ("nohup", "read the configuration")]
    )
    func terminal(_ way: String, _ text: String) async throws {
        let directory = try TemporaryDirectory()
        let ready = RunningInspect.store(directory) + ".instance"
        let ran = try await CommandLineTool.run(
            try CommandLineTool.find("python3"),
            ["-c", Self.script, way, directory.file("log"), ready, try Executable.inspect()]
                + ["start", "--port", "0", "--web-port", "0", "--log-level", "notice"]
                + RunningInspect.places(directory),
            environment: RunningInspect.environment(directory),
            within: .seconds(60)
        )
        #expect(ran.output == "said ['\(text)']\nended 0\n", "\(ran)")
    }
}
