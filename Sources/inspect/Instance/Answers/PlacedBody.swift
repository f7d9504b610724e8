import Foundation
import NIOCore
import Proxy
import Synchronization

/// Content that is read from its place piece by piece, as the client takes it.
final class PlacedBody: SuppliedBody {
    /// Bytes read at a time.
    private static let pieceBytes = 64 << 10

    private let content: PlacedContent
    private let queue: DispatchQueue
    /// Bytes that were given.
    private let given = Mutex<Int64>(0)

    init(_ content: PlacedContent, queue: DispatchQueue) { (self.content, self.queue) = (content, queue) }

    func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
        queue.async { [self] in
            give(
                Result {
                    let bytes = try content.bytes(at: given.withLock { $0 }, limitBytes: Self.pieceBytes)
                    given.withLock { $0 += Int64(bytes.count) }
                    return ByteBuffer(bytes: bytes)
                }
            )
        }
    }
}
