package import NIOCore

/// What the proxy tells of an exchange, in this order: `opened` (only if it stays open for long), then any `changed`, `body` and `message`, then one
/// `ended`.
package enum ExchangeEvent: Sendable {
    /// The exchange has been open for a while; listings show it as pending from now on.
    case opened(CaptureToken, Exchange)
    /// More is known of an opened exchange: its response head arrived, or its byte counts grew.
    case changed(CaptureToken, Exchange)
    /// The next bytes of a body to be kept, in order, at most 256 KiB each. Comes after `opened` only.
    case body(CaptureToken, MessageSide, ByteBuffer)
    /// A message of the exchange's stream passed. Comes after `opened` only.
    case message(CaptureToken, StreamMessage)
    /// The exchange ended and changes no more. The buffers hold the bytes that no `body` event carried; they may be empty.
    case ended(CaptureToken, Exchange, request: ByteBuffer, response: ByteBuffer)
    /// An exchange out of an archive, part of the import of this number; nothing of it passed the proxy.
    case imported(Int64, ImportedExchange)
}
