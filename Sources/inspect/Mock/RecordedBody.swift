import Foundation
import NIOCore
import Proxy
import Store
import Synchronization
import Traffic

/// A recorded response's content, read from the store piece by piece as a client takes it.
final class RecordedBody: SuppliedBody {
    /// Bytes read at a time.
    private static let pieceBytes = 64 << 10

    private let store: TrafficStore
    private let id: ExchangeID
    private let queue: DispatchQueue
    private let offset = Mutex<Int64>(0)

    init(_ store: TrafficStore, _ id: ExchangeID, queue: DispatchQueue) {
        self.store = store
        self.id = id
        self.queue = queue
    }

    func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
        queue.async { [self] in
            give(
                Result {
                    let start = offset.withLock { $0 }
                    let bytes = try store.body(id, .response, offset: start, limitBytes: RecordedBody.pieceBytes)
                    offset.withLock { $0 += Int64(bytes.count) }
                    return ByteBuffer(bytes: bytes)
                }
            )
        }
    }
}

/// Content that is in memory already.
final class ReadyBody: SuppliedBody {
    private let rest: Mutex<ByteBuffer>

    init(_ bytes: [UInt8]) { rest = Mutex(ByteBuffer(bytes: bytes)) }

    func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
        give(
            .success(
                rest.withLock { rest in rest.readSlice(length: min(rest.readableBytes, 64 << 10)) ?? ByteBuffer() }
            )
        )
    }
}
