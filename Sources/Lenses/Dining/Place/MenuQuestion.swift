package import Foundation
package import Traffic

/// A question for a part of captured dining menus.
package struct MenuQuestion: Sendable {
    /// The options of the place.
    package static let options: Set<String> = [
        "day", "meal", "hall", "diet", "search", "open-now", "favourite", "at", "from-capture",
    ]

    private let selection: MenuSelection
    /// Whether every captured day is wanted; so it is of a single exchange, unless the options say otherwise.
    private let isAll: Bool
    /// The recipes that are marked.
    private let favourites: Set<String>
    private let source: CaptureSelection

    /// Reads the options of a question.
    ///
    /// - Parameters:
    ///   - options: the options of the place.
    ///   - filter: the exchanges to look at.
    ///   - now: the moment where no other is asked for.
    /// - Throws: `PlaceProblem` for a question that makes no sense.
    package init(_ options: PlaceOptions, _ filter: Filter, now: Date) throws(PlaceProblem) {
        source = try options.source(filter)
        favourites = Set(options.list("favourite"))
        let moment = try MomentQuestion(options, usual: CampusTime.zone.identifier, now: now)
        let selection = try MenuSelection(options, moment: moment.now)
        self.selection = selection
        if let day = options.value("day") {
            isAll = day.lowercased() == MenuSelection.everyDay
        } else if case .one = source {
            isAll = !selection.isOpen
        } else {
            isAll = false
        }
    }

    /// Answers the question from captures.
    ///
    /// - Throws: `PlaceProblem` where the captures hold no menu with a wanted value, and what the walk throws.
    package func answer(_ walk: some CaptureWalk) throws -> MenuBoard {
        let book = try MenuBook(in: walk, source)
        if let unknown = selection.unknownValue(in: book) { throw PlaceProblem.unknown(unknown) }
        var selection = selection
        if isAll { selection.days = Array(Set(book.days.keys).union(book.quick == nil ? [] : [selection.today])) }
        return MenuBoard(book, selection, favourites: favourites)
    }
}

extension MenuSelection {
    /// The word for all days.
    fileprivate static let everyDay = "all"

    /// Reads which part of the menus the options select.
    ///
    /// - Throws: `PlaceProblem.value` for an unknown day or diet.
    fileprivate init(_ options: PlaceOptions, moment: Date) throws(PlaceProblem) {
        self.init(moment: moment)
        isOpen = try options.flag("open-now")
        (meal, hall, search) = (options.value("meal"), options.value("hall"), options.value("search"))
        if let text = options.value("diet") {
            guard let diet = Diet(rawValue: text) else {
                throw .value(option: "diet", given: text, expectation: "expected vegan or vegetarian")
            }
            self.diet = diet
        }
        guard let text = options.value("day"), text.lowercased() != MenuSelection.everyDay else { return }
        guard let day = DayName.day(text, today: today) else {
            throw .value(option: "day", given: text, expectation: "expected \(DayName.expectation)")
        }
        days = [day]
    }
}
