/// Figures over exchanges: together, by endpoint, the slowest and the largest, and over time.
package struct TrafficStatistics: Sendable {
    /// One method and path of a host.
    package struct Endpoint: Sendable {
        /// `GET https://api.example.test/v2/items/{id}`.
        package var name: String
        package var figures: TrafficFigures
    }

    /// One stretch of time.
    package struct Moment: Hashable, Sendable {
        /// The beginning: microseconds since 1970.
        package var start: Int64
        package var count: Int
        /// Exchanges that failed, answered in part or not at all.
        package var failed = 0
        /// Exchanges that were answered whole, with a code of 400 or more.
        package var errorStatus = 0
    }

    /// How many of the slowest and of the largest exchanges are kept.
    package static let listed = 5
    /// Stretches of time at most.
    private static let momentLimit = 60
    /// Hosts and methods that have endpoints of their own; later ones share one.
    private static let originLimit = 500

    package private(set) var all = TrafficFigures()
    /// Exchanges that were not counted and were searched in part only (`Listing.searchedInPart`).
    package var searchedInPart = 0
    /// The slowest exchanges, the slowest first.
    package private(set) var slowest: [ExchangeSummary] = []
    /// The exchanges with the largest responses, the largest first.
    package private(set) var largest: [ExchangeSummary] = []
    private var origins: [String: EndpointTree] = [:]
    private var moments: [Int64: Moment] = [:]
    /// Microseconds of a stretch of time; doubled whenever there would be too many stretches.
    package private(set) var momentMicroseconds: Int64 = 1_000_000

    package init() {}

    /// Counts one exchange.
    package mutating func add(_ row: ExchangeSummary) {
        all.add(row)
        let origin = TrafficStatistics.origin(row)
        let key = origins[origin] != nil || origins.count < TrafficStatistics.originLimit ? origin : "other hosts"
        origins[key, default: EndpointTree()].add(row, row.scheme == nil ? [] : EndpointTree.segments(row.target)[...])
        if TrafficFigures.isTimed(row) { TrafficStatistics.insert(row, into: &slowest) { $0.duration ?? -1 } }
        TrafficStatistics.insert(row, into: &largest) { $0.responseBytes }
        count(row)
    }

    /// The endpoints, the one with the most requests first.
    package var endpoints: [Endpoint] {
        var found: [Endpoint] = []
        for (origin, tree) in origins {
            tree.each("") { path, figures in
                found.append(Endpoint(name: origin.contains("://") ? origin + path : origin, figures: figures))
            }
        }
        return found.sorted { ($1.figures.count, $0.name) < ($0.figures.count, $1.name) }
    }

    /// The stretches of time in which something began, the oldest first.
    package var timeline: [Moment] { moments.values.sorted { $0.start < $1.start } }

    private static func origin(_ row: ExchangeSummary) -> String {
        let method = row.method.isEmpty ? "-" : row.method
        guard let scheme = row.scheme else {
            return row.host.isEmpty ? "\(method) (unreadable)" : "\(method) \(row.host)"
        }
        let authority = Traffic.Endpoint(host: row.host, port: row.port).authority(of: scheme)
        return "\(method) \(scheme.rawValue)://\(authority)"
    }

    private static func insert(
        _ row: ExchangeSummary,
        into rows: inout [ExchangeSummary],
        by measure: (ExchangeSummary) -> Int64
    ) {
        guard measure(row) > 0 else { return }
        if rows.count == listed, let last = rows.last, measure(last) >= measure(row) { return }
        let place = rows.firstIndex { measure($0) < measure(row) } ?? rows.count
        rows.insert(row, at: place)
        if rows.count > listed { rows.removeLast() }
    }

    private mutating func count(_ row: ExchangeSummary) {
        let kind = row.failureKind
        add(
            Moment(
                start: row.started,
                count: 1,
                failed: kind?.isFailed == true ? 1 : 0,
                errorStatus: kind == .errorStatus ? 1 : 0
            )
        )
        while moments.count > TrafficStatistics.momentLimit {
            momentMicroseconds *= 2
            let before = moments.values
            moments = [:]
            for moment in before { add(moment) }
        }
    }

    private mutating func add(_ moment: Moment) {
        let start = moment.start - (moment.start % momentMicroseconds)
        moments[start, default: Moment(start: start, count: 0)].count += moment.count
        moments[start]?.failed += moment.failed
        moments[start]?.errorStatus += moment.errorStatus
    }
}
