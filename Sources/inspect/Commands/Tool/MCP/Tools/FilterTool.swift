import Archive
import Traffic

/// `filter`: the counted categories, then the matching rows.
struct FilterTool: MCPTool {
    let name = "filter"
    let summary =
        "Counts the recorded HTTP exchanges that a query selects by code, method, scheme, host, type and more, and lists the newest of them. Start here."
    let parameters = [MCPParameter.query, .limit, .after]

    func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
        let store = try context.store.openForReading()
        let query = ListingQuery(
            filter: try context.filter(arguments.text("query"), in: store),
            limit: Int(arguments.whole("limit") ?? 20),
            after: arguments.whole("after"),
            countsFacets: true
        )
        var listing = try JSONValue { ListingJSON.write(try context.view(store).list(query), to: &$0) }
        // What counts nothing says nothing here, and there may be many.
        if case .object(let facets)? = listing["facets"] {
            listing.set("facets", .object(facets.map { ($0.name, FilterTool.counted($0.value)) }))
        }
        return listing.withNumberedNext
    }

    private static func counted(_ values: JSONValue) -> JSONValue {
        .array((values.elements ?? []).filter { $0["count"]?.integer ?? 0 > 0 })
    }
}

extension JSONValue {
    /// A listing whose `next` is the number that `after` takes.
    var withNumberedNext: JSONValue {
        var listing = self
        if let next = self["next"]?.string.flatMap(Double.init) { listing.set("next", .number(next)) }
        return listing
    }
}
