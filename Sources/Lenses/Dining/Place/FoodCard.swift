package import Traffic

/// A food: its nutrition in some servings, and where it is served.
package struct FoodCard: PlaceBoard {
    package let food: DiningFood
    package let servings: Int
    /// The food's nutrients, in the app's order.
    package let nutrition: [NutritionLine]
    /// The places where the food is served; quick service is of no day.
    package let places: [(day: CampusDay?, meal: String, halls: [String])]

    init(_ food: DiningFood, in book: MenuBook, servings: Int) {
        (self.food, self.servings) = (food, servings)
        nutrition = NutritionLine.lines(of: food, servings: servings)
        places = book.places(of: food.recipe)
    }

    /// Writes the food, its `nutrition` and its `places` as one object.
    ///
    /// `percent` is the truth and `appPercent` what the app shows, both null without a daily value. `measure` and `share` are the truth in words,
    /// which say where less is meant: `<1 g`, `under 2 %`.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("recipe", food.recipe)
            json.string("name", food.name)
            json.string("type", DiningFood.title(ofType: food.type))
            json.string("description", food.description)
            json.string("ingredients", food.ingredients)
            json.string("country", food.country)
            json.integer("servings", servings)
            json.objects("nutrition", nutrition, write)
            json.objects("places", places) { place, json in
                json.string("date", place.day?.isoText)
                json.string("meal", place.meal)
                json.strings("halls", place.halls)
            }
        }
    }

    private func write(_ line: NutritionLine, to json: inout JSONWriter) {
        json.string("nutrient", line.nutrient.rawValue)
        json.string("text", line.measure.text)
        if let amount = line.amount { json.number("amount", amount) } else { json.null("amount") }
        json.string("unit", line.nutrient.unit)
        json.string("measure", line.amountText)
        json.integer("percent", line.percent)
        json.string("share", line.percentText)
        json.boolean("under", line.measure.isBelow)
        json.integer("appPercent", line.clientPercent)
        json.number("appAmount", line.clientAmount)
        json.integer("ring", line.ring)
    }
}
