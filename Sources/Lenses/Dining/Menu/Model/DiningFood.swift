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
