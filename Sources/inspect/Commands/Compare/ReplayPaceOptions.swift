import ArgumentParser
import Traffic

/// How often and how fast requests are sent again.
struct ReplayPaceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Send all of them this many times.", valueName: "n"), transform: Count.init(option:))
    var times = Count(1)

    @Option(
        help: ArgumentHelp(
            "Send this many at once, up to 64; with 1 each waits for the one before.",
            valueName: "n"
        ),
        transform: Count.init(option:)
    )
    var parallel = Count(1)

    @Option(help: ArgumentHelp("Begin this many a second.", valueName: "number"))
    var rate: Double?

    @Option(help: ArgumentHelp("as-recorded: begin them as far apart as they were.", valueName: "timing"))
    var timing: ReplayPlan.Timing?

    func validate() throws {
        var plan = ReplayPlan()
        plan.ids = [1]
        write(to: &plan)
        if let problem = plan.problem?.description {
            throw ValidationError(problem.first?.isLowercase == true ? "--" + problem : problem)
        }
    }

    /// Sets the pace of a plan.
    func write(to plan: inout ReplayPlan) {
        plan.times = times.count
        plan.parallel = parallel.count
        plan.rate = rate
        plan.timing = timing
    }
}

extension ReplayPlan.Timing: ExpressibleByArgument {}
