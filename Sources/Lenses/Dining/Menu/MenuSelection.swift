package import Foundation

/// A selection of a part of the menus.
package struct MenuSelection: Sendable {
    /// A diet by which foods are selected.
    package enum Diet: String, Sendable, CaseIterable {
        case vegan
        /// Vegetarian food, vegan food included.
        case vegetarian

        /// Whether the diet allows food of a type.
        func allows(_ type: String) -> Bool { type == "Vegan" || self == .vegetarian && type == "Vegetarian" }
    }

    /// The moment that `isOpen` and `today` go by.
    package var moment: Date
    /// The wanted days; `nil` for today, and with `isOpen` also for the meals of yesterday that are still open.
    package var days: [CampusDay]?
    /// A text in a meal's name.
    package var meal: String?
    /// A text in a hall's name.
    package var hall: String?
    package var diet: Diet?
    /// A text in a food's name, ingredients or section.
    package var search: String?
    /// Whether only halls that are open at `moment` are wanted.
    package var isOpen = false

    package init(moment: Date) { self.moment = moment }

    /// Today on campus.
    package var today: CampusDay { CampusDay(moment) }

    /// The days that are selected, in order.
    package var wantedDays: [CampusDay] {
        days?.sorted() ?? (isOpen ? [today.adding(days: -1), today] : [today])
    }

    /// The wanted part of a book; meals, halls and sections that become empty are left out.
    ///
    /// The menu of quick service counts as today's. Its hours are those in today's dining menu, where that has them;
    /// brunch stands for lunch, as in the app.
    package func listing(of book: MenuBook) -> [MenuListing] {
        wantedDays.compactMap { day in
            var meals = book.days[day].map { halls(of: $0.menu, on: day, isQuick: false, hours: nil) } ?? []
            if day == today, let quick = book.quick {
                let more = halls(of: quick.menu, on: day, isQuick: true, hours: book.days[day]?.menu)
                for meal in more {
                    if let place = meals.firstIndex(where: { $0.name == meal.name }) {
                        meals[place].halls += meal.halls
                    } else {
                        meals.append(meal)
                    }
                }
            }
            let known = DiningMeal.known
            let order = { (name: String) in known.firstIndex(of: name) ?? known.count }
            meals.sort { order($0.name) < order($1.name) }
            let isThere = book.days[day] != nil || day == today && book.quick != nil
            guard isThere, !(isOpen && meals.isEmpty) else { return nil }
            let hasQuick = meals.contains { $0.halls.contains(where: \.isQuick) }
            return MenuListing(
                day: day,
                capture: book.days[day]?.capture,
                quickCapture: hasQuick ? book.quick?.capture : nil,
                meals: meals
            )
        }
    }

    /// A wanted meal or hall that no menu of a book has, on any day.
    package func unknownValue(in book: MenuBook) -> UnknownValue? {
        let menus = book.days.values.map(\.menu) + (book.quick.map { [$0.menu] } ?? [])
        let meals = menus.flatMap(\.meals)
        let isMet = { (known: String, wanted: String) in holds(known, wanted) }
        return UnknownValue("meal", meal.map { [$0] } ?? [], among: meals.map(\.name), isMet)
            ?? UnknownValue("hall", hall.map { [$0] } ?? [], among: meals.flatMap { $0.halls.map(\.name) }, isMet)
    }

    private func halls(of menu: DiningMenu, on day: CampusDay, isQuick: Bool, hours other: DiningMenu?)
        -> [MenuListing.Meal]
    {
        menu.meals.compactMap { meal in
            guard holds(meal.name, self.meal) else { return nil }
            let halls = meal.halls.compactMap { hall -> MenuListing.Hall? in
                guard holds(hall.name, self.hall) else { return nil }
                let hours = Self.hours(of: hall.name, at: meal.name, in: other) ?? hall.hours
                let state = hours?.state(on: day, at: moment)
                if isOpen {
                    guard case .open = state else { return nil }
                }
                let sections = hall.sections.compactMap { selected($0, in: menu) }
                if sections.isEmpty, diet != nil || search != nil { return nil }
                return MenuListing.Hall(
                    name: hall.name,
                    isQuick: isQuick,
                    hours: hours,
                    state: state,
                    sections: sections
                )
            }
            return halls.isEmpty ? nil : MenuListing.Meal(name: meal.name, halls: halls)
        }
    }

    /// The hours of a quick-service hall in the day's dining menu.
    private static func hours(of hall: String, at meal: String, in menu: DiningMenu?) -> DiningHours? {
        guard let menu else { return nil }
        let names = meal == "Lunch" ? ["Lunch", "Brunch"] : [meal]
        for name in names {
            let found = menu.meals.first { $0.name == name }?.halls.first { $0.name == hall }
            if let hours = found?.hours { return hours }
        }
        return nil
    }

    private func selected(_ section: DiningSection, in menu: DiningMenu) -> DiningSection? {
        guard diet != nil || search != nil else { return section }
        var section = section
        let isNamed = search.map { holds(section.name, $0) } ?? true
        section.foods = section.foods.filter { food in
            guard diet?.allows(food.type) ?? true else { return false }
            return isNamed || holds(food.name, search) || holds(menu.foods[food.recipe]?.ingredients ?? "", search)
        }
        return section.foods.isEmpty ? nil : section
    }

    /// Whether a text holds the wanted text, whatever the case; true where none is wanted.
    private func holds(_ text: String, _ wanted: String?) -> Bool {
        wanted.map { text.lowercased().contains($0.lowercased()) } ?? true
    }
}
