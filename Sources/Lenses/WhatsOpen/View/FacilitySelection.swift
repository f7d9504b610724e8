import Foundation

/// A selection of facilities and their order: the apps' filters and search without their mistakes.
package struct FacilitySelection: Sendable {
    /// An order of facilities.
    package enum Order: String, Sendable, CaseIterable {
        case name
        case nameBackwards = "-name"
        case location
    }

    /// `true` for open facilities, `false` for closed ones, `nil` for both.
    package var isOpen: Bool?
    /// Whether only facilities that are open at some time of the day are wanted.
    package var isOpenToday = false
    /// Texts of which one must be in the campus (the category, the location); empty wants all.
    package var campuses: [String] = []
    package var categories: [String] = []
    package var locations: [String] = []
    /// Words that must all be in the name, building, abbreviation, category, tags or labels; empty wants all.
    package var search = ""
    package var order = Order.name
    /// Whether open facilities come before closed ones.
    package var putsOpenFirst = false

    package init() {}

    /// The rows that are wanted, in order.
    package func select(_ rows: [FacilityRow]) -> [FacilityRow] {
        let words = search.split(whereSeparator: \.isWhitespace).map { Self.fold(String($0)) }
        let keyed = rows.filter { accepts($0, words) }.map { row in
            (row: row, name: Self.fold(row.facility.title), place: Self.fold(row.facility.location?.title ?? ""))
        }
        let sorted = keyed.enumerated().sorted { left, right in
            let (a, b) = (left.element, right.element)
            if putsOpenFirst, a.row.status.isOpen != b.row.status.isOpen { return a.row.status.isOpen }
            if order == .location, a.place != b.place { return a.place < b.place }
            if a.name != b.name { return order == .nameBackwards ? a.name > b.name : a.name < b.name }
            return left.offset < right.offset
        }
        return sorted.map(\.element.row)
    }

    /// A wanted campus, category or location that no facility has.
    package func unknownValue(in facilities: [Facility]) -> UnknownValue? {
        let isMet = { (known: String, wanted: String) in Self.holds([known], anyOf: [wanted]) }
        let places = facilities.compactMap(\.location)
        return UnknownValue("campus", campuses, among: places.map(\.region), isMet)
            ?? UnknownValue("category", categories, among: facilities.compactMap(\.category?.name), isMet)
            ?? UnknownValue("location", locations, among: places.map(\.title)) { title, wanted in
                let named = places.filter { $0.title == title }
                return Self.holds(named.flatMap { [$0.building, $0.friendlyBuilding, $0.address] }, anyOf: [wanted])
            }
    }

    private func accepts(_ row: FacilityRow, _ words: [String]) -> Bool {
        let facility = row.facility
        if let isOpen, row.status.isOpen != isOpen { return false }
        if isOpenToday, !row.status.isOpenToday { return false }
        let place = [facility.location?.building ?? "", facility.location?.friendlyBuilding ?? ""]
        guard Self.holds([facility.location?.region ?? ""], anyOf: campuses),
            Self.holds([facility.category?.name ?? ""], anyOf: categories),
            Self.holds(place + [facility.location?.address ?? ""], anyOf: locations)
        else { return false }
        guard !words.isEmpty else { return true }
        let texts = ([facility.name, facility.category?.name ?? ""] + place + facility.tags + facility.labels).map(
            Self.fold
        )
        return words.allSatisfy { word in texts.contains { $0.contains(word) } }
    }

    private static func holds(_ texts: [String], anyOf wanted: [String]) -> Bool {
        wanted.isEmpty || wanted.contains { want in texts.contains { fold($0).contains(fold(want)) } }
    }

    /// A text without case and accents, and with one kind of apostrophe, since people type `cafe` and `Dunkin'`.
    private static func fold(_ text: String) -> String {
        text.replacingOccurrences(of: "’", with: "'")
            .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}
