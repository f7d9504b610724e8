/// A line of the API's answer to a replay of many exchanges: one replay, or at the end the summary.
package struct ReplayLine: Codable, Hashable, Sendable {
    /// One exchange that was to be sent again.
    package struct Replay: Codable, Hashable, Sendable {
        package var original: ExchangeID
        /// The new exchange; `nil` where there is none.
        package var id: ExchangeID?
        /// Why it could not be sent.
        package var error: String?
        /// What lets it be sent after all; `nil` where nothing is known to.
        package var wayOut: ReplayError.WayOut?
        /// Why it was passed over: it is a tunnel, a WebSocket, or itself a replay.
        package var leftOut: String?
        /// Credentials that were held back.
        package var heldBack: [String]?
        /// What was changed so that the request can be read, one sentence each.
        package var notes: [String]?

        package init(_ original: ExchangeID) { self.original = original }
    }

    /// The counts of all replays.
    package struct Summary: Codable, Hashable, Sendable {
        package var sent = 0
        package var failed = 0
        package var leftOut = 0
        /// From the beginning of the first to the end of the last.
        package var seconds = 0.0

        package init() {}
    }

    package var replay: Replay?
    package var summary: Summary?

    package init(replay: Replay) { self.replay = replay }
    package init(summary: Summary) { self.summary = summary }
}
