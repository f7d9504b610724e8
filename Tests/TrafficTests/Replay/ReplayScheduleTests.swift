import Testing
import Traffic

@Suite("Replays are due at the rate asked", .timeLimit(.minutes(15)))
struct ReplayScheduleTests {
    @Test("So many a second, whatever one of them took")
    func rate() {
        var schedule = ReplaySchedule(.rate(8))
        #expect(schedule.next(recorded: 0, now: .zero) == .zero)
        #expect(schedule.next(recorded: 0, now: .milliseconds(5)) == .milliseconds(125))
        // Half a second late is made up for.
        #expect(schedule.next(recorded: 0, now: .milliseconds(700)) == .milliseconds(250))
        // A standstill is not: the next comes at once, and then one every 125 ms.
        #expect(schedule.next(recorded: 0, now: .seconds(10)) == .seconds(10))
        #expect(schedule.next(recorded: 0, now: .seconds(10)) == .milliseconds(10_125))
    }

    @Test("As recorded, from the first on")
    func asRecorded() {
        var schedule = ReplaySchedule(.asRecorded)
        #expect(schedule.next(recorded: 5_000_000, now: .zero) == .zero)
        #expect(schedule.next(recorded: 5_250_000, now: .milliseconds(1)) == .milliseconds(250))
        #expect(schedule.next(recorded: 5_100_000, now: .milliseconds(260)) == .milliseconds(100))
    }

    @Test("Plans say what is wrong with them")
    func plans() {
        var plan = ReplayPlan()
        #expect(plan.problem?.description.contains("ids or q") == true)
        plan.ids = [1]
        #expect(plan.problem == nil && plan.pace == .free)
        plan.q = "x"
        #expect(plan.problem?.description.contains("not both") == true)
        plan.q = nil
        (plan.parallel, plan.rate) = (16, 2_000)
        #expect(plan.problem == nil && plan.pace == .rate(2_000))
        plan.timing = .asRecorded
        #expect(plan.problem?.description.contains("not both") == true)
        (plan.timing, plan.rate, plan.parallel) = (nil, nil, 65)
        #expect(plan.problem?.description.contains("64") == true)
        (plan.parallel, plan.rate) = (nil, .nan)
        #expect(plan.problem?.description.contains("rate") == true)
    }
}
