import Foundation
import Hummingbird
import Store
import Synchronization

/// An answer that is written while the store is read, on a thread of the store's; the thread waits while the asker has not taken earlier pieces.
struct StoreStream: Sendable {
    /// Writes an answer piece by piece.
    typealias Make = @Sendable (_ store: TrafficStore, _ write: ([UInt8]) throws -> Void) throws -> Void

    /// Pieces that wait to be sent, at most.
    private static let limit = 8

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
            let (hasLeft, hasSent) = (Mark(), Mark())
            // The thread must not wait for room that never comes.
            let leave = { @Sendable in
                hasLeft.set()
                room.signal()
                give.finish()
            }
            try await asker.watched(at: door) {
                async let made: Void = door.read { store in
                    defer { give.finish() }
                    try make(store) { piece in
                        guard !hasLeft.isSet else { throw Left() }
                        guard !piece.isEmpty else { return }
                        room.wait()
                        guard !hasLeft.isSet else { throw Left() }
                        give.yield(piece)
                    }
                }
                defer { leave() }
                for await piece in pieces {
                    hasSent.set()
                    try await writer.write(ByteBuffer(bytes: piece))
                    room.signal()
                }
                // The pieces end with what is made, or with the asker or the server; leaving here cancels the read.
                guard !hasLeft.isSet, !Task.isCancelled else { throw Left() }
                try await made
            } onLeave: {
                if !hasSent.isSet || asker.isGone { leave() }
            }
            try await writer.finish(nil)
        }
    }
}
