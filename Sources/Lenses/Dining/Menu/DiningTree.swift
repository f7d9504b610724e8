import Foundation

/// A menu as a tree: meal, hall with its hours, section, food.
struct DiningTree {
    private let menu: DiningMenu
    private let day: CampusDay?
    private let moment: Date

    /// - Parameters:
    ///   - menu: the menu to show.
    ///   - day: the day of its hours; `nil` leaves out whether a hall is open.
    ///   - moment: the moment at which a hall is open or closed.
    init(_ menu: DiningMenu, day: CampusDay?, at moment: Date) {
        self.menu = menu
        self.day = day
        self.moment = moment
    }

    /// The lines of the meals.
    ///
    /// - Parameter limit: how many lines may still be made; a line in their place counts those left out.
    /// - Returns: a node for each meal.
    func nodes(limit: inout Int) -> [LensNode] {
        Self.limited(menu.meals, &limit) { meal, limit in
            LensNode(
                Self.name(meal.name, known: DiningMeal.known),
                children: Self.limited(meal.halls, &limit) { hall, limit in node(of: hall, &limit) }
            )
        }
    }

    private func node(of hall: DiningHall, _ limit: inout Int) -> LensNode {
        LensNode(
            Self.name(hall.name, known: DiningHall.known),
            detail: Self.detail(of: hall.hours, on: day, at: moment),
            children: Self.limited(hall.sections, &limit) { section, limit in
                LensNode(
                    LensText(section.name),
                    children: Self.limited(section.foods, &limit) { food, _ in
                        LensNode(LensText(food.name), detail: Self.detail(of: food, in: menu))
                    }
                )
            }
        )
    }

    /// The hours, and whether the hall is open.
    static func detail(of hours: DiningHours?, on day: CampusDay?, at moment: Date) -> LensText {
        guard let hours else { return LensText("no hours that can be read", .warning) }
        guard let day else { return LensText(hours.text) }
        switch hours.state(on: day, at: moment) {
        case .open: return LensText("\(hours.text), open", .good)
        case .opens, .closed: return LensText("\(hours.text), closed", .faint)
        case .never: return LensText("\(hours.text), never open", .warning)
        }
    }

    private static func detail(of food: ServedFood, in menu: DiningMenu) -> LensText {
        var parts: [String] = []
        if !food.type.isEmpty { parts.append(food.type) }
        if let calories = menu.foods[food.recipe]?.measures[.calories] {
            parts.append(NutritionLine(.calories, calories).amountText)
        }
        parts.append(food.recipe.isEmpty ? "no recipe" : food.recipe)
        let isKnown = menu.foods[food.recipe] != nil && DiningFood.knownTypes.contains(food.type)
        return LensText(parts.joined(separator: ", "), isKnown ? .faint : .warning)
    }

    private static func name(_ name: String, known: [String]) -> LensText {
        known.contains(name) ? LensText(name) : LensText("\(name) (unknown to the app, which crashes on it)", .bad)
    }

    /// A line for each element while there is room, then a line that counts the rest.
    private static func limited<Element>(
        _ elements: [Element],
        _ limit: inout Int,
        _ node: (Element, inout Int) -> LensNode
    ) -> [LensNode] {
        var nodes: [LensNode] = []
        for (index, element) in elements.enumerated() {
            guard limit > 0 else {
                return nodes + [LensNode(LensText("… \(elements.count - index) more", .faint))]
            }
            limit -= 1
            nodes.append(node(element, &limit))
        }
        return nodes
    }
}
