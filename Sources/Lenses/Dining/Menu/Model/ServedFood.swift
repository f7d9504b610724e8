/// A food where it is served.
package struct ServedFood: Sendable, Equatable {
    package var name: String
    /// Empty, `Vegetarian` or `Vegan`.
    package var type: String
    package var recipe: String
}
