import NIOCore
import Traffic

/// What a request is answered without an upstream.
package enum SuppliedAnswer: Sendable {
    /// A response: its head as an HTTP/1.1 server would send it, and its content; `nil` where there is none.
    ///
    /// What concerns one connection is mended on the way to the client, as for any upstream.
    case response(head: ByteBuffer, body: (any SuppliedBody)?)
    /// No response, as an upstream that broke: the client gets our own answer that says so.
    case failure(ExchangeFailure)
    /// No response and no answer: the connection, or the stream, is broken off.
    case close
}

/// The content of a supplied answer, read piece by piece as the client takes it.
package protocol SuppliedBody: Sendable {
    /// Gives the next bytes, empty at the end, or why there are none; calls `give` exactly once, from any thread, and is not asked again before.
    func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void)
}
