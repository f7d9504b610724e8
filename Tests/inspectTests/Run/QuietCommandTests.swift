import Testing

@testable import inspect

@Suite("A program that is asked something", .timeLimit(.minutes(15)))
struct QuietCommandTests {
    @Test("It is killed where nobody waits for its answer any more, and that is no answer")
    func cancelled() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                withUnsafeCurrentTask { $0?.cancel() }
                await #expect(throws: CancellationError.self) {
                    try await QuietCommand.run(["tail", "-f", "/dev/null"], environment: ["PATH": "/usr/bin:/bin"])
                }
            }
        }
    }
}
