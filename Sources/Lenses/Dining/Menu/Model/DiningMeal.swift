/// A meal of a day with the halls that serve it.
package struct DiningMeal: Sendable {
    /// The names of the meals that the app knows, in the order of a day.
    package static let known = ["Breakfast", "Brunch", "Lunch", "Dinner", "Late Night"]

    package var name: String
    package var halls: [DiningHall]
}
