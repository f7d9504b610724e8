/// A food with all that a day's record says of it.
package struct DiningFood: Sendable {
    /// The types that the app knows; the empty type is neither of the others.
    package static let knownTypes = ["", "Vegetarian", "Vegan"]

    package var recipe: String
    package var name: String
    package var type: String
    /// The measures as written, by nutrient.
    package var measures: [Nutrient: String] = [:]
    package var ingredients = ""
    package var description = ""
    package var country = ""
    /// The meals and halls that serve the food, by its own entry.
    package var places: [(meal: String, halls: [String])] = []

    /// The words for a type: `Regular` for food that is neither vegetarian nor vegan.
    package static func title(ofType type: String) -> String { type.isEmpty ? "Regular" : type }
}
