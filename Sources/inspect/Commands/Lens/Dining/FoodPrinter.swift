import Lenses
import Traffic

/// A food's page as lines, and as JSON.
struct FoodPrinter {
    private let food: DiningFood
    private let servings: Int
    private let lines: [NutritionLine]
    private let places: [(day: CampusDay?, meal: String, halls: [String])]

    init(_ food: DiningFood, in book: MenuBook, servings: Int) {
        self.food = food
        self.servings = servings
        lines = NutritionLine.lines(of: food, servings: servings)
        places = book.places(of: food.recipe)
    }

    /// What it is, its nutrition, where it is served.
    func lines(style: Style) -> [String] {
        let type = DiningFood.title(ofType: food.type)
        var text = [
            style.paint(VisibleText.line(food.name), .bold)
                + VisibleText.line("  \(type)  recipe \(food.recipe)")
        ]
        for (name, value) in [
            ("Description", food.description), ("Ingredients", food.ingredients), ("Country", food.country),
        ]
        where !value.isEmpty { text.append("\(name)  \(VisibleText.line(value))") }
        text += ["", "\(servings) serving\(servings == 1 ? "" : "s")"]
        text.append(style.paint(Self.row("NUTRIENT", "MEASURE", "DAILY VALUE", "IN THE APP"), .dim))
        for line in lines {
            let percent = line.percentText ?? (line.nutrient.dailyValue == nil ? "–" : "unknown")
            let shown = line.isShownWrong || line.amount == nil ? Self.client(line) : ""
            let row = Self.row(line.nutrient.rawValue, VisibleText.line(line.amountText), percent, shown)
            text.append(shown.isEmpty ? row : style.paint(row, .yellow))
        }
        if !places.isEmpty { text.append("") }
        for place in places {
            let day = place.day?.text ?? "Quick service"
            text.append(VisibleText.line("\(day)  \(place.meal): \(place.halls.joined(separator: ", "))"))
        }
        return text
    }

    /// What the app shows, where it is not the truth.
    private static func client(_ line: NutritionLine) -> String {
        let amount = "\(NutritionLine.plain(line.clientAmount)) \(line.nutrient.unit)"
        return line.clientPercent.map { "\(amount), \($0) %" } ?? amount
    }

    private static func row(_ name: String, _ measure: String, _ percent: String, _ client: String) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        let row = padded(name, 20) + " " + padded(measure, 12) + " " + padded(percent, 12) + " " + client
        return String(row.reversed().drop { $0 == " " }.reversed())
    }

    /// One object; `percent` is the truth and `appPercent` what the app shows, both null without a daily value.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.string("recipe", food.recipe)
            json.string("name", food.name)
            json.string("type", DiningFood.title(ofType: food.type))
            json.string("description", food.description)
            json.string("ingredients", food.ingredients)
            json.string("country", food.country)
            json.integer("servings", servings)
            json.array("nutrition") { json in
                for line in lines {
                    json.object { json in
                        json.string("nutrient", line.nutrient.rawValue)
                        json.string("text", line.measure.text)
                        if let amount = line.amount { json.number("amount", amount) } else { json.null("amount") }
                        json.string("unit", line.nutrient.unit)
                        json.integer("percent", line.percent)
                        json.boolean("under", line.measure.isBelow)
                        json.integer("appPercent", line.clientPercent)
                        json.number("appAmount", line.clientAmount)
                        json.integer("ring", line.ring)
                    }
                }
            }
            json.array("places") { json in
                for place in places {
                    json.object { json in
                        json.string("date", place.day?.isoText)
                        json.string("meal", place.meal)
                        json.array("halls") { json in for hall in place.halls { json.string(nil, hall) } }
                    }
                }
            }
        }
        json.newline()
        return json.take()
    }
}
