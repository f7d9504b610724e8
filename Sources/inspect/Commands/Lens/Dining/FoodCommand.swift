import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect food`: what captured menus know of a food.
struct FoodCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "food",
        abstract: "Show a food's nutrition from captured dining menus.",
        discussion: """
            It shows the percent of daily value, and where the food is served. The app cuts a serving's percent to a whole number and multiplies \
            afterwards; where that differs from the truth, both are shown.

            Examples:
              inspect food 059101 --servings 3
              inspect food "lentil stew" --json
            """
    )

    @Argument(help: ArgumentHelp("Its recipe number, or its name or a part of it.", valueName: "food"))
    var food: String

    @Option(help: ArgumentHelp("How many servings, 0 to 16 as in the app.", valueName: "n"))
    var servings: Int = 1

    @OptionGroup var source: MenuSourceOptions

    func validate() throws {
        if !NutritionLine.servings.contains(servings) {
            throw ValidationError("--servings \(servings): expected 0 to 16")
        }
        if food.isEmpty { throw ValidationError("name a food by its recipe number or its name") }
        _ = try source.moment()
    }

    func run() async throws {
        let store = try source.store.openForReading()
        try write(to: Console(), source.filter(now: Date(), in: store), in: store)
    }

    /// The one food that is named.
    private func found(in book: MenuBook) throws -> DiningFood {
        let foods = book.foods(named: food)
        if let only = foods.first, foods.count == 1 { return only }
        guard !foods.isEmpty else {
            let reason =
                book.isEmpty ? "no captured answer holds menus" : "no captured menu has it; 'inspect menus' lists them"
            throw InputError("food “\(food)”: \(reason)")
        }
        let listed = foods.prefix(8).map { "\($0.recipe) \($0.name)" }.joined(separator: ", ")
        let more = foods.count > 8 ? " and \(foods.count - 8) more" : ""
        throw InputError(
            "food “\(food)”: \(foods.count) have it in their name: \(listed)\(more); name one by its number"
        )
    }
}

extension FoodCommand: PlaceCommand {
    func write(to console: Console, _ filter: Filter, in store: TrafficStore) throws {
        let (book, _) = try source.book(filter, in: store)
        let printer = FoodPrinter(try found(in: book), in: book, servings: servings)
        try source.print(to: console, json: printer.json) { printer.lines(style: $0) }
    }
}
