import FacilityAPI
import Testing

@Suite(.timeLimit(.minutes(15))) struct FaultPlanTests {
    @Test("A whole plan is read item by item")
    func wholePlan() throws {
        let plan = try FaultPlan(parsing: "500:0.05, 429:0.1,503,slow:2s,html404,truncate,nullspecial")
        #expect(plan.chances.map(\.fault) == [.status(500), .status(429), .status(503)])
        #expect(plan.chances.map(\.probability) == [0.05, 0.1, 1])
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
}
