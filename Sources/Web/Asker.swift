import Foundation
import Hummingbird
import NIOCore

/// Who asked: a request whose body has been taken away, and its connection.
///
/// Only an asker can be watched. The end of a connection is seen behind the request's body, and Hummingbird ends the process where it sees it while a body
/// that nobody took is still there.
struct Asker: Sendable {
    /// Bytes of a request's body that an address takes, unless it says otherwise.
    static let bodyLimitBytes = 1 << 20

    /// The whole body.
    let body: ByteBuffer
    private let request: Request
    private let channel: any Channel

    /// Takes the body away.
    ///
    /// - Parameters:
    ///   - request: what is asked; nobody has read its body, and nobody else will.
    ///   - context: what is known of the request beside it.
    ///   - limitBytes: bytes of a body that is taken.
    /// - Throws: where the body is longer, and `WebFailure` where it breaks off.
    init(_ request: Request, _ context: WebContext, limitBytes: Int = Asker.bodyLimitBytes) async throws {
        var request = request
        do { body = try await request.collectBody(upTo: limitBytes) } catch { throw WebFailure.ofBody(error) }
        self.request = request
        channel = context.channel
    }

    /// Whether the connection is closed, in both directions.
    var isGone: Bool { !channel.isActive }

    /// The JSON in the body.
    ///
    /// - Throws: `WebFailure` when it is none of this shape, `FilterError` as the shape's own reading.
    func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch is DecodingError {
            throw WebFailure(.badRequest, "The request's body is not the JSON that this address takes.")
        }
    }

    /// Runs an operation, and tells when the asker leaves meanwhile: at once when the connection is closed, else as `AskerEnd` says.
    ///
    /// To see that, what comes behind the request is read. So the answer has to say `Connection: close`; a request that comes meanwhile stays in
    /// `RequestQueue`.
    ///
    /// - Parameters:
    ///   - door: how long the end of what a client sends is borne with.
    ///   - isLimited: whether a read goes on only for a time behind an end that may be a leave.
    ///   - operation: what is done meanwhile.
    ///   - leave: may be called more than once, and behind the end of the operation.
    /// - Returns: what the operation returns.
    /// - Throws: what the operation throws.
    func watched<Value: Sendable>(
        at door: StoreDoor,
        isLimited: Bool = true,
        _ operation: () async throws -> Value,
        onLeave leave: @escaping @Sendable () -> Void
    ) async throws -> Value {
        let end = AskerEnd(of: request, at: door, isLimited: isLimited)
        let (ends, tell) = AsyncStream<Duration>.makeStream()
        channel.closeFuture.whenComplete { _ in leave() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for await time in ends {
                    try await Task.sleep(for: time)
                    leave()
                }
            }
            return try await request.body.consumeWithInboundCloseHandler { _ in
                try await operation()
            } onInboundClosed: {
                if let time = end.timeLeft { tell.yield(time) }
                tell.finish()
            }
        }
    }
}
