import Foundation
import Store
import Traffic

/// `search`: the matching rows, each with where the text stands in it.
struct SearchTool: MCPTool {
    let name = "search"
    let summary =
        "Lists the recorded exchanges that hold a text, newest first, with where it stands in each: in the URL, a header field, a decoded body or a message."
    let parameters = [
        MCPParameter(
            "query",
            .text,
            "What to look for: words or a \"phrase\", ignoring case; keys narrow it (resbody:\"not found\" code:200).",
            isRequired: true
        ), .limit, .after,
    ]

    func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
        let text = arguments.text("query") ?? ""
        guard !text.trimmingCharacters(in: .whitespaces).isEmpty else {
            throw InputError("'query' is empty: name a text to look for, or use filter for everything")
        }
        let store = try context.store.openForReading()
        let filter = try context.filter(text, in: store)
        let limit = Int(arguments.whole("limit") ?? 20)
        let query = ListingQuery(filter: filter, limit: limit, after: arguments.whole("after"), countsFacets: false)
        let listing = try store.list(query)
        var findings = try store.findings(of: filter, in: listing.exchanges)
        if let redactor = context.redactor {
            for row in listing.exchanges {
                findings[row.id] = try findings[row.id].map { try SearchTool.safe($0, in: row.id, store, redactor) }
            }
        }
        return try JSONReader.value(SearchJSON.bytes(listing, findings)).withNumberedNext
    }

    /// What was found, without what surrounds it where that may be part of a secret: it is shown only where it stands in what is left of the
    /// exchange without its secrets.
    private static func safe(
        _ findings: [Finding],
        in id: ExchangeID,
        _ store: TrafficStore,
        _ redactor: Redactor
    ) throws -> [Finding] {
        guard let record = try store.record(id) else { return [] }
        let redacted = try redactor.redact(record, source: store.body)
        let capture = try Capture(redacted) { try redactor.body($0, $1, $2, $3, source: store.body) }
        let exchange = redacted.exchange
        var texts = [exchange.target, redacted.summary.url, capture.request.text, capture.response.text]
        for message in [exchange.request, exchange.response].compactMap({ $0 }) {
            for head in [message.head, message.sentHead, message.trailers].compactMap({ $0 }) {
                texts.append(String(decoding: head.readableBytesView, as: UTF8.self))
            }
        }
        let haystack = texts.map(flat)
        return findings.map { finding in
            let line = flat(finding.before + finding.match + finding.after)
            if haystack.contains(where: { $0.contains(line) }) { return finding }
            var masked = finding
            (masked.before, masked.match, masked.after) = ("", "(masked, or beside a secret)", "")
            return masked
        }
    }

    /// A text as findings have it: control characters and line ends are blanks, one for several, and those at the ends do not count.
    private static func flat(_ text: String) -> String {
        let blank = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) }
        return String(blank).split(separator: " ").joined(separator: " ").replacing("…", with: "")
    }
}
