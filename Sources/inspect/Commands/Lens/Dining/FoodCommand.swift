import ArgumentParser
import Foundation
import Lenses
import Traffic

/// `inspect menus food`: what captured menus say of a food.
struct FoodCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "food",
        abstract: "Show a food's nutrition from captured dining menus.",
        discussion: """
            It shows the percent of daily value, and where the food is served. The app cuts a serving's percent to a whole number and multiplies \
            afterwards; where that differs from the truth, both are shown.

            Examples:
              inspect menus food 059101 --servings 3
              inspect menus food "lentil stew" --json
            """
    )

    @Argument(help: ArgumentHelp("The food's recipe number, its name, or a part of the name.", valueName: "food"))
    var food: String

    @Option(help: ArgumentHelp("How many servings, 0 to 16 as in the app.", valueName: "n"))
    var servings: Int = 1

    @OptionGroup var source: MenuSourceOptions

    mutating func validate() throws {
        if food.isEmpty { throw ValidationError("name a food by its recipe number or its name") }
        _ = try PlaceProblem.told { try FoodQuestion(asked, Filter()) }
    }

    func run() async throws {
        let store = try source.store.openForReading()
        let filter = try source.filter(now: Date(), in: store)
        let card = try PlaceProblem.told { try FoodQuestion(asked, filter).answer(store) }
        try Console().write(FoodReport(board: card), source.output)
    }

    private var asked: PlaceOptions {
        var asked = PlaceOptions([("food", food), ("servings", "\(servings)")])
        source.add(to: &asked)
        return asked
    }
}
