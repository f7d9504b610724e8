/// What is wrong with a request or a response, by the rules of HTTP or by ours.
extension Cause {
    /// The bytes are no message of HTTP, for a reason that has no word of its own.
    package static let malformed = Cause(rawValue: "malformed")
    /// Two programs could take the end of the message to be at two places, as request smuggling needs it (RFC 9112 §6.3).
    package static let ambiguousFraming = Cause(rawValue: "ambiguous-framing")
    /// Host is missing, is given twice, or contradicts the request's authority (RFC 9112 §3.2).
    package static let ambiguousHost = Cause(rawValue: "ambiguous-host")
    /// A chunk has a size that cannot be read, or does not end where its size says (RFC 9112 §7.1).
    package static let badChunk = Cause(rawValue: "bad-chunk")
    /// A head, a line of it or its trailers pass a limit: ours, or the limit that an upstream has told.
    package static let tooLong = Cause(rawValue: "too-long")
    /// A message of HTTP/2 has less content than its Content-Length says.
    package static let truncated = Cause(rawValue: "truncated")
    /// The connection was closed within a head.
    package static let unfinished = Cause(rawValue: "unfinished")
    /// An upstream sent bytes that answer no request.
    package static let extraBytes = Cause(rawValue: "extra-bytes")
    /// The version of HTTP is one that is not spoken here.
    package static let version = Cause(rawValue: "version")
    /// The target's scheme is neither http nor https.
    package static let scheme = Cause(rawValue: "scheme")
    /// A listener that makes no tunnels was asked for one.
    package static let method = Cause(rawValue: "method")
    /// A listener that answers as a server was asked by a name that nobody gave it.
    package static let host = Cause(rawValue: "host")
    /// Expect asks for something other than 100-continue.
    package static let expectation = Cause(rawValue: "expectation")
    /// The other end speaks another protocol than it was asked to.
    package static let wrongProtocol = Cause(rawValue: "protocol")
    /// An end broke the rules of HTTP/2, which ends its connection with every stream.
    package static let http2 = Cause(rawValue: "http2")
    /// An upstream gave up its HTTP/2 connection with an error, in the middle of responses (RFC 9113 §6.8).
    package static let goAway = Cause(rawValue: "goaway")
    /// A WebSocket was to go by HTTP/2 to an upstream that takes no extended CONNECT (RFC 8441 §3).
    package static let noExtendedConnect = Cause(rawValue: "no-extended-connect")
    /// An upstream sent more interim responses than are taken.
    package static let interimFlood = Cause(rawValue: "interim-flood")
    /// A WebSocket ended without a close frame, which its ends know as the close code 1006 (RFC 6455 §7.1.5).
    package static let noCloseFrame = Cause(rawValue: "no-close-frame")
}
