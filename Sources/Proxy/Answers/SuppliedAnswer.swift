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
