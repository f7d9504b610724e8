import ArgumentParser
import Foundation
import Store
import Traffic

/// `inspect stats`: counts, success, bytes and times by endpoint.
struct StatisticsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count and time the matching exchanges by endpoint.",
        discussion: """
            Endpoints are learnt from the traffic: a part of a path that looks like an identifier, or takes many values, is left open. A time runs \
            from the request's first byte to the response's last; WebSockets and tunnels have none. A percentile is a time that was measured (the \
            nearest rank).

            Examples:
              inspect stats 'host:api.example.com since:10m'
              inspect stats --json | jq '.endpoints[] | select(.p99Ms > 500)'
            """
    )

    @Flag(help: "Print one JSON object.")
    var json = false

    @Option(
        help: Limit.help("Endpoints to print, at most; JSON has all."),
        transform: Limit.init(option:)
    )
    var limit = Limit.standard

    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func run() async throws {
        var statistics = TrafficStatistics()
        try source.read { store in
            try ExchangeReader(store).each(filter.filter(now: Date(), in: store)) { statistics.add($0) }
        }
        let console = Console()
        let view = StatisticsView(statistics, style: console.style, endpointLimit: limit.count)
        if json { try console.write(view.json) } else { for line in view.lines { try console.line(line) } }
        try console.flush()
    }
}
