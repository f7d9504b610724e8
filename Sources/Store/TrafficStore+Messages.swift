package import Traffic

extension TrafficStore {
    /// Messages of an exchange's stream, oldest first, also while it is open.
    ///
    /// - Parameters:
    ///   - id: the exchange.
    ///   - number: the last message that is not wanted; 0 begins with the first.
    ///   - limit: messages at most.
    ///   - side: the side whose messages are wanted; `nil` for both.
    ///   - payloadBytes: bytes of each payload that are read; a message so shortened counts as truncated.
    /// - Returns: the messages; fewer than `limit` when these are the last so far.
    /// - Throws: `StoreError` when the store cannot be read.
    package func messages(
        of id: ExchangeID,
        after number: Int64 = 0,
        limit: Int,
        from side: MessageSide? = nil,
        payloadBytes: Int = .max
    ) throws -> [StreamMessage] {
        try read { db in
            try MessageRow.read(of: id, after: number, limit: limit, from: side, payloadBytes: payloadBytes, in: db)
        }
    }
}
