/// The rules for captures of What's Open: the contract of its API in the order it is written, then the known bugs of its clients.
enum WhatsOpenRules {
    static let list = CheckRule(
        "WO-1",
        "a list of the API is a JSON array",
        consequence: "no client reads it: the iPhone app's spinner never ends"
    )
    static let members = CheckRule(
        "WO-2",
        "every facility has slug, name, location, category and main schedule",
        consequence: "the clients show it without that, or not at all"
    )
    static let days = CheckRule(
        "WO-3",
        "weekdays are 0 (Monday) to 6 (Sunday)",
        consequence: "no client finds the day, so those hours are never shown"
    )
    static let times = CheckRule(
        "WO-4",
        "times are HH:MM:SS",
        consequence: "the iPhone app's formatter refuses it and the app would crash (T7)"
    )
    static let windows = CheckRule(
        "WO-5",
        "a special schedule has both dates, the start before the end",
        consequence: "it is never in force, and the iPhone and Android apps would crash on missing dates"
    )
    static let fractions = CheckRule(
        "WO-6",
        "dates that clients compare have no fractions of a second",
        consequence: "the iPhone app reads no date from it and would crash (T10)"
    )
    static let classifier = CheckRule(
        "WO-7",
        "the classifier is a text, not a list of its characters",
        consequence: "a client that expects a text drops it"
    )
    static let places = CheckRule(
        "WO-8",
        "coordinates are [longitude, latitude] in Virginia",
        consequence: "the map shows the place somewhere else"
    )
    static let offsets = CheckRule(
        "WO-9",
        "dates carry their distance from UTC",
        consequence: "each client reads it in a zone of its own, the iPhone app not at all"
    )
    static let expired = CheckRule(
        "WO-10",
        "nothing is served whose time is past",
        consequence: "clients carry what nobody needs",
        severity: .notice
    )
    static let intervals = CheckRule(
        "WO-11",
        "an entry ends after it starts and within a day",
        consequence: "the clients disagree about it"
    )
    static let emptyIntervals = CheckRule(
        "WO-11",
        intervals.title,
        consequence: "it means closed all day, which the entry does not say",
        severity: .notice
    )
    static let values = CheckRule(
        "WO-12",
        "campus, urgency and classifier are of the known values",
        consequence: "filters and colours of the clients pass it over"
    )
    static let slugs = CheckRule(
        "WO-13",
        "no two facilities have the same slug",
        consequence: "a link to it opens whichever comes first"
    )
    static let openNow = CheckRule(
        "WO-14",
        "open_now and closed_now select what is open or closed at the answer's Date",
        consequence: "a client that trusts the server shows it wrong"
    )
    static let frozen = CheckRule(
        "WO-frozen",
        "the clients get a 200 with JSON that they read",
        consequence: "the iPhone app never leaves its spinner and shows no error"
    )
    static let quote = CheckRule(
        "WO-quote",
        "names have no apostrophe",
        consequence: "the iPhone app's look-up by name breaks off at it, so the facility is not found"
    )
    static let labels = CheckRule(
        "WO-labels",
        "labels can be searched",
        consequence: "the iPhone app works out label matches and leaves them out",
        severity: .notice
    )
    static let capitals = CheckRule(
        "WO-filters",
        "names of filters are lower case",
        consequence: "the iPhone app turns such a filter on again at every refresh",
        severity: .notice
    )

    /// The rule of a client's bug; a notice where no data avoids the bug, or where the finding must be read with care.
    static func rule(_ bug: ClientBug) -> CheckRule {
        let isAlways: Set<ClientBug> = [.t3, .t5, .t9, .t12, .sv2]
        return CheckRule(
            "WO-\(bug.rawValue)",
            title(bug),
            consequence: bug.isCrash ? crash(bug) : bug.sentence,
            severity: isAlways.contains(bug) ? .notice : .breach
        )
    }

    /// All rules.
    static let all =
        [
            list, members, days, times, windows, fractions, classifier, places, offsets, expired, intervals, values,
            slugs, openNow,
        ] + ClientBug.allCases.map(rule) + [frozen, quote, labels, capitals]

    private static func crash(_ bug: ClientBug) -> String {
        bug == .a2 ? "the Android app would crash" : "the iPhone app would crash"
    }

    private static func title(_ bug: ClientBug) -> String {
        switch bug {
        case .t1: "the iPhone app shows hours past midnight"
        case .t2: "the iPhone app shows a day's own hours, not yesterday's"
        case .t3: "entries do not run from Sunday into Monday"
        case .t4: "the iPhone app shows every sitting of a day"
        case .t5: "the clients agree at the moments of opening and closing"
        case .t6: "entries do not span days by their times alone"
        case .t7: "times can be read by the iPhone app's formatter"
        case .t8: "the main schedule is not around the clock while a special one is in force"
        case .t9: "“closed until” names a time to come"
        case .t10: "the iPhone app reads the dates of special schedules"
        case .t11: "the iPhone app finds a main schedule"
        case .t12: "midnight is after midnight"
        case .sv1: "the server and the apps agree on an entry that ends before it starts"
        case .sv2: "the server leaves out special schedules that are past"
        case .sv3: "the server compares hours in the campus's zone"
        case .a1: "special schedules begin and end at midnight"
        case .a2: "the Android app reads the dates of special schedules"
        }
    }
}
