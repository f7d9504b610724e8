package import Foundation
package import Traffic

/// A question which facilities are open at a moment, and what clients say of them.
package struct FacilityQuestion: Sendable {
    /// The options of the place.
    package static let options: Set<String> = [
        "at", "tz", "campus", "category", "location", "search", "sort", "compare", "from-capture",
        "open-now", "closed", "open-today", "open-first", "week",
    ]

    private let selection: FacilitySelection
    /// The clients to compare, in the order given.
    private let clients: [HoursClient]
    /// Whether the whole week is compared.
    private let isWeekly: Bool
    private let moment: MomentQuestion
    private let source: CaptureSelection

    /// Reads the options of a question.
    ///
    /// - Parameters:
    ///   - options: the options of the place.
    ///   - filter: the exchanges to look at.
    ///   - now: the moment where no other is asked for.
    /// - Throws: `PlaceProblem` for a question that makes no sense.
    package init(_ options: PlaceOptions, _ filter: Filter, now: Date) throws(PlaceProblem) {
        selection = try FacilitySelection(options)
        clients = try HoursClient.asked(options)
        isWeekly = try options.flag("week")
        if isWeekly, options.value("compare") == nil {
            throw .needs(option: "week", other: "compare", example: "ios,web")
        }
        moment = try MomentQuestion(options, usual: CampusClock.usualZone, now: now)
        source = try options.source(filter)
    }

    /// Answers the question from captures.
    ///
    /// - Throws: `PlaceProblem` where the captures hold no facilities, or none with a wanted value, and what the walk throws.
    package func answer(_ walk: some CaptureWalk) throws -> FacilityBoard {
        let finding = try CampusFinding<Facility>(in: walk, source)
        if let unknown = selection.unknownValue(in: finding.elements) { throw PlaceProblem.unknown(unknown) }
        let clock = CampusClock(moment.zone, around: moment.now)
        let rows = finding.elements.map {
            FacilityRow($0, at: moment.now, clock: clock, clients: clients, isWeekly: isWeekly)
        }
        return FacilityBoard(selection.select(rows), of: finding, at: moment.now, clock: clock)
    }
}

extension HoursClient {
    /// The clients that the option `compare` names; empty without that option.
    ///
    /// - Throws: `PlaceProblem.value` for a word that is no client.
    fileprivate static func asked(_ options: PlaceOptions) throws(PlaceProblem) -> [HoursClient] {
        guard let text = options.value("compare") else { return [] }
        if text == "all" { return allCases }
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        let clients = names.compactMap { HoursClient(rawValue: $0.lowercased()) }
        guard clients.count == names.count else {
            throw .value(
                option: "compare",
                given: text,
                expectation: "expected a list of ios, android, web and server, or all"
            )
        }
        return clients
    }
}

extension FacilitySelection {
    /// Reads which facilities the options select, and in which order.
    ///
    /// - Throws: `PlaceProblem` for an unknown order, or where both open and closed are asked for.
    fileprivate init(_ options: PlaceOptions) throws(PlaceProblem) {
        self.init()
        let (isOpen, isClosed) = (try options.flag("open-now"), try options.flag("closed"))
        if isOpen, isClosed { throw .conflict(["open-now", "closed"]) }
        self.isOpen = isOpen ? true : isClosed ? false : nil
        isOpenToday = try options.flag("open-today")
        campuses = options.list("campus")
        categories = options.list("category")
        locations = options.list("location")
        search = options.value("search") ?? ""
        putsOpenFirst = try options.flag("open-first")
        guard let text = options.value("sort") else { return }
        guard let order = Order(rawValue: text) else {
            throw .value(option: "sort", given: text, expectation: "expected name, -name or location")
        }
        self.order = order
    }
}
