import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// What of the meetings `inspect meetings` lists, and how they are seen.
struct MeetingOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Take the newest of the answers that this selects: numbers, or a query such as 'host:recovrr.org since:1d'.",
            valueName: "selector"
        )
    )
    var terms: [String] = []

    @Flag(help: "Only meetings in progress, by when they began.")
    var now = false

    @Option(
        help: ArgumentHelp(
            "A day of the app's selector: sun … sat, 1 to 7, 0 for in progress, 8 for search.",
            valueName: "day"
        )
    )
    var day: String?

    @Option(help: ArgumentHelp("With --day: only the time slot nearest to this, 1900 or 19:00.", valueName: "time"))
    var time: String?

    @Option(help: ArgumentHelp("Only meetings with this text in the name, in the app's order.", valueName: "text"))
    var search: String?

    @Option(name: .customLong("tz"), help: ArgumentHelp("Your zone, in place of this machine's.", valueName: "zone"))
    var zoneName: String?

    @Option(
        help: ArgumentHelp("virtual or hybrid or in-person; video with a link, phone with a number.", valueName: "type")
    )
    var type: MeetingType?

    @Option(
        help: ArgumentHelp(
            "Mark this meeting as one that you attend (server/meeting, or the app's number), from now on; may be repeated.",
            valueName: "id"
        )
    )
    var attend: [String] = []

    @Option(help: ArgumentHelp("Take that mark away; may be repeated.", valueName: "id"))
    var unattend: [String] = []

    @Flag(help: "Only meetings that you attend.")
    var attended = false

    @Flag(help: "The time slots of --day (else of today): when, how many, how far into the day.")
    var slots = false

    @Flag(help: "List the meetings that the app hides or alters, with the reasons.")
    var hidden = false

    @Option(help: ArgumentHelp("See it from this moment: 2026-11-20T19:30 (in --tz), or 2h ago.", valueName: "time"))
    var at: String?

    @Option(help: ArgumentHelp("Take this exchange's answer, not the newest.", valueName: "id"))
    var fromCapture: ExchangeID?

    @Option(
        help: ArgumentHelp("Meetings to print, at most; JSON has all.", valueName: "n"),
        transform: Limit.init(option:)
    )
    var limit = Limit.standard

    @Flag(help: "Print one JSON object.")
    var json = false

    mutating func validate() throws {
        if [now, day != nil, search != nil].count(where: { $0 }) > 1, !(day == "8" && search != nil && !now) {
            throw ValidationError("--now, --day and --search exclude each other; give one of them")
        }
        if !terms.isEmpty, fromCapture != nil {
            throw ValidationError("--from-capture names the exchange itself; leave the query out")
        }
        _ = try request(now: Date())
    }

    /// Selects the recorded answers.
    ///
    /// - Throws: `FilterError` for a query that cannot be read, `InputError` for a number of no exchange.
    func filter(now: Date, in store: TrafficStore) throws -> Filter {
        try Selector(terms).filter(in: store, now: now)
    }

    /// What is asked for.
    ///
    /// - Parameter now: what `--at 2h` counts back from, and the moment without `--at`.
    /// - Returns: the request.
    /// - Throws: `ValidationError` naming the option, its value and what was expected.
    func request(now: Date) throws -> MeetingsListing.Request {
        let zone = try MeetingOptions.zone(zoneName)
        var request = MeetingsListing.Request(moment: now, zone: zone)
        if let at {
            guard let micros = Moment.parse(at, now: Moment.microseconds(now), zone: zone) else {
                throw ValidationError("--at \(at): \(Moment.expectation)")
            }
            request.moment = Date(timeIntervalSince1970: Double(micros) / 1_000_000)
        }
        request.day = try selected()
        if let time {
            guard let clock = MeetingClockText.clock(time) else {
                throw ValidationError("--time \(time): expected hours and minutes, such as 1900 or 19:00")
            }
            guard case .weekday? = request.day else {
                throw ValidationError("--time goes with a day, such as --day tue")
            }
            request.clock = clock
        }
        request.text = search ?? ""
        request.type = type
        let (marked, unmarked) = try MeetingOptions.changes(attending: attend, not: unattend)
        if let both = marked.intersection(unmarked).first {
            throw ValidationError("--attend and --unattend both name \(Meeting.label(of: both)); give one of them")
        }
        request.marked = marked
        request.isOnlyAttended = attended
        request.isSlots = slots
        request.isHidden = hidden
        if slots, request.day == .inProgress || request.day == .search {
            throw ValidationError("--slots are those of a day of the week, such as --day tue")
        }
        return request
    }

    /// The meetings that are attended, once the marks that are set and taken away here are kept.
    ///
    /// - Parameter storePath: the store that the marks are beside.
    /// - Returns: the app's numbers of them.
    /// - Throws: `InputError` when the marks cannot be read or written.
    func attended(beside storePath: String) throws -> Set<UInt64> {
        try MeetingOptions.keep(attending: attend, not: unattend, beside: storePath)
    }

    /// Keeps marks of attendance.
    ///
    /// - Parameters:
    ///   - marked: meetings that are attended from now on, each `99/11` or the app's number.
    ///   - unmarked: those that are no longer.
    ///   - storePath: the store that the marks are beside.
    /// - Returns: the app's numbers of all that are attended then.
    /// - Throws: `ValidationError` for what names no meeting, `InputError` when the marks cannot be read or written.
    static func keep(attending marked: [String], not unmarked: [String], beside storePath: String) throws -> Set<UInt64>
    {
        let changes = try changes(attending: marked, not: unmarked)
        guard !marked.isEmpty || !unmarked.isEmpty else { return try KeptMarks.read(for: storePath).attendance }
        return try KeptMarks.change(for: storePath) { marks in
            marks.attendance.formUnion(changes.marked)
            marks.attendance.subtract(changes.unmarked)
        }.attendance
    }

    private static func changes(attending marked: [String], not unmarked: [String]) throws
        -> (marked: Set<UInt64>, unmarked: Set<UInt64>)
    {
        (
            Set(try marked.map { try meeting($0, of: "--attend") }),
            Set(try unmarked.map { try meeting($0, of: "--unattend") })
        )
    }

    private func selected() throws -> MeetingDay? {
        if now { return .inProgress }
        if search != nil { return .search }
        guard let day else { return nil }
        guard let known = MeetingDay(day) else {
            throw ValidationError("--day \(day): expected sun, mon, tue, wed, thu, fri, sat or a number from 0 to 8")
        }
        guard known != .search else { throw ValidationError("--day 8 is search; say for what with --search TEXT") }
        return known
    }

    private static func zone(_ name: String?) throws -> TimeZone {
        guard let name else { return .current }
        guard let zone = TimeZone(identifier: name) else {
            throw ValidationError("--tz \(name): expected a zone's name, such as America/New_York or UTC")
        }
        return zone
    }

    /// `99/11`, or the number that the app keeps.
    private static func meeting(_ text: String, of option: String) throws -> UInt64 {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
        if parts.count == 2, let server = parts[0], let own = parts[1], server < 1 << 20, own < 1 << 44 {
            return Meeting.id(server: server, meeting: own)
        }
        guard parts.count == 1, let id = parts[0] else {
            throw ValidationError("\(option) \(text): expected a server's and a meeting's number, such as 99/11")
        }
        return id
    }
}
