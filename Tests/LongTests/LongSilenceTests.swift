import Testing

@testable import inspectTests

extension LongTests {
    @Suite(.timeLimit(.minutes(15))) struct LongSilenceTests {
        @Test("A minute and a half of silence, after which HTTP clients give up, is none for a command")
        func minutes() async throws { try await SilentPageTests.wait(seconds: 95) }
    }
}
