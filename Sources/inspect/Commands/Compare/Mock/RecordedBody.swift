import Foundation
import NIOCore
import Proxy
import Store
import Synchronization
import Traffic

/// A recorded response's content or a part of it, read from the store piece by piece as a client takes it.
final class RecordedBody: SuppliedBody {
    /// Bytes read at a time.
    private static let pieceBytes = 64 << 10

    private let store: TrafficStore
    private let id: ExchangeID
    private let queue: DispatchQueue
    /// What has not been given.
    private let rest: Mutex<Range<Int64>>

    init(_ store: TrafficStore, _ id: ExchangeID, _ range: Range<Int64>, queue: DispatchQueue) {
        rest = Mutex(range)
        self.store = store
        self.id = id
        self.queue = queue
    }

    func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
        queue.async { [self] in
            give(
                Result {
                    let range = rest.withLock { $0 }
                    let limit = min(RecordedBody.pieceBytes, range.count)
                    guard limit > 0 else { return ByteBuffer() }
                    let bytes = try store.body(id, .response, offset: range.lowerBound, limitBytes: limit)
                    let next = min(range.lowerBound + Int64(bytes.count), range.upperBound)
                    rest.withLock { $0 = next..<range.upperBound }
                    return ByteBuffer(bytes: bytes)
                }
            )
        }
    }
}
