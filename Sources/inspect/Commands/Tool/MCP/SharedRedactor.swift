import Store
import Synchronization
import Traffic

/// The redactor that all calls of a session share, so that a secret has one placeholder; it masks one exchange at a time.
final class SharedRedactor: Sendable {
    private let redactor: Mutex<Redactor>

    init(_ redactor: sending Redactor) { self.redactor = Mutex(redactor) }

    /// Learns the secrets of an exchange, so that they are masked wherever else they stand.
    ///
    /// - Parameters:
    ///   - record: the exchange.
    ///   - store: where its bodies are; `nil` leaves them unread.
    ///   - messages: the messages of its stream, page by page.
    /// - Throws: `StoreError`, and what `messages` throws.
    func learn(
        _ record: ExchangeRecord,
        bodiesIn store: TrafficStore?,
        messages: @Sendable (ExchangeID, Int64) throws -> [StreamMessage] = { _, _ in [] }
    ) throws {
        try redactor.withLock { redactor in
            try redactor.learn(record, source: SharedRedactor.source(store)) { try messages($0, $1) }
        }
    }

    /// Masks the secrets of an exchange, and gives it with the bodies that this changed.
    ///
    /// - Parameters:
    ///   - record: the exchange.
    ///   - store: where its bodies are; `nil` leaves them unread.
    /// - Returns: what is shown in its place.
    /// - Throws: `StoreError`.
    func masked(
        _ record: ExchangeRecord,
        bodiesIn store: TrafficStore?
    ) throws -> (record: ExchangeRecord, bodies: [MessageSide: [UInt8]]) {
        try redactor.withLock { redactor in
            let masked = try redactor.redact(record, source: SharedRedactor.source(store))
            var bodies: [MessageSide: [UInt8]] = [:]
            for side in MessageSide.allCases {
                // The redactor asks the closure for a body that it did not change; that stays in the store.
                let changed = try redactor.body(record.exchange.id, side, 0, .max) { _, _, _, _ in [] }
                if !changed.isEmpty { bodies[side] = changed }
            }
            return (record: masked, bodies: bodies)
        }
    }

    /// Masks the secrets of a message of a stream.
    func masked(_ message: StreamMessage) -> StreamMessage { redactor.withLock { $0.message(message) } }

    /// Masks the secrets of a text that is no part of an exchange.
    func masked(_ text: String) -> String { redactor.withLock { $0.masked(text) } }

    private static func source(_ store: TrafficStore?) -> ArchiveSource {
        { id, side, offset, limit in try store?.body(id, side, offset: offset, limitBytes: limit) ?? [] }
    }
}
