import Traffic

/// The CKAN action API that Toronto's open data is read through.
package struct CKANLens: Lens {
    package let name = "ckan"
    package let title = "Toronto Open Data (CKAN)"

    package init() {}

    package var rules: [CheckRule] { CKANRule.all }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        switch evidence {
        case .host: return exchange.host == "ckan0.cf.opendata.inter.prod-toronto.ca"
        case .heads: return exchange.path.hasPrefix("/api/3/action/") || exchange.path.hasPrefix("/api/action/")
        case .body(let side, let text):
            guard side == .response, text.first(where: { !$0.isWhitespace }) == "{" else { return false }
            return text.contains("\"help\"") && text.contains("\"success\"")
                && (text.contains("\"result\"") || text.contains("\"error\""))
        case .remainder: return false
        }
    }

    package func client(of exchange: ExchangeOutline) -> String? { "Toronto Open Data" }

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
