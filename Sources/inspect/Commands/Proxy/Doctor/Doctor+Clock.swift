import Foundation
import Store
import Traffic

extension Doctor {
    /// A clock that is wrong by less than this troubles nobody.
    private static let margin: TimeInterval = 60
    /// Servers are not all on time, and a date may have been made a while before it was sent.
    private static let serverMargin: TimeInterval = 300
    /// How many of the newest answers are read, and how many of them have to agree.
    private static let answerCount = 20
    private static let agreeingCount = 3
    /// Answers recorded longer ago say nothing about the present clock.
    private static let recent: TimeInterval = 86_400

    /// Finds a clock that was set back behind what is recorded, or that differs from the servers' clocks.
    ///
    /// The check of the root finds a clock that is before the root's time.
    func clock() -> [DoctorFinding] {
        guard let store = try? TrafficStore(path: places.storePath, access: .reading),
            let newest = try? store.page(ListingQuery(filter: Filter(), limit: Self.answerCount)).exchanges,
            let last = newest.first
        else { return [] }
        let mend = "sudo timedatectl set-ntp true"
        let recorded = Date(timeIntervalSince1970: Double(last.started) / 1_000_000)
        if recorded.timeIntervalSince(now) > Self.margin {
            let problem =
                "this machine's clock says \(now.formatted(.iso8601)), and the newest exchange is of \(recorded.formatted(.iso8601))"
            return [DoctorFinding(problem, mend: mend)]
        }
        let answers = newest.compactMap { ServerTime(store, $0.id) }
            .filter { now.timeIntervalSince($0.here) < Self.recent }
        let isAhead = answers.allSatisfy { $0.lead > Self.serverMargin }
        let isBehind = answers.allSatisfy { $0.lead < -Self.serverMargin }
        guard answers.count >= Self.agreeingCount, isAhead || isBehind, let answer = answers.first else { return [] }
        let problem =
            "this machine's clock said \(answer.here.formatted(.iso8601)) when \(shown(answer.host)) said \(answer.there.formatted(.iso8601))"
        return [DoctorFinding(problem, mend: mend)]
    }

    /// The time of an answer by our clock, and by the server's clock.
    private struct ServerTime {
        let host: String
        let here: Date
        let there: Date

        /// Seconds that our clock is ahead.
        var lead: TimeInterval { here.timeIntervalSince(there) }

        /// - Returns: `nil` where the exchange has no answer with a date, or the server is on this machine and has no clock of its own.
        init?(_ store: TrafficStore, _ id: ExchangeID) {
            guard let exchange = (try? store.record(id))?.exchange, let address = exchange.upstream?.address,
                !address.isEmpty, !["127.", "[::1]", "[::ffff:127."].contains(where: address.hasPrefix),
                let fields = exchange.response?.fields, let duration = exchange.timeline.duration,
                let date = fields.first("Date").flatMap(Date.init(httpDate:))
            else { return nil }
            host = exchange.host
            here = Date(timeIntervalSince1970: Double(exchange.timeline.started + duration) / 1_000_000)
            // Caches keep the date and count from it (RFC 9111 §5.1).
            there = date.addingTimeInterval(fields.first("Age").flatMap(TimeInterval.init) ?? 0)
        }
    }
}
