import NIOCore

/// Content of a request that went upstream, as long as it is little enough to be kept for a second try.
struct SentContent {
    /// Bytes that are kept of a request on a stream, which its upstream may say that it has not processed.
    static let streamLimitBytes = 16 << 10

    private let limitBytes: Int
    /// A copy, since a part keeps the whole read that it came in; `nil` where more was sent.
    private var bytes: ByteBuffer? = ByteBuffer()

    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Takes what is sent next.
    mutating func take(_ more: ByteBuffer) {
        guard var kept = bytes.take(), kept.readableBytes + more.readableBytes <= limitBytes else { return }
        kept.writeImmutableBuffer(more)
        bytes = kept
    }

    /// Keeps nothing any more.
    mutating func forget() { bytes = nil }

    /// What has to be sent again; `nil` where not all of it is kept.
    var facts: [Fact]? { bytes.map { $0.readableBytes > 0 ? [.requestBody($0)] : [] } }
}
