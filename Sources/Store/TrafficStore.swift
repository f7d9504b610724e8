import GRDB
import Traffic

// Signatures only: replaced by the Store target's own work.

/// Why a store cannot be opened or read, as one sentence for the user.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

package final class TrafficStore: CaptureSink, Sendable {
    package enum Access: Sendable { case reading, writing }
    /// Opens or (writing only) makes the store at `path`.
    package init(path: String, access: Access, bodyLimitBytes: Int64 = 64 << 20) throws { throw StoreError("not built yet") }
    /// Takes a batch of the proxy's events; see `CaptureSink`.
    package func submit(_ batch: CaptureBatch) {}
    /// A page of exchanges with facet counts.
    package func list(_ query: ListingQuery) throws -> Listing { throw StoreError("not built yet") }
    /// One exchange whole, without body bytes.
    package func exchange(_ id: ExchangeID) throws -> Exchange? { nil }
    /// Kept bytes of a body as sent on the wire, from `offset`, at most `limitBytes` (use it in a loop to stream).
    package func body(_ id: ExchangeID, _ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] { [] }
    /// Ids of exchanges written or changed, as they are committed, for live views in the same process. Bounded: a slow reader gets `.resync`.
    package func changes() -> AsyncStream<StoreChange> { AsyncStream { $0.finish() } }
    /// Exchanges with an id greater than `id`, oldest first, and pending ones changed since — what `tail` polls in another process.
    package func summaries(after id: ExchangeID, limit: Int) throws -> [ExchangeSummary] { [] }
    /// The summaries of these exchanges, in the order asked; missing ones are left out.
    package func summaries(of ids: [ExchangeID]) throws -> [ExchangeSummary] { [] }
    /// Gaps: exchanges that passed but could not be recorded.
    package func gaps() throws -> [CaptureGap] { [] }
    /// Flushes, checkpoints and closes. After it, nothing is written.
    package func close() throws {}
}

package enum StoreChange: Sendable { case changed([ExchangeSummary]), resync }

package struct CaptureGap: Sendable {
    package var count: Int
    /// Microseconds since 1970.
    package var from: Int64
    package var to: Int64
    package var cause: String
}
