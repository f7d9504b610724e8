package import Traffic

/// A question for a food of captured menus, and a count of servings.
package struct FoodQuestion: Sendable {
    /// The options of the place.
    package static let options: Set<String> = ["food", "servings", "from-capture"]

    /// The most foods that are named where a text stands for several.
    private static let namedFoods = 8

    /// A recipe number, a name or a part of a name.
    private let food: String
    private let servings: Int
    private let source: CaptureSelection

    /// Reads the options of a question.
    ///
    /// - Parameters:
    ///   - options: the options of the place; `food` is a recipe number, a name or a part of a name.
    ///   - filter: the exchanges to look at.
    /// - Throws: `PlaceProblem` for a question that makes no sense.
    package init(_ options: PlaceOptions, _ filter: Filter) throws(PlaceProblem) {
        guard let food = options.value("food"), !food.isEmpty else { throw .missing(option: "food") }
        self.food = food
        let text = options.value("servings") ?? "1"
        guard let servings = Int(text), NutritionLine.servings.contains(servings) else {
            throw .value(option: "servings", given: text, expectation: "expected 0 to 16")
        }
        self.servings = servings
        source = try options.source(filter)
    }

    /// Answers the question from captures.
    ///
    /// - Throws: `PlaceProblem` where the captures hold no such food, or several, and what the walk throws.
    package func answer(_ walk: some CaptureWalk) throws -> FoodCard {
        let book = try MenuBook(in: walk, source)
        return FoodCard(try found(in: book), in: book, servings: servings)
    }

    /// Finds the one food that the question names.
    private func found(in book: MenuBook) throws(PlaceProblem) -> DiningFood {
        let foods = book.foods(named: food)
        if let only = foods.first, foods.count == 1 { return only }
        if book.isEmpty {
            throw book.isWhole ? PlaceProblem.noMenus(food: food) : PlaceProblem.notInNewest(what: "menu")
        }
        if foods.isEmpty { throw .noFood(food) }
        let named = foods.prefix(FoodQuestion.namedFoods).map { "\($0.recipe) \($0.name)" }
        throw .severalFoods(food, count: foods.count, named: named)
    }
}
