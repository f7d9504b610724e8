package import Traffic

/// Captured dining menus by day, meal and hall.
package struct MenuBoard: PlaceBoard {
    /// All captured menus.
    package let book: MenuBook
    /// The selection of the wanted part.
    package let selection: MenuSelection
    /// The recipes that are marked.
    package let favourites: Set<String>
    /// The wanted parts of the menus, a day each.
    package let listings: [MenuListing]

    init(_ book: MenuBook, _ selection: MenuSelection, favourites: Set<String>) {
        (self.book, self.selection, self.favourites) = (book, selection, favourites)
        listings = selection.listing(of: book)
    }

    /// Writes `at` and `days` with `meals`, `halls`, `sections` and `foods`; times are RFC 3339 with the campus's offset.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("at", CampusTime.rfc3339(selection.moment))
            json.objects("days", listings) { listing, json in
                json.string("date", listing.day.isoText)
                json.integer("capture", listing.capture)
                json.integer("quickCapture", listing.quickCapture)
                json.objects("meals", listing.meals) { meal, json in
                    json.string("meal", meal.name)
                    json.objects("halls", meal.halls) { write($0, on: listing.day, to: &$1) }
                }
            }
            json.boolean("complete", book.isWhole)
        }
    }

    private func write(_ hall: MenuListing.Hall, on day: CampusDay, to json: inout JSONWriter) {
        json.string("hall", hall.name)
        json.boolean("quick", hall.isQuick)
        let interval = hall.hours?.interval(on: day)
        json.string("opens", interval.map { CampusTime.rfc3339($0.lowerBound) })
        json.string("closes", interval.map { CampusTime.rfc3339($0.upperBound) })
        json.boolean("openNow", interval?.contains(selection.moment) == true)
        json.objects("sections", hall.sections) { section, json in
            json.string("section", section.name)
            json.objects("foods", section.foods) { food, json in
                json.string("name", food.name)
                json.string("type", DiningFood.title(ofType: food.type))
                json.string("recipe", food.recipe)
                json.boolean("favourite", favourites.contains(food.recipe))
            }
        }
    }
}
