import Foundation

/// A count of anonymous requests by client over a sliding day.
actor Throttle {
    /// Clients remembered at once; beyond, everyone starts anew rather than memory growing.
    static let clientLimit = 1_024
    private static let windowSeconds = 86_400.0

    private let limit: Int
    private var visits: [String: [Date]] = [:]

    init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Counts a request; when it is one too many, how many seconds until the next may come.
    func secondsToWait(client: String, now: Date) -> Int? {
        let recent = (visits[client] ?? []).filter { $0 > now.addingTimeInterval(-Self.windowSeconds) }
        guard recent.count < limit else {
            visits[client] = recent
            let oldest = recent.first ?? now
            return max(1, Int((Self.windowSeconds - now.timeIntervalSince(oldest)).rounded(.up)))
        }
        if visits.count >= Self.clientLimit, visits[client] == nil { visits.removeAll() }
        visits[client] = recent + [now]
        return nil
    }
}
