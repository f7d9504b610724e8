/// A food as an entry of a section.
package struct ServedFood: Sendable, Equatable {
    package var name: String
    /// The type: empty, `Vegetarian` or `Vegan`.
    package var type: String
    package var recipe: String
}
