import Traffic

/// The menus of a day, as a record's `Data` field holds them.
package struct DiningMenu: Sendable {
    /// The day as its author's phone wrote it, `5/29/15`.
    package var date: String
    /// In the order of a day.
    package var meals: [DiningMeal]
    /// What is known of each food, by recipe.
    package var foods: [String: DiningFood]

    /// A food by its recipe; what a section says of it where the foods lack it.
    package func food(_ served: ServedFood) -> DiningFood {
        foods[served.recipe] ?? DiningFood(recipe: served.recipe, name: served.name, type: served.type)
    }
}

/// A meal of a day with the halls that serve it.
package struct DiningMeal: Sendable {
    /// What the app knows, in the order of a day.
    package static let known = ["Breakfast", "Brunch", "Lunch", "Dinner", "Late Night"]

    package var name: String
    package var halls: [DiningHall]
}

/// A hall that serves a meal.
package struct DiningHall: Sendable {
    /// Dining halls, as the app lists them.
    package static let dining = ["De Neve", "Bruin Plate", "Feast", "Hedrick", "Covel"]
    /// Quick service; De Neve and Hedrick are quick too, late at night.
    package static let quick = ["Cafe 1919", "Rendezvous", "Bruin Cafe"]
    package static let known = dining + quick

    package var name: String
    /// `nil` where they cannot be read.
    package var hours: DiningHours?
    package var sections: [DiningSection]
}

/// A counter of a hall.
package struct DiningSection: Sendable {
    package var name: String
    package var foods: [ServedFood]
}

/// A food where it is served.
package struct ServedFood: Sendable, Equatable {
    package var name: String
    /// Empty, `Vegetarian` or `Vegan`.
    package var type: String
    package var recipe: String
}

/// What is known of a food.
package struct DiningFood: Sendable {
    /// The types that the app knows; the empty one is neither.
    package static let knownTypes = ["", "Vegetarian", "Vegan"]

    package var recipe: String
    package var name: String
    package var type: String
    /// The measures as written, by nutrient.
    package var measures: [Nutrient: String] = [:]
    package var ingredients = ""
    package var description = ""
    package var country = ""
    /// Meals with the halls that are said to serve it then.
    package var places: [(meal: String, halls: [String])] = []

    /// `Regular` where it is neither vegetarian nor vegan.
    package static func title(ofType type: String) -> String { type.isEmpty ? "Regular" : type }
}
