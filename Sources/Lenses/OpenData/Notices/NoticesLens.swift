package import Traffic

/// The lens of Toronto's public notices.
package struct NoticesLens: Lens {
    package let name = "notices"
    package let title = "Toronto notices"

    package init() {}

    package var rules: [CheckRule] { CKANRule.allOfNotices }

    package var grounds: LensGrounds { [.host, .heads, .body] }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .host: return exchange.host == "app.toronto.ca"
        case .heads:
            return exchange.path == NoticesReading.listPath || exchange.pathBegins(with: "/nm/api/individual/notice/")
        case .body(.response, let body): return body.holds(Self.records) && body.holds(Self.notice)
        case .body, .remainder: return false
        }
    }

    private static let (records, notice) = (BodyMark(member: "Records"), BodyMark(member: "noticeId"))

    package func client(of exchange: ExchangeOutline) -> String? { "Toronto Open Data" }

    package func view(_ capture: Capture) -> LensView {
        let reading = NoticesReading(capture)
        return LensView(
            of: self,
            request: reading.sentence,
            response: reading.response,
            failure: reading.failure,
            sections: reading.sections
        )
    }

    package func findings(_ capture: Capture) -> [CheckFinding] { NoticesReading(capture).findings }

    package func changes(from before: Capture, to after: Capture) -> [String] {
        let old = NoticesReading(before).notices
        let new = NoticesReading(after).notices
        let (oldIDs, newIDs) = (Set(old.map(\.id)), Set(new.map(\.id)))
        let came = new.filter { !oldIDs.contains($0.id) }.map { "notice \($0.id) came: \($0.title)" }
        let went = old.filter { !newIDs.contains($0.id) }.map { "notice \($0.id) is gone: \($0.title)" }
        return came + went
    }
}
