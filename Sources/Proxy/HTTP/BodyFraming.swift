/// How a message tells where its body ends (RFC 9112 §6.3, RFC 9113 §8.1).
enum BodyFraming: Equatable {
    /// There is no body.
    case none
    /// The body has so many bytes, at least 1.
    case length(Int64)
    /// The message's own framing ends it: chunked transfer coding in HTTP/1, the stream's end in HTTP/2.
    case chunked
    /// The close of the connection ends it; responses of HTTP/1 only.
    case untilClose
}
