import ArgumentParser
import Foundation
import Traffic

/// `inspect stats`: counts exchanges, success, bytes and times by endpoint.
struct StatisticsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count and time the matching exchanges by endpoint.",
        discussion: """
            Endpoints are learnt from the traffic: a part of a path that looks like an identifier, or takes many values, is left open. A time runs \
            from the request's first byte to the response's last; WebSockets and tunnels have none. A percentile is a time that was measured (the \
            nearest rank). --limit is for the endpoints that are printed; JSON has all.

            Examples:
              inspect stats 'host:api.example.com since:10m'
              inspect stats --json | jq '.endpoints[] | select(.p99Ms > 500)'
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func run() async throws {
        var statistics = TrafficStatistics()
        statistics.searchedInPart = try source.read { store in
            try ExchangeReader(store).each(filter.filter(now: Date(), in: store)) { statistics.add($0) }
        }
        try Console().write(StatisticsReport(statistics: statistics, endpointLimit: list.limit.count), output)
    }
}
