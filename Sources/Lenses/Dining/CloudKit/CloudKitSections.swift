import Foundation
import Traffic

/// The parts of a view that show an answer of CloudKit web services.
struct CloudKitSections {
    /// The most lines of all trees of one view; the rest is counted.
    private static let nodeLimit = 4000

    private let answer: CloudKitAnswer
    private let status: Int?
    /// The moment of the answer, at which a hall is open or closed.
    private let moment: Date

    init(_ answer: CloudKitAnswer, status: Int?, at moment: Date) {
        self.answer = answer
        self.status = status
        self.moment = moment
    }

    /// All parts that are not empty.
    var all: [LensSection] {
        var sections: [LensSection] = []
        if let problem = answer.problem {
            sections.append(LensSection("Error", .fields(problem.fields(status: status))))
        }
        if let unreadable = answer.unreadable { sections.append(LensSection("Body", .text(unreadable))) }
        if !answer.records.isEmpty { sections.append(LensSection("Records", .table(records))) }
        for record in answer.records {
            guard let problem = record.problem else { continue }
            let title = "In the place of \(record.name ?? "a record")"
            sections.append(LensSection(title, .fields(problem.fields(status: nil))))
        }
        if answer.isContinued {
            let text =
                "There are more records than these: a continuationMarker came with them. Bruin Life ignores it and never asks for them."
            sections.append(LensSection("Cut off", .text(text)))
        }
        return sections + menus
    }

    private var records: LensTable {
        LensTable(
            columns: ["Record", "Type", "Modified", "Fields"],
            rows: answer.records.map { record in
                if let problem = record.problem {
                    return [
                        LensText(record.name ?? "–"), LensText("–", .faint), LensText("–", .faint),
                        LensText(problem.text, .bad),
                    ]
                }
                let fields = record.fields.map { "\($0.name): \($0.text)" }.joined(separator: ", ")
                return [
                    LensText(record.name ?? "–"), LensText(record.type ?? "–"),
                    LensText(record.modified.map(CampusTime.text) ?? "–", .faint),
                    record.isDeleted ? LensText("deleted", .warning) : LensText(fields),
                ]
            }
        )
    }

    /// A tree for each menu, then a table of all foods.
    private var menus: [LensSection] {
        var sections: [LensSection] = []
        var foods: [String: DiningFood] = [:]
        var room = Self.nodeLimit
        for record in answer.menus {
            let title = record.day.map { "Menu of \($0.text)" } ?? "Menu of \(record.name ?? "no day")"
            do {
                let menu = try DiningMenu(of: record)
                foods.merge(menu.foods) { first, _ in first }
                let day = record.day ?? CampusDay(short: menu.date)
                let tree = DiningTree(menu, day: day, at: moment).nodes(limit: &room)
                sections.append(LensSection(title, .tree(tree)))
            } catch {
                let stop =
                    if case .unsafe = error { " The app prints STOPPED UNSAFE RECORD and shows no menu." } else { "" }
                sections.append(LensSection(title, .text("The payload \(error).\(stop)")))
            }
        }
        if !foods.isEmpty { sections.append(LensSection("Foods", .table(Self.table(of: foods)))) }
        return sections
    }

    private static func table(of foods: [String: DiningFood]) -> LensTable {
        let shown: [Nutrient] = [
            .calories, .totalFat, .saturatedFat, .sodium, .carbohydrates, .fiber, .sugars, .protein,
        ]
        let sorted = foods.values.sorted { ($0.name, $0.recipe) < ($1.name, $1.recipe) }
        return LensTable(
            columns: ["Food", "Recipe", "Type"] + shown.map(\.rawValue),
            rows: sorted.map { food in
                [LensText(food.name), LensText(food.recipe, .faint), LensText(DiningFood.title(ofType: food.type))]
                    + shown.map { nutrient in
                        let line = NutritionLine(nutrient, food.measures[nutrient] ?? "")
                        let percent = line.percentText.map { " · \($0)" } ?? ""
                        return LensText(line.amountText + percent, line.measure.isNumeric ? .plain : .warning)
                    }
            }
        )
    }
}
