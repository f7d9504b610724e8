import Foundation
import Testing

@testable import inspect

@Suite("A command that is waited for", .serialized, .timeLimit(.minutes(15)))
struct SpawnedCommandTests {
    @Test("Signals mean after the command what they meant before")
    func signals() async throws {
        let before = signal(SIGTERM, SIG_DFL)
        #expect(try await SpawnedCommand(arguments: ["true"], environment: [:]).run() == 0)
        let after = signal(SIGTERM, before)
        #expect(unsafeBitCast(after, to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self))
    }

    @Test("A signal that is ignored here is ignored there, as after nohup; any other ends the command")
    func ignored() async throws {
        // The shell sends it to itself, so that what it began with holds.
        let words = ["sh", "-c", "kill -INT $$; exit 7"]
        let command = SpawnedCommand(arguments: words, environment: ["PATH": "/usr/bin:/bin"])
        let before = SignalAction(ignoring: SIGINT)
        defer { before.restore() }
        #expect(try await command.run() == 7)
        #expect(SignalAction.isIgnored(SIGINT) && !SignalAction.isIgnored(SIGQUIT))
        signal(SIGINT, SIG_DFL)
        #expect(try await command.run() == 128 + SIGINT)
    }

    @Test("No signal is blocked for a command, whatever thread starts it")
    func unblocked() throws {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        let words = ["sh", "-c", "kill -TERM $$; exit 7"]
        let start = ProcessStart(arguments: words, environment: ["PATH": "/usr/bin:/bin"])
        let pid = Result { try start.start() }
        pthread_sigmask(SIG_SETMASK, &before, nil)
        #expect(ProcessStart.end(try pid.get()) == 128 + SIGTERM)
    }
}
