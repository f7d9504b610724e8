extension MenuBoard {
    /// The places where the listed menus serve a food, in the order of the listing.
    package func servings(of recipe: String) -> [(day: CampusDay, meal: String, hall: String)] {
        listings.flatMap { listing in
            listing.meals.flatMap { meal in
                meal.halls.filter { hall in
                    hall.sections.contains { section in section.foods.contains { $0.recipe == recipe } }
                }.map { (day: listing.day, meal: meal.name, hall: $0.name) }
            }
        }
    }
}
