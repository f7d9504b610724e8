import Testing

@testable import ProgramTests

extension LongTests {
    /// What the proxy promises of its memory, at the sizes that it promises it for.
    @Suite(.serialized, .timeLimit(.minutes(15))) struct LongMemoryTests {
        @Test("A download and a chunked upload of 1 GiB pass and are recorded up to the limit")
        func big() async throws {
            try await BigBodyMemoryTests.passes(megabytes: 1_024, keeping: 64, growingLessThan: 84)
        }

        @Test("A hundred clients that stall in 100 MB each cost less than a megabyte each")
        func stalled() async throws { try await ManyClientsMemoryTests.stalled(100, megabytes: 100) }

        @Test("5,000 idle connections cost less than 30 kB each")
        func idle() async throws { try await ManyClientsMemoryTests.idle(5_000) }

        @Test(
            "A hundred streams of HTTP/2 that stall in 100 MB each",
            arguments: StalledStreamsMemoryTests.Stall.allCases
        )
        func streams(_ stall: StalledStreamsMemoryTests.Stall) async throws {
            try await StalledStreamsMemoryTests.stalled(stall, 100, megabytes: 100)
        }
    }
}
