/// How the end of a body is told (RFC 9112 §6.3, RFC 9113 §8.1).
enum BodyFraming: Equatable {
    /// There is none.
    case none
    /// So many bytes, at least 1.
    case length(Int64)
    /// By the message's own framing: chunked transfer coding in HTTP/1, the stream's end in HTTP/2.
    case chunked
    /// Until the connection closes; responses of HTTP/1 only.
    case untilClose
}
