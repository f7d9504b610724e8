package import NIOCore
package import Traffic

/// The answer to a request that no upstream gets.
package enum SuppliedAnswer: Sendable {
    /// A response: its head as an HTTP/1.1 server would send it, and its content; `nil` where there is none.
    ///
    /// Fields that concern one connection are replaced on the way to the client, as for any upstream.
    case response(head: ByteBuffer, body: (any SuppliedBody)?)
    /// No response, as from an upstream that broke the connection: the client gets our own answer, which says so.
    case failure(ExchangeFailure)
    /// No response and no answer of ours: the connection, or the stream, is broken off.
    case close
}
