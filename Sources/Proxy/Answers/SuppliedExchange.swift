import NIOCore

/// An exchange under way that is answered without an upstream.
struct SuppliedExchange {
    /// The request's content so far, at most `AskedRequest.bodyLimitBytes` of it.
    var request = ByteBuffer()
    var isRequestWhole = true
    /// What is left of the response; `nil` before it begins, and when there is no more.
    var body: (any SuppliedBody)?
    /// Whether a piece was asked for and has not come.
    var isAwaitingPiece = false

    /// Keeps the next bytes of the request.
    mutating func take(_ bytes: ByteBuffer) {
        let room = AskedRequest.bodyLimitBytes - request.readableBytes
        isRequestWhole = isRequestWhole && bytes.readableBytes <= room
        if let kept = bytes.getSlice(at: bytes.readerIndex, length: min(room, bytes.readableBytes)) {
            request.writeImmutableBuffer(kept)
        }
    }
}
