import ArgumentParser
import Foundation
import Lenses

/// `inspect menus swipes`: how many swipes of a meal plan should be left.
struct SwipesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swipes",
        abstract: "Count the meal swipes that are left after a meal.",
        discussion: """
            It counts as the dining app does. Week, day and meal default to those of --at, or of now, on campus (America/Los_Angeles). Weeks count \
            from 0; 10 is finals.

            Examples:
              inspect menus swipes --plan BP19 --week 3 --day wed --meal lunch
              inspect menus swipes --plan "Cub 11" --at 2015-05-29T12:30
            """
    )

    @Option(help: ArgumentHelp("The meal plan: BP19, BP14, Gold19, Gold14 or Cub11.", valueName: "plan"))
    var plan: String

    @Option(help: ArgumentHelp("The quarter's week, 0 to 10.", valueName: "n"))
    var week: Int?

    @Option(help: ArgumentHelp("The day of the week: mon, tue … or 0 (Monday) to 6.", valueName: "day"))
    var day: String?

    @Option(help: ArgumentHelp("The meal: breakfast, brunch, lunch, dinner or late-night.", valueName: "meal"))
    var meal: String?

    @Option(help: ArgumentHelp("The time in place of now: 2015-05-29 or 2015-05-29T12:30.", valueName: "time"))
    var at: String?

    @OptionGroup var output: OutputOptions

    mutating func validate() throws { _ = try question() }

    func run() throws {
        let board = try PlaceProblem.told { try question().answer() }
        try Console().write(SwipesReport(board: board), output)
    }

    private func question() throws -> SwipeQuestion {
        var asked = PlaceOptions([("plan", plan)])
        asked.add("week", week.map { "\($0)" })
        asked.add("day", day)
        asked.add("meal", meal)
        asked.add("at", at)
        return try PlaceProblem.told { try SwipeQuestion(asked, now: Date()) }
    }
}
