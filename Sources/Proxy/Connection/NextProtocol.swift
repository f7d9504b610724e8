import NIOCore
import Traffic

/// What a client's first bytes to a known destination are.
///
/// They come inside a CONNECT tunnel, behind a SOCKS request, or first of all where the listener is a reverse, a transparent or an origin server's.
enum NextProtocol: Equatable {
    /// Too few bytes have come to tell.
    case undecided
    /// A TLS ClientHello, to be intercepted.
    case tls
    /// An HTTP/1 request, to be read as one.
    case http1
    /// The preface of an HTTP/2 client that knows we take HTTP/2 (RFC 9113 §3.4), to be read as HTTP/2.
    case http2
    /// None of these, to be passed through.
    case opaque

    /// Bytes of the longest method of real requests; a longer first word is no method.
    private static let methodLimitBytes = 24
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// Reads the first bytes; the answer is `undecided` only while more bytes could change it.
    init(_ bytes: some Collection<UInt8>) {
        guard let first = bytes.first else {
            self = .undecided
            return
        }
        if first == 0x16 {
            // A TLS record of type handshake, version 3.x, holding a ClientHello (RFC 8446 §5.1, §4).
            let head = Array(bytes.prefix(6))
            if head.count > 1, head[1] != 3 { self = .opaque; return }
            if head.count > 2, head[2] > 4 { self = .opaque; return }
            if head.count > 5 { self = head[5] == 1 ? .tls : .opaque; return }
            self = .undecided
            return
        }
        let head = Array(bytes.prefix(Self.methodLimitBytes + 2))
        guard let space = head.firstIndex(of: ASCII.space) else {
            self = head.allSatisfy(ASCII.isToken) && head.count <= Self.methodLimitBytes ? .undecided : .opaque
            return
        }
        guard space > 0, head[..<space].allSatisfy(ASCII.isToken) else {
            self = .opaque
            return
        }
        guard space + 1 < head.count else {
            self = .undecided
            return
        }
        if head[..<space].elementsEqual("PRI".utf8) {
            guard Self.preface.starts(with: head) || head.starts(with: Self.preface) else {
                self = .opaque
                return
            }
            self = head.count < Self.preface.count ? .undecided : .http2
            return
        }
        // The target follows: a path, an asterisk or a URL.
        let starts = head[space + 1]
        self =
            starts == UInt8(ascii: "/") || starts == UInt8(ascii: "*") || starts == UInt8(ascii: "h") ? .http1 : .opaque
    }
}
