import NIOCore

/// What the proxy tells of an exchange, in this order: `opened` (only if it stays open for long), then any `changed`, `body` and `message`, then one `ended`.
package enum ExchangeEvent: Sendable {
    /// It has been open for a while: from now on it is to be seen as pending.
    case opened(CaptureToken, Exchange)
    /// An opened one is known better: its response head arrived, its byte counts grew.
    case changed(CaptureToken, Exchange)
    /// The next bytes of a body to be kept, in order, at most 256 KiB each. Comes after `opened` only.
    case body(CaptureToken, MessageSide, ByteBuffer)
    /// A message of its stream passed. Comes after `opened` only.
    case message(CaptureToken, StreamMessage)
    /// It ended. The exchange is final; the buffers are what was not yet told by `body`, empty where there is nothing.
    case ended(CaptureToken, Exchange, request: ByteBuffer, response: ByteBuffer)
    /// Nothing passed: it comes out of an archive, as part of the import of this number.
    case imported(Int64, ImportedExchange)
}
