import Foundation
import Hummingbird
import NIOCore

/// The sender of a request: the request, with its body read into memory, and its connection.
///
/// Only an asker can be watched. The end of a connection shows behind the request's body, and Hummingbird ends the process where it sees that end
/// while the body is still unread.
struct Asker: Sendable {
    /// Bytes of a request's body that an address accepts, unless the address has a limit of its own.
    static let bodyLimitBytes = 1 << 20

    /// The names of the members of an object.
    private struct Members: Decodable {
        private struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        let names: [String]

        init(from decoder: any Decoder) throws {
            names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
        }
    }

    /// The whole body.
    let body: ByteBuffer
    private let request: Request
    private let channel: any Channel

    /// Reads the request's body.
    ///
    /// - Parameters:
    ///   - request: the request; its body is unread, and no other code reads it.
    ///   - context: the request's context, with its connection.
    ///   - limitBytes: bytes of a body at most.
    /// - Throws: where the body is longer, and `WebFailure` where it breaks off.
    init(_ request: Request, _ context: WebContext, limitBytes: Int = Asker.bodyLimitBytes) async throws {
        var request = request
        do { body = try await request.collectBody(upTo: limitBytes) } catch { throw WebFailure.ofBody(error) }
        self.request = request
        channel = context.channel
    }

    /// Whether the connection is closed, in both directions.
    var isGone: Bool { !channel.isActive }

    /// Closes the connection, in both directions, whatever is still to be written.
    func end() { channel.close(promise: nil) }

    /// The JSON in the body.
    ///
    /// - Throws: `WebFailure` when the body does not have this shape, `FilterError` where the shape's own reading throws it.
    func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(body.readableBytesView))
        } catch is DecodingError {
            throw WebFailure(.badRequest, "The request's body is not the JSON that this address takes.")
        }
    }

    /// The JSON in the body, where it has no other members than the address takes: one that is misspelt would be left out in silence.
    ///
    /// - Throws: `WebFailure` when the body does not have this shape, or has another member.
    func json<Value: Decodable>(_ type: Value.Type, members: Set<String>) throws -> Value {
        let value = try json(type)
        guard let stranger = try Set(json(Members.self).names).subtracting(members).min() else { return value }
        let known = members.sorted().joined(separator: ", ")
        throw WebFailure(
            .badRequest,
            "\(String(stranger.unicodeScalars.prefix(60))) is no member that this address takes; the members are \(known)."
        )
    }

    /// Runs an operation and calls `leave` when the asker leaves meanwhile: at once when the connection is closed, else as `AskerEnd` says.
    ///
    /// The watch reads what follows the request. So the answer has to say `Connection: close`; a request that arrives meanwhile stays in
    /// `RequestQueue`.
    ///
    /// - Parameters:
    ///   - door: the clock, and how long the end of the client's side is no leave.
    ///   - isLimited: whether a read goes on only for a time behind an end that may be a leave.
    ///   - operation: the work that the asker waits for.
    ///   - leave: told that the asker has left; may be called more than once, and after the operation ended.
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
