import Testing

@testable import ProgramTests

/// The proxy under mixed traffic for longer than anything in it should still grow.
///
/// It is none of `LongTests`, whose limit it may need.
@Suite(.timeLimit(.minutes(60))) struct LongSoakTests {
    @Test("Ten minutes of mixed traffic leave it as it was, and are recorded as their clients saw them")
    func tenMinutes() async throws { try await SoakTests.soak(minutes: 10) }
}
