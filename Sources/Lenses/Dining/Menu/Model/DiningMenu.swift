/// The menus of a day, as a record's `Data` field holds them.
package struct DiningMenu: Sendable {
    /// The day as its author's phone wrote it, `5/29/15`.
    package var date: String
    /// The meals in the order of a day.
    package var meals: [DiningMeal]
    /// The foods, by recipe.
    package var foods: [String: DiningFood]

    /// The food that a section serves; one made of the section's entry where the foods lack it.
    package func food(_ served: ServedFood) -> DiningFood {
        foods[served.recipe] ?? DiningFood(recipe: served.recipe, name: served.name, type: served.type)
    }
}
