package import Traffic

/// The lens of CloudKit web services, in which Bruin Life keeps dining menus.
package struct DiningMenuLens: Lens {
    package let name = "cloudkit"
    package let title = "CloudKit (Bruin Life)"
    package let rules = DiningRules.all

    /// The container in which Bruin Life keeps its menus.
    static let container = "iCloud.BruinLife.MatthewDeCoste"

    package init() {}

    package var grounds: LensGrounds { [.host, .heads, .body] }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .host: return exchange.host == "api.apple-cloudkit.com"
        case .heads:
            // Most paths are shorter, which a count of slashes tells without splitting them.
            guard exchange.slashCount >= 6 else { return false }
            let parts = exchange.parts
            return parts.count >= 7 && parts[0] == "database" && parts[1] == "1" && parts[5] == "records"
        case .body(.response, let body): return Self.marks.allSatisfy(body.holds)
        case .body, .remainder: return false
        }
    }

    private static let marks = ["records", "recordName", "recordType"].map(BodyMark.init(member:))

    package func client(of exchange: ExchangeOutline) -> String? {
        exchange.parts.contains { $0 == Self.container } ? "Bruin Life" : nil
    }

    package func view(_ capture: Capture) -> LensView {
        let call = CloudKitCall(capture)
        let answer = CloudKitAnswer(capture)
        let status = capture.exchange.code
        var sections = [LensSection("Request", .fields(call.fields))]
        if !call.changes.isEmpty { sections.append(LensSection("Changes", .table(call.changeTable))) }
        if capture.exchange.response != nil {
            sections += CloudKitSections(answer, status: status, at: capture.moment).all
        }
        return LensView(
            of: self,
            request: call.sentence,
            response: capture.exchange.response == nil ? nil : answer.sentence(status: status),
            failure: answer.failure(status: status),
            sections: sections
        )
    }

    package func findings(_ capture: Capture) -> [CheckFinding] {
        DiningCheck.findings(call: CloudKitCall(capture), answer: CloudKitAnswer(capture))
    }

    package func changes(from before: Capture, to after: Capture) -> [String] {
        DiningChanges.sentences(from: CloudKitAnswer(before).menus, to: CloudKitAnswer(after).menus)
    }
}
