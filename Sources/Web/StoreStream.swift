import Foundation
import Hummingbird
import Store
import Synchronization

/// An answer that is written while the store is read, on a thread of its own; the thread waits while the asker has not taken earlier pieces.
///
/// An asker that takes nothing for a time loses its connection: else those that read on no more would hold every such thread.
struct StoreStream: Sendable {
    /// Writes an answer piece by piece.
    typealias Make = @Sendable (_ store: TrafficStore, _ write: ([UInt8]) throws -> Void) throws -> Void

    /// Pieces that wait to be sent, at most.
    private static let limit = 8
    /// Bytes that are written at once: each such part that is taken is progress.
    private static let partBytes = 64 << 10

    private let door: StoreDoor
    private let make: Make

    /// The asker has left.
    private struct Left: Error {}

    /// A flag that something has happened, such as that the asker has left.
    private final class Mark: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock { $0 } }
        func set() { value.withLock { $0 = true } }
    }

    /// Counts the parts that began to be written and those that were taken: an odd number is of one under way.
    private final class Parts: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func step() { value.withLock { $0 += 1 } }

        /// Returns once a part is under way for so long; it takes at most twice the time to be seen.
        func stalled(for time: Duration) async throws {
            var seen = 0
            while true {
                try await Task.sleep(for: time)
                let now = count
                if now == seen, !now.isMultiple(of: 2) { return }
                seen = now
            }
        }
    }

    /// - Parameters:
    ///   - door: the way to the store.
    ///   - make: writes the answer.
    init(_ door: StoreDoor, _ make: @escaping Make) { (self.door, self.make) = (door, make) }

    /// The answer's body; a failure on the way breaks the body off, because an end would say that it is whole.
    ///
    /// To see that the asker has left, what follows the request is read, so no further request can follow on the connection. Once the asker has left,
    /// the read is cancelled, and every further write throws, even one of no bytes.
    ///
    /// After the first bytes of the answer only the connection's own end is a leave: a write to an asker that has left fails by itself.
    ///
    /// - Parameter asker: the asker, whom no other code watches.
    /// - Returns: the body.
    func body(for asker: Asker) -> ResponseBody {
        ResponseBody { writer in
            let (pieces, give) = AsyncStream<[UInt8]>.makeStream()
            // The semaphore begins at 0: one that is released below its first value would end the process.
            let room = DispatchSemaphore(value: 0)
            for _ in 0..<StoreStream.limit { room.signal() }
            let (hasLeft, parts) = (Mark(), Parts())
            // The thread must not wait for room that never comes.
            let leave = { @Sendable in
                hasLeft.set()
                room.signal()
                give.finish()
            }
            try await asker.watched(at: door) {
                async let made: Void = door.read(isStreamed: true) { store in
                    defer { give.finish() }
                    try make(store) { piece in
                        guard !hasLeft.isSet else { throw Left() }
                        guard !piece.isEmpty else { return }
                        room.wait()
                        guard !hasLeft.isSet else { throw Left() }
                        give.yield(piece)
                    }
                }
                // The write under way ends with the connection.
                async let _ = {
                    try await parts.stalled(for: door.stallTime)
                    asker.end()
                }()
                defer { leave() }
                for await piece in pieces {
                    var rest = ByteBuffer(bytes: piece)
                    while let part = rest.readSlice(length: min(StoreStream.partBytes, rest.readableBytes)),
                        part.readableBytes > 0
                    {
                        parts.step()
                        try await writer.write(part)
                        parts.step()
                    }
                    room.signal()
                }
                // The pieces end with what is made, or with the asker or the server; leaving here cancels the read.
                guard !hasLeft.isSet, !Task.isCancelled else { throw Left() }
                try await made
            } onLeave: {
                if parts.count == 0 || asker.isGone { leave() }
            }
            try await writer.finish(nil)
        }
    }
}
