import Archive
import Traffic

/// `stats`: counts, success, bytes and times by endpoint.
struct StatisticsTool: MCPTool {
    private static let endpointCount = 50

    let name = "stats"
    let summary =
        "Counts and times the recorded exchanges that a query selects by endpoint: success rate, bytes, p50, p90 and p99; the slowest and the largest."
    let parameters = [MCPParameter.query]

    func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
        let store = try context.store.openForReading()
        var statistics = TrafficStatistics()
        statistics.searchedInPart = try context.view(store).each(
            context.filter(arguments.text("query"), in: store)
        ) { statistics.add($0) }
        var value = try JSONValue { statistics.write(to: &$0) }
        if let endpoints = value["endpoints"]?.elements, endpoints.count > StatisticsTool.endpointCount {
            value.set("endpoints", .array(Array(endpoints.prefix(StatisticsTool.endpointCount))))
            value.set("endpointsLeftOut", .number(Double(endpoints.count - StatisticsTool.endpointCount)))
        }
        return value
    }
}
