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
    ///   - bodyLimitBytes: decoded bytes of each body that are searched.
    ///   - messages: the messages of its stream, page by page.
    /// - Returns: whether all of its bodies and messages could be searched, as far as they were kept and given.
    /// - Throws: `StoreError`, and what `messages` throws.
    @discardableResult func learn(
        _ record: ExchangeRecord,
        bodiesIn store: TrafficStore?,
        bodyLimitBytes: Int = Redactor.bodyLimitBytes,
        messages: @Sendable (ExchangeID, Int64) throws -> [StreamMessage] = { _, _ in [] }
    ) throws -> Bool {
        try redactor.withLock { redactor in
            let source = SharedRedactor.source(store)
            return try redactor.learn(record, source: source, bodyLimitBytes: bodyLimitBytes) { try messages($0, $1) }
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

    /// Whether there were more secrets, or longer ones, than are recognised where no name tells of them.
    var forgetsSecrets: Bool { redactor.withLock { $0.report.forgetsSecrets } }

    private static func source(_ store: TrafficStore?) -> ArchiveSource {
        { id, side, offset, limit in try store?.body(id, side, offset: offset, limitBytes: limit) ?? [] }
    }
}
