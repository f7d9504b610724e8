/// What the API says of each replay of many, one JSON object a line, and at the end of them all.
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
        /// Why nobody would send it: a tunnel, a WebSocket, itself a replay.
        package var leftOut: String?
        /// Credentials that were held back.
        package var heldBack: [String]?
        /// What was mended.
        package var notes: [String]?

        package init(_ original: ExchangeID) { self.original = original }
    }

    /// The count of them.
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
