import Foundation
import Testing

@testable import inspect

@Suite("A command that is waited for", .timeLimit(.minutes(15)))
struct SpawnedCommandTests {
    @Test("Signals mean after the command what they meant before")
    func signals() async throws {
        let before = signal(SIGTERM, SIG_DFL)
        #expect(try await SpawnedCommand(arguments: ["true"], environment: [:]).run() == 0)
        let after = signal(SIGTERM, before)
        #expect(unsafeBitCast(after, to: Int.self) == unsafeBitCast(SIG_DFL, to: Int.self))
    }
}
