import Testing

@testable import ProgramTests

extension LongTests {
    /// What must survive a SIGKILL, twenty times.
    @Suite(.serialized, .timeLimit(.minutes(15))) struct LongKillTests {
        @Test("Killed twenty times under load, every exchange whose end a client saw is there")
        func kill() async throws { try await KillTests.kill(20, each: 300) }

        @Test(
            "Killed twenty times while it deletes, compacts or brings a store up to date",
            arguments: LifeKillTests.Work.allCases
        )
        func life(_ work: LifeKillTests.Work) async throws {
            try await LifeKillTests.killed(work, kills: 20, exchanges: 3_000)
        }

        @Test("Killed twenty times while it lets go of the oldest, what came last is there")
        func retention() async throws { try await LifeKillTests.retention(kills: 20) }
    }
}
