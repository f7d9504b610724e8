import Foundation
import NIOCore
import Proxy
import Synchronization

/// A part of a file, read as the client takes it.
final class FileBody: SuppliedBody {
    /// Bytes read at a time.
    private static let pieceBytes = 64 << 10

    private let file: OpenedFile
    private let queue: DispatchQueue
    /// What has not been given.
    private let rest: Mutex<Range<Int>>

    init(_ file: OpenedFile, _ range: Range<Int>, queue: DispatchQueue) {
        self.file = file
        self.queue = queue
        rest = Mutex(range)
    }

    func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
        queue.async { [self] in
            give(
                Result {
                    let range = rest.withLock { $0 }
                    let limit = min(Self.pieceBytes, range.count)
                    guard limit > 0 else { return ByteBuffer() }
                    let bytes = try file.read(at: range.lowerBound, count: limit)
                    rest.withLock { $0 = (range.lowerBound + bytes.count)..<range.upperBound }
                    return ByteBuffer(bytes: bytes)
                }
            )
        }
    }
}
