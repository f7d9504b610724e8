import Archive
import Foundation
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
        let view = context.view(store)
        let listing = try view.list(query)
        let findings = try view.findings(of: filter, in: listing.exchanges)
        return try JSONValue { SearchJSON.write(listing, findings, to: &$0) }.withNumberedNext
    }
}
