import NIOCore
import Traffic

/// Where a request goes, and what changes in its head on the way.
struct RequestRoute: Equatable {
    var scheme: Scheme
    var endpoint: Endpoint
    /// The target in origin-form that replaces one in absolute-form; `nil` where the target came in origin-form.
    var originTarget: ByteBuffer?
    /// The Host value to send where the client's differs from its target; `nil` where they agree.
    var host: String?

    /// The route of a request to an explicit proxy: its target is in absolute-form (RFC 9112 §3.2.2).
    init(absolute head: RequestHead) throws(MessageProblem) {
        let bytes = head.raw.getSlice(at: head.target.lowerBound, length: head.target.count) ?? ByteBuffer()
        let view = bytes.readableBytesView
        guard let colon = view.firstIndex(of: ASCII.colon) else {
            throw MessageProblem("The request target is not an absolute URL.")
        }
        let scheme = ASCII.lower(ByteText.repaired(view[..<colon]))
        guard bytes.getInteger(at: colon + 1, as: UInt16.self) == 0x2F2F else {
            throw MessageProblem("The request target is not an absolute URL.")
        }
        guard let known = Scheme(rawValue: scheme), known == .http || known == .https || known == .ws else {
            throw MessageProblem(
                "The proxy speaks http and https; the request target's scheme is another.",
                code: 501,
                cause: .scheme
            )
        }
        self.scheme = known
        let authorityStart = colon + 3
        let authorityEnd =
            view[authorityStart...].firstIndex {
                $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
            } ?? view.endIndex
        let port = known.defaultPort
        guard let endpoint = Self.endpoint(of: authorityStart..<authorityEnd, in: bytes, defaultPort: port) else {
            throw MessageProblem("The request target's authority is not a host and a port.")
        }
        self.endpoint = endpoint
        let fragment = view[authorityEnd...].firstIndex(of: UInt8(ascii: "#")) ?? view.endIndex
        let rest = bytes.getSlice(at: authorityEnd, length: fragment - authorityEnd) ?? ByteBuffer()
        if authorityEnd < view.endIndex, view[authorityEnd] == UInt8(ascii: "/") {
            originTarget = rest
        } else {
            var origin = ByteBuffer(string: head.method == "OPTIONS" && authorityEnd == view.endIndex ? "*" : "/")
            origin.writeImmutableBuffer(rest)
            originTarget = origin
        }
        let named = head.fields.indices.first { head.fields.isNamed("host", at: $0) }.flatMap {
            Self.endpoint(of: head.fields.spans[$0].value, in: head.fields.bytes, defaultPort: port)
        }
        host = named == endpoint ? nil : ByteText.lossless(view[authorityStart..<authorityEnd])
    }

    /// The route of an HTTP/2 request to an explicit proxy: its pseudo-header fields name the destination (RFC 9113 §8.3.1).
    init(fields head: RequestHead) throws(MessageProblem) {
        guard let scheme = head.scheme.flatMap(Scheme.init), let authority = head.fields.first("host"),
            let endpoint = Endpoint(authority: authority, defaultPort: scheme.defaultPort)
        else { throw MessageProblem("The request does not say where it goes, by :scheme and :authority.") }
        self.scheme = scheme
        self.endpoint = endpoint
    }

    /// The route of a request inside a tunnel, or to a reverse listener: the connection determines the destination, the target is in origin-form.
    init(origin head: RequestHead, scheme: Scheme, endpoint: Endpoint) throws(MessageProblem) {
        let first = head.raw.getInteger(at: head.target.lowerBound, as: UInt8.self)
        let isAsterisk = head.method == "OPTIONS" && head.target.count == 1 && first == UInt8(ascii: "*")
        guard first == UInt8(ascii: "/") || isAsterisk else {
            throw MessageProblem("The request target inside a tunnel is not in origin-form.")
        }
        self.scheme = scheme
        self.endpoint = endpoint
    }

    /// The route of a request to an origin server of ours: its Host field names the destination, or nothing does (HTTP/1.0).
    init(hostOf head: RequestHead, scheme: Scheme) throws(MessageProblem) {
        let port = scheme.defaultPort
        let named = head.fields.first("host").flatMap { Endpoint(authority: $0, defaultPort: port) }
        try self.init(origin: head, scheme: scheme, endpoint: named ?? Endpoint(host: "localhost", port: port))
    }

    /// Checks that there is one Host field, a host with an optional port (RFC 9112 §3.2); HTTP/1.0 may leave it out.
    static func checkHost(_ head: RequestHead) throws(MessageProblem) {
        var host: Range<Int>?
        for position in head.fields.indices where head.fields.isNamed("host", at: position) {
            guard host == nil else { throw MessageProblem("Host is given more than once.", cause: .ambiguousHost) }
            host = head.fields.spans[position].value
        }
        guard let host else {
            guard head.version == .http10 else { throw MessageProblem("Host is missing.", cause: .ambiguousHost) }
            return
        }
        guard host.isEmpty || endpoint(of: host, in: head.fields.bytes, defaultPort: 80) != nil else {
            throw MessageProblem("Host is not a host and a port.", cause: .ambiguousHost)
        }
    }

    /// The host and port that some bytes name; `nil` where they name none.
    private static func endpoint(of range: Range<Int>, in bytes: ByteBuffer, defaultPort: Int) -> Endpoint? {
        guard let part = bytes.getSlice(at: range.lowerBound, length: range.count) else { return nil }
        return part.withUnsafeReadableBytes { Endpoint(bytes: $0, defaultPort: defaultPort) }
    }
}
