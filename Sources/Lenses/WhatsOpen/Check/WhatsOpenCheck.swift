import Foundation
import Traffic

/// A check of one capture of What's Open against its rules.
struct WhatsOpenCheck {
    let capture: Capture
    let request: WhatsOpenRequest
    let now: Date
    let clock: CampusClock
    private(set) var findings: [CheckFinding] = []

    init(_ capture: Capture, zone: TimeZone = WireDate.campus) {
        self.capture = capture
        request = WhatsOpenRequest(capture.exchange)
        now = capture.moment
        clock = CampusClock(zone, around: now)
    }

    /// Finds what breaks the rules, in the order of their subjects: the answer, its data, the hours.
    mutating func run() -> [CheckFinding] {
        guard let code = capture.exchange.code, request.method.uppercased() == "GET" else { return [] }
        guard code == 200 else {
            if code >= 400, request.resource != nil { add(WhatsOpenRules.frozen, "", "the answer is \(code)") }
            return findings
        }
        let answer = WhatsOpenAnswer(capture)
        shape(answer)
        switch answer {
        case .facilities(let facilities, let isList): check(facilities, isList: isList)
        case .alerts(let alerts, _): for alert in alerts { check(alert) }
        case .locations(let places, _): note(places.flatMap(\.warnings))
        case .categories(let kinds, _): note(kinds.flatMap(\.warnings))
        case .schedules(let schedules, _): note(schedules.flatMap(\.warnings))
        default: break
        }
        return findings
    }

    mutating func add(_ rule: CheckRule, _ pointer: String, _ message: String, consequence: String? = nil) {
        findings.append(CheckFinding(rule, at: pointer, message, consequence: consequence))
    }

    /// Checks that an answer of status 200 holds what the request asked for.
    private mutating func shape(_ answer: WhatsOpenAnswer) {
        if let problem = capture.response.problem {
            // A body that we did not keep says nothing of what the client got.
            if capture.exchange.response?.body.isTruncated != true {
                add(WhatsOpenRules.frozen, "", "the body is not whole: \(problem)")
            }
            return
        }
        guard request.isOfUs(answer) else { return }
        switch answer {
        case .page: if request.has("format") { add(WhatsOpenRules.frozen, "", "JSON was asked for, and a page came") }
        case .unreadable(let text), .foreign(let text): add(WhatsOpenRules.frozen, "", "the body \(text)")
        case .refusal(let text): add(WhatsOpenRules.frozen, "", "the body is an error: \(text)")
        case .nothing: add(WhatsOpenRules.frozen, "", "there is no body")
        case .facilities(_, let isList), .alerts(_, let isList), .locations(_, let isList), .categories(_, let isList),
            .schedules(_, let isList):
            if !isList, request.resource != nil, request.key == nil {
                add(WhatsOpenRules.list, "", "the body is an object, not a list")
            }
        case .root: break
        }
    }

    /// The most places whose hours are compared; a campus has some hundred.
    private static let comparedLimit = 500
    /// The most entries that are read for the hours, counted once for each cut of the week: that takes some seconds.
    private static let comparedWork = 20_000_000

    /// The first places of a list, as many as can be compared in some seconds.
    static func compared(_ facilities: [Facility]) -> ArraySlice<Facility> {
        var work = 0
        return facilities.prefix(comparedLimit).prefix { facility in
            let schedules = facility.specials + [facility.main].compactMap { $0 }
            let entries = schedules.reduce(0) { $0 + $1.entries.count }
            let longest = schedules.reduce(0) { max($0, $1.entries.count) }
            // A week is cut at both ends of each entry of each day, and at its minutes at most.
            let cuts = min(32 * (entries + schedules.count), 10_080)
            work += cuts * (longest + schedules.count)
            return work <= comparedWork
        }
    }

    private mutating func check(_ facilities: [Facility], isList: Bool) {
        if isList, let elements = try? capture.response.looseJSON().elements {
            for (place, element) in elements.enumerated() where !element.isObject {
                add(
                    WhatsOpenRules.members,
                    JSONPointer.child(place),
                    "element \(place) is \(element.kind), not a facility"
                )
            }
        }
        var seen: [String: String] = [:]
        for facility in facilities {
            note(facility.warnings)
            guard !facility.slug.isEmpty else { continue }
            if let first = seen[facility.slug] {
                add(
                    WhatsOpenRules.slugs,
                    JSONPointer.child("slug", of: facility.pointer),
                    "slug “\(facility.slug)” is that of \(first) too"
                )
            } else {
                seen[facility.slug] = facility.title
            }
        }
        expired(facilities)
        // The hours of a place that was not read whole are not known.
        let whole = WhatsOpenCheck.compared(facilities).filter { facility in
            !facility.warnings.contains { $0.kind == .unread }
        }
        bugs(whole)
        if isList { selection(whole) }
    }

    private mutating func check(_ alert: CampusAlert) {
        note(alert.warnings)
        if alert.isExpired(at: now), !request.has("all_alerts"), let end = alert.end {
            add(
                WhatsOpenRules.expired,
                JSONPointer.child("end_datetime", of: alert.pointer),
                "alert “\(alert.subject)” ended on \(end.text)"
            )
        }
    }

    private mutating func expired(_ facilities: [Facility]) {
        var stale: [(facility: Facility, special: OpeningSchedule)] = []
        for facility in facilities {
            for special in facility.specials {
                guard let window = special.window, window.upperBound < now, let end = special.validEnd else { continue }
                stale.append((facility, special))
                add(
                    WhatsOpenRules.expired,
                    JSONPointer.child("valid_end", of: special.pointer),
                    "special schedule “\(special.name)” of \(facility.title) ended on \(end.text)"
                )
            }
        }
        guard let first = stale.first else { return }
        let rest = stale.count == 1 ? "" : " and \(stale.count - 1) more"
        add(
            WhatsOpenRules.rule(.sv2),
            first.special.pointer,
            "“\(first.special.name)” of \(first.facility.title)\(rest)"
        )
    }

    /// Adds a finding for each warning that reading the data gave, rule by rule.
    private mutating func note(_ warnings: [DataWarning]) {
        for warning in warnings {
            let rule: CheckRule? =
                switch warning.kind {
                case .missing: WhatsOpenRules.members
                case .day: WhatsOpenRules.days
                case .time: WhatsOpenRules.times
                case .window: WhatsOpenRules.windows
                case .fraction: WhatsOpenRules.fractions
                case .characters: WhatsOpenRules.classifier
                case .place: WhatsOpenRules.places
                case .offset: WhatsOpenRules.offsets
                case .long, .wrap: WhatsOpenRules.intervals
                case .closed: WhatsOpenRules.emptyIntervals
                case .unknown: WhatsOpenRules.values
                case .empty, .expired, .duplicate, .unread: nil
                }
            if let rule { add(rule, warning.pointer, warning.text) }
        }
    }
}
