import Foundation
package import Traffic

/// The newest menu of each day that captures hold.
package struct MenuBook: Sendable {
    /// A menu and the record and exchange that it is from.
    package struct Entry: Sendable {
        /// The exchange whose response holds the menu.
        package let capture: ExchangeID
        package let record: String
        /// The day of the menu; `nil` for quick service, whose menu is of no day.
        package let day: CampusDay?
        package let menu: DiningMenu
    }

    package private(set) var days: [CampusDay: Entry] = [:]
    /// The menu of quick service.
    package private(set) var quick: Entry?
    /// Why menus could not be read, a sentence each.
    package private(set) var problems: [String] = []
    /// Whether every answer was read that might hold menus; see `PlaceBound`.
    package var isWhole = true

    package init() {}

    /// Adds the menus of a capture, but for days that have a menu already: add the newest capture first.
    ///
    /// - Returns: whether the capture holds a menu, readable or not.
    @discardableResult
    package mutating func add(_ capture: Capture) -> Bool {
        let records = CloudKitAnswer(capture).menus
        for record in records {
            let name = record.name ?? "?"
            do {
                let menu = try DiningMenu(of: record)
                let isQuick = record.type == CloudKitRecord.quickType
                let day = isQuick ? nil : record.day ?? CampusDay(short: menu.date)
                let entry = Entry(capture: capture.id, record: name, day: day, menu: menu)
                if let day {
                    if days[day] == nil { days[day] = entry }
                } else if isQuick {
                    if quick == nil { quick = entry }
                } else {
                    problems.append("#\(capture.id): the record \(name) is of no day that can be read")
                }
            } catch {
                problems.append("#\(capture.id): the payload of \(name) \(error)")
            }
        }
        return !records.isEmpty
    }

    package var isEmpty: Bool { days.isEmpty && quick == nil }

    /// A food of the newest menu that knows it, by its recipe.
    package func food(_ recipe: String) -> DiningFood? { foods[recipe] }

    /// Every food that any menu knows, by recipe; a later day's menu goes before an earlier one's.
    package var foods: [String: DiningFood] {
        var foods = quick?.menu.foods ?? [:]
        for (_, entry) in days.sorted(by: { $0.key < $1.key }) { foods.merge(entry.menu.foods) { _, later in later } }
        return foods
    }

    /// The foods that a text names: the food of that recipe, else the foods of that name, else the foods whose name holds the text.
    package func foods(named text: String) -> [DiningFood] {
        let foods = foods
        if let food = foods[text] { return [food] }
        let wanted = text.lowercased()
        let exact = foods.values.filter { $0.name.lowercased() == wanted }
        let found = exact.isEmpty ? foods.values.filter { $0.name.lowercased().contains(wanted) } : exact
        return found.sorted { ($0.name, $0.recipe) < ($1.name, $1.recipe) }
    }

    /// The places where a food is served: the day, the meal and the halls.
    package func places(of recipe: String) -> [(day: CampusDay?, meal: String, halls: [String])] {
        let entries = days.sorted { $0.key < $1.key }.map(\.value) + (quick.map { [$0] } ?? [])
        return entries.flatMap { entry in
            entry.menu.meals.compactMap { meal in
                let halls = meal.halls.filter { hall in
                    hall.sections.contains { section in section.foods.contains { $0.recipe == recipe } }
                }
                return halls.isEmpty ? nil : (day: entry.day, meal: meal.name, halls: halls.map(\.name))
            }
        }
    }
}
