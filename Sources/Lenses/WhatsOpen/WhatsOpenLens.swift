import Foundation
import Traffic

/// What's Open: the opening hours of a campus's facilities.
package struct WhatsOpenLens: Lens {
    package let name = "whatsopen"
    package let title = "What's Open"

    package init() {}

    package var rules: [CheckRule] { WhatsOpenRules.all }

    package var grounds: LensGrounds { [.host, .heads, .body] }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .host: return exchange.host == "api.srct.gmu.edu"
        case .heads: return WhatsOpenResource.place(exchange.parts) != nil
        case .body(.response, let body):
            guard body.isArray else { return false }
            return body.holds(Self.name) && body.holds(Self.schedule) || Self.parts.contains(where: body.holds)
        case .body, .remainder: return false
        }
    }

    private static let (name, schedule) = (BodyMark(member: "facility_name"), BodyMark(member: "main_schedule"))
    private static let parts = ["urgency_tag", "campus_region", "open_times"].map(BodyMark.init(member:))

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

    package func changes(from before: Capture, to after: Capture) -> [String] {
        WhatsOpenChanges.sentences(WhatsOpenAnswer(before), WhatsOpenAnswer(after))
    }
}
