import Lenses
import Traffic

/// What `inspect menus food` shows: what a food is, its nutrition, and where it is served.
struct FoodReport: BoardReport {
    let board: FoodCard

    func lines(in layout: Layout) -> [String] {
        let (style, food, servings) = (layout.style, board.food, board.servings)
        let type = DiningFood.title(ofType: food.type)
        var text = [
            style.paint(VisibleText.line(food.name), .bold)
                + VisibleText.line("  \(type)  recipe \(food.recipe)")
        ]
        for (name, value) in [
            ("Description", food.description), ("Ingredients", food.ingredients), ("Country", food.country),
        ]
        where !value.isEmpty { text.append("\(name)  \(VisibleText.line(value))") }
        text += ["", servings.counted("serving")]
        text.append(style.paint(Self.row("NUTRIENT", "MEASURE", "DAILY VALUE", "IN THE APP"), .dim))
        for line in board.nutrition {
            let percent = line.percentText ?? (line.nutrient.dailyValue == nil ? "–" : "unknown")
            let shown = line.isShownWrong || line.amount == nil ? Self.client(line) : ""
            let row = Self.row(line.nutrient.rawValue, VisibleText.line(line.amountText), percent, shown)
            text.append(shown.isEmpty ? row : style.paint(row, .yellow))
        }
        if !board.places.isEmpty { text.append("") }
        for place in board.places {
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
}
