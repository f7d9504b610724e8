/// The changes between the menus of two answers.
enum DiningChanges {
    /// A sentence for each difference, by day, meal and hall.
    static func sentences(from before: [CloudKitRecord], to after: [CloudKitRecord]) -> [String] {
        let (old, new) = (menus(before), menus(after))
        var sentences: [String] = []
        for (name, menu) in new.sorted(by: { $0.key < $1.key }) {
            guard let earlier = old[name] else {
                sentences.append("\(name): the day is new.")
                continue
            }
            sentences += differences(name, earlier, menu)
        }
        sentences += old.keys.filter { new[$0] == nil }.sorted().map { "\($0): the day is gone." }
        return sentences
    }

    private static func menus(_ records: [CloudKitRecord]) -> [String: DiningMenu] {
        var menus: [String: DiningMenu] = [:]
        for record in records {
            guard let menu = try? DiningMenu(of: record) else { continue }
            menus[record.day?.text ?? record.name ?? "?"] = menu
        }
        return menus
    }

    private static func differences(_ day: String, _ before: DiningMenu, _ after: DiningMenu) -> [String] {
        let (old, new) = (halls(of: before), halls(of: after))
        var sentences: [String] = []
        for (place, hall) in new {
            let name = "\(day), \(place)"
            guard let earlier = old.last(where: { $0.place == place })?.hall else {
                sentences.append("\(name): new.")
                continue
            }
            if earlier.hours != hall.hours {
                let (from, to) = (earlier.hours?.text ?? "no hours", hall.hours?.text ?? "no hours")
                sentences.append("\(name): open \(to), was \(from).")
            }
            let (was, now) = (foods(of: earlier), foods(of: hall))
            let added = now.subtracting(was).sorted()
            let removed = was.subtracting(now).sorted()
            if !added.isEmpty { sentences.append("\(name): now serves \(added.joined(separator: ", ")).") }
            if !removed.isEmpty { sentences.append("\(name): no longer serves \(removed.joined(separator: ", ")).") }
        }
        let kept = Set(new.map(\.place))
        return sentences + old.filter { !kept.contains($0.place) }.map { "\(day), \($0.place): gone." }
    }

    private static func halls(of menu: DiningMenu) -> [(place: String, hall: DiningHall)] {
        menu.meals.flatMap { meal in meal.halls.map { ("\(meal.name) at \($0.name)", $0) } }
    }

    private static func foods(of hall: DiningHall) -> Set<String> {
        Set(hall.sections.flatMap { $0.foods.map(\.name) })
    }
}
