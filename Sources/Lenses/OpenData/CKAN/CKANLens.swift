package import Traffic

/// The lens of the CKAN action API, through which Toronto's open data is read.
package struct CKANLens: Lens {
    package let name = "ckan"
    package let title = "Toronto Open Data (CKAN)"

    package init() {}

    package var rules: [CheckRule] { CKANRule.all }

    package var grounds: LensGrounds { [.host, .heads, .body] }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .host: return exchange.host == Self.host
        case .heads: return exchange.pathBegins(with: "/api/3/action/") || exchange.pathBegins(with: "/api/action/")
        case .body(.response, let body):
            guard body.isObject, body.holds(Self.help), body.holds(Self.success) else { return false }
            return body.holds(Self.result) || body.holds(Self.error)
        case .body, .remainder: return false
        }
    }

    private static let (help, success) = (BodyMark(member: "help"), BodyMark(member: "success"))
    private static let (result, error) = (BodyMark(member: "result"), BodyMark(member: "error"))

    private static let host = "ckan0.cf.opendata.inter.prod-toronto.ca"

    /// The app, where the host is Toronto's portal or a stand-in on this machine: every portal of CKAN has this API.
    package func client(of exchange: ExchangeOutline) -> String? {
        exchange.host == Self.host || ServerAddress.isLocal(exchange.host) ? "Toronto Open Data" : nil
    }

    package func view(_ capture: Capture) -> LensView {
        let reading = CKANReading(capture)
        return LensView(
            of: self,
            request: reading.request.sentence,
            response: reading.response,
            failure: reading.failure,
            sections: reading.sections
        )
    }

    package func findings(_ capture: Capture) -> [CheckFinding] { CKANCheck(capture).findings }

    package func changes(from before: Capture, to after: Capture) -> [String] {
        Dataset.changes(from: CKANReading(before).datasets, to: CKANReading(after).datasets)
    }
}
