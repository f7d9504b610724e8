package import Traffic

/// The lens of What's Open, which serves the opening hours of a campus's facilities.
package struct WhatsOpenLens: Lens {
    package let name = "whatsopen"
    package let title = "What's Open"

    package init() {}

    package var rules: [CheckRule] { WhatsOpenRules.all }

    package var grounds: LensGrounds { [.host, .heads, .body] }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .host: return exchange.host == "api.srct.gmu.edu"
        case .heads:
            guard WhatsOpenResource.place(exchange.parts) != nil else { return false }
            // Any API may have an `/api/alerts`: its answer tells whose it is.
            return exchange.parts.first == "whatsopen" || exchange.userAgent?.hasPrefix("WhatsOpen/") == true
        case .body(.response, let body):
            guard body.isArray || WhatsOpenResource.place(exchange.parts) != nil else { return false }
            return Self.marks.contains { $0.allSatisfy(body.holds) }
        case .body, .remainder: return false
        }
    }

    /// Names that stand together in the API's objects and in no others that are known: facilities, alerts, locations, schedules.
    private static let marks = [
        ["facility_name", "main_schedule"], ["urgency_tag", "start_datetime"], ["campus_region", "on_campus"],
        ["open_times", "twenty_four_hours"],
    ].map { $0.map(BodyMark.init(member:)) }

    package func client(of exchange: ExchangeOutline) -> String? {
        let agent = exchange.userAgent ?? ""
        return if agent.hasPrefix("WhatsOpen/") {
            "What's Open iOS"
        } else if agent.hasPrefix("okhttp/") {
            "What's Open Android"
        } else if agent.hasPrefix("Mozilla/") {
            "What's Open Web"
        } else {
            "What's Open"
        }
    }

    package func view(_ capture: Capture) -> LensView {
        let now = capture.moment
        let clock = CampusClock(WireDate.campus, around: now)
        let answer = WhatsOpenAnswer(capture)
        let reply = WhatsOpenReply(capture, answer, clock: clock)
        return LensView(
            of: self,
            request: WhatsOpenRequest(capture.exchange).words,
            response: reply.words,
            failure: reply.failure,
            sections: WhatsOpenSections(at: now, clock: clock).sections(answer)
        )
    }

    package func findings(_ capture: Capture) -> [CheckFinding] {
        var check = WhatsOpenCheck(capture)
        return check.run()
    }

    package func unchecked(_ capture: Capture) -> [String] {
        guard case .facilities(let facilities, _) = WhatsOpenAnswer(capture) else { return [] }
        let count = WhatsOpenCheck.compared(facilities).count
        return count == facilities.count ? [] : ["the hours of all but the first \(count) places are not checked"]
    }

    package func changes(from before: Capture, to after: Capture) -> [String] {
        WhatsOpenChanges.sentences(WhatsOpenAnswer(before), WhatsOpenAnswer(after))
    }
}
