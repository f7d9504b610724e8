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
        let command = SpawnedCommand(arguments: ["sh", "-c", "kill -INT $$"], environment: ["PATH": "/usr/bin:/bin"])
        let before = signal(SIGINT, SIG_IGN)
        defer { signal(SIGINT, before) }
        #expect(try await command.run() == 0)
        signal(SIGINT, SIG_DFL)
        #expect(try await command.run() == 128 + SIGINT)
    }
}
