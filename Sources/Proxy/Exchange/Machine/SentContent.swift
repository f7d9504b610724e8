import NIOCore

/// The content of a request that went upstream, as long as there is little enough of it to be kept for a second try.
struct SentContent {
    /// How many bytes are kept of a request on a stream: only a stream's upstream may say that it has not processed the request.
    static let streamLimitBytes = 16 << 10

    private let limitBytes: Int
    /// A copy, since a part keeps the whole read that it came in; `nil` where more was sent.
    private var bytes: ByteBuffer? = ByteBuffer()

    /// Nothing yet, of which at most so many bytes are kept.
    init(limitBytes: Int) { self.limitBytes = limitBytes }

    /// Adds the bytes that are sent next.
    mutating func take(_ more: ByteBuffer) {
        guard var kept = bytes.take(), kept.readableBytes + more.readableBytes <= limitBytes else { return }
        kept.writeImmutableBuffer(more)
        bytes = kept
    }

    /// Throws the bytes away, and keeps none from here on.
    mutating func forget() { bytes = nil }

    /// The content as facts that are told again; `nil` where not all of it is kept.
    var facts: [Fact]? { bytes.map { $0.readableBytes > 0 ? [.requestBody($0)] : [] } }
}
