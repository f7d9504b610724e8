import Testing

@testable import FacilityAPI

@Suite(.timeLimit(.minutes(15))) struct FaultPlanTests {
    @Test("A whole plan is read item by item")
    func wholePlan() throws {
        let plan = try FaultPlan(parsing: "500:0.05, 429:0.1,503,slow:2s,html404,truncate,nullspecial")
        #expect(
            plan.chances == [
                .init(fault: .status(500), probability: 0.05), .init(fault: .status(429), probability: 0.1),
                .init(fault: .status(503), probability: 1),
            ]
        )
        #expect(plan.delay == .seconds(2))
        #expect(plan.answersNotFoundAsHTML && plan.truncatesBodies && plan.servesNullSpecials)
    }

    @Test("Delays come in three units", arguments: [("slow:250ms", 250), ("slow:0.5s", 500), ("slow:1m", 60_000)])
    func delays(text: String, milliseconds: Int) throws {
        #expect(try FaultPlan(parsing: text).delay == .milliseconds(milliseconds))
    }

    @Test(
        "An item that cannot be read is named, on one line, with what would do",
        arguments: [
            ("500:2", "500:2", "0 to 1"), ("429:x", "429:x", "probability"), ("slow", "slow", "slow:2s"),
            ("slow:fast", "slow:fast", "slow:2s"), ("slow:11m", "slow:11m", "10m"), ("402:0.1", "402:0.1", "503"),
            ("EXIST", "EXIST", "CloudKit code"),
            ("truncate:0.5", "truncate:0.5", "truncate"), ("html404,,", "''", "expected"), ("", "''", "expected"),
            ("500:nan", "500:nan", "0 to 1"),
        ]
    )
    func refused(text: String, item: String, expectation: String) throws {
        let error = try #require(throws: FacilityAPIError.self) { try FaultPlan(parsing: text) }
        #expect(error.description.contains(item) && error.description.contains(expectation))
        #expect(!error.description.contains("\n"))
    }

    @Test("The same seed draws the same faults, another seed others, about as often as asked")
    func seeded() async throws {
        let plan = try FaultPlan(parsing: "500:0.2")
        func draws(_ seed: UInt64) async -> [Bool] {
            let dice = FaultDice(seed: seed)
            var hits: [Bool] = []
            for _ in 0..<1000 { hits.append(await dice.draw(plan) != nil) }
            return hits
        }
        let first = await draws(7)
        #expect(await draws(7) == first)
        #expect(await draws(8) != first)
        #expect((150...250).contains(first.count { $0 }))
    }
}
