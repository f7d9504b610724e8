import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// Which meetings `inspect meetings` lists, and for which zone and moment.
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

    @Option(help: ArgumentHelp("Take the mark of this meeting away; may be repeated.", valueName: "id"))
    var remove: [String] = []

    @Flag(help: "Only meetings that you attend.")
    var attended = false

    @Flag(help: "The time slots of --day (else of today): when, how many, how far into the day.")
    var slots = false

    @Flag(help: "List the meetings that the app hides or alters, with the reasons.")
    var hidden = false

    @Option(
        help: ArgumentHelp("List them as of this moment: 2026-11-20T19:30 (in --tz), or 2h ago.", valueName: "time")
    )
    var at: String?

    @Option(help: ArgumentHelp("Take this exchange's answer, not the newest.", valueName: "id"))
    var fromCapture: ExchangeID?

    mutating func validate() throws {
        if !terms.isEmpty, fromCapture != nil {
            throw ValidationError("--from-capture names the exchange itself; leave the query out")
        }
        _ = try question(Filter(), now: Date())
        if let both = try marked().intersection(unmarked()).first {
            throw ValidationError("--attend and --remove both name \(Meeting.label(of: both)); give one of them")
        }
    }

    /// Selects the recorded answers.
    ///
    /// - Throws: `FilterError` for a query that cannot be read, `InputError` for a number of no exchange.
    func filter(now: Date, in store: TrafficStore) throws -> Filter {
        try Selector(terms).filter(in: store, now: now)
    }

    /// What is asked for.
    ///
    /// - Parameters:
    ///   - filter: which exchanges are looked at.
    ///   - now: what `--at 2h` counts back from, and the moment without `--at`.
    /// - Returns: the question.
    /// - Throws: `ValidationError` naming the option, its value and what was expected.
    func question(_ filter: Filter, now: Date) throws -> MeetingQuestion {
        try PlaceProblem.told(renamed: ["kind": "type"]) {
            try MeetingQuestion(asked, filter, now: now, usual: TimeZone.current.identifier)
        }
    }

    /// The app's numbers of the meetings that are attended from now on.
    ///
    /// - Throws: `ValidationError` for what names no meeting.
    func marked() throws -> Set<UInt64> { try PlaceProblem.told { try Meeting.ids(named: attend, of: "attend") } }

    /// The app's numbers of the meetings that are attended no longer.
    ///
    /// - Throws: `ValidationError` for what names no meeting.
    func unmarked() throws -> Set<UInt64> {
        try PlaceProblem.told { try Meeting.ids(named: remove, of: "remove") }
    }

    private var asked: PlaceOptions {
        var asked = PlaceOptions()
        asked.add("now", now)
        asked.add("day", day)
        asked.add("time", time)
        asked.add("search", search)
        asked.add("tz", zoneName)
        asked.add("kind", type?.rawValue)
        asked.add("attended", attended)
        asked.add("slots", slots)
        asked.add("hidden", hidden)
        asked.add("at", at)
        asked.add("from-capture", fromCapture.map { "\($0)" })
        return asked
    }
}

extension MeetingType: ExpressibleByArgument {}
