package import Foundation
package import Traffic

/// A question for meetings of a captured answer.
package struct MeetingQuestion: Sendable {
    /// The options of the place.
    package static let options: Set<String> = [
        "day", "time", "search", "tz", "at", "from-capture", "now", "attended", "slots", "hidden", "kind",
    ]

    private let selection: MeetingSelection
    private let source: CaptureSelection

    /// Reads the options of a question.
    ///
    /// - Parameters:
    ///   - options: the options of the place.
    ///   - filter: the exchanges to look at.
    ///   - now: the moment where no other is asked for.
    ///   - usual: the name of the zone where no other is asked for.
    /// - Throws: `PlaceProblem` for a question that makes no sense.
    package init(_ options: PlaceOptions, _ filter: Filter, now: Date, usual: String) throws(PlaceProblem) {
        let moment = try MomentQuestion(options, usual: usual, now: now)
        selection = try MeetingSelection(options, moment)
        source = try options.source(filter)
    }

    /// Answers the question from captures.
    ///
    /// - Parameters:
    ///   - walk: the captures.
    ///   - attended: gives the app's numbers of the meetings that are attended; called once meetings are found.
    /// - Returns: the meetings that are wanted.
    /// - Throws: `PlaceProblem` where the captures hold no meetings, and what the walk and `attended` throw.
    package func answer(_ walk: some CaptureWalk, attended: () throws -> Set<UInt64>) throws -> MeetingBoard {
        let finding = try MeetingFinding(in: walk, source)
        return MeetingBoard(finding, selection, attended: try attended())
    }
}

extension MeetingSelection {
    /// Reads which meetings the options select.
    ///
    /// - Throws: `PlaceProblem` for a value that cannot be read, or for options that exclude each other.
    fileprivate init(_ options: PlaceOptions, _ moment: MomentQuestion) throws(PlaceProblem) {
        self.init(moment: moment.now, zone: moment.zone)
        day = try MeetingDay.asked(options)
        if let time = options.value("time") {
            guard let clock = MeetingClockText.clock(time) else {
                throw .value(
                    option: "time",
                    given: time,
                    expectation: "expected hours and minutes, such as 1900 or 19:00"
                )
            }
            guard case .weekday? = day else { throw .timeWithoutDay }
            self.clock = clock
        }
        text = options.value("search") ?? ""
        if let kind = options.value("kind") {
            guard let type = MeetingType(rawValue: kind) else {
                let names = MeetingType.allCases.map(\.rawValue).joined(separator: ", ")
                throw .value(option: "kind", given: kind, expectation: "expected one of \(names)")
            }
            self.type = type
        }
        isOnlyAttended = try options.flag("attended")
        isSlots = try options.flag("slots")
        isHidden = try options.flag("hidden")
        if isSlots, day == .inProgress || day == .search { throw .slotsWithoutDay }
    }
}

extension MeetingDay {
    /// The position that the options give the app's day selector; `nil` for everything.
    ///
    /// - Throws: `PlaceProblem` for an unknown day, or for two positions at once.
    fileprivate static func asked(_ options: PlaceOptions) throws(PlaceProblem) -> MeetingDay? {
        let (isNow, day, search) = (try options.flag("now"), options.value("day"), options.value("search"))
        let isSearchDay = day == "8" && search != nil && !isNow
        if [isNow, day != nil, search != nil].count(where: { $0 }) > 1, !isSearchDay {
            throw .conflict(["now", "day", "search"])
        }
        if isNow { return .inProgress }
        if search != nil { return .search }
        guard let day else { return nil }
        guard let known = MeetingDay(day) else {
            throw .value(
                option: "day",
                given: day,
                expectation: "expected sun, mon, tue, wed, thu, fri, sat or a number from 0 to 8"
            )
        }
        guard known != .search else { throw .searchWithoutText }
        return known
    }
}
