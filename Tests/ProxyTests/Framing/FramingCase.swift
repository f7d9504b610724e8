/// Bytes of a client that are well framed, or nearly, and what the proxy owes for them (RFC 9112).
///
/// In the text `{}` stands for the authority of an absolute-form target, which is left out inside a tunnel, and `{host}` for the Host value.
/// Scalars up to U+00FF are bytes.
struct FramingCase: Sendable, CustomStringConvertible {
    /// Where the bytes are sent.
    enum Way: Sendable, CaseIterable {
        /// To the proxy's own port, targets in absolute-form.
        case absolute
        /// Inside a tunnel, after a request that went well, targets in origin-form, cut in two at some place.
        case tunnel
    }

    let text: String
    /// How many requests are to reach the upstream, whole.
    let forwarded: Int
    /// The code with which what follows them is refused; `nil` when nothing follows.
    let refusal: Int?
    /// Where this is so.
    let ways: [Way]

    var description: String { String(text.prefix(160)).debugDescription }

    /// Requests that go through.
    static func passes(_ text: String, _ count: Int = 1, by ways: [Way] = Way.allCases) -> FramingCase {
        FramingCase(text: text, forwarded: count, refusal: nil, ways: ways)
    }

    /// Bytes that are refused, after so many requests that go through.
    static func refused(
        _ text: String,
        _ code: Int = 400,
        after count: Int = 0,
        by ways: [Way] = Way.allCases
    ) -> FramingCase {
        FramingCase(text: text, forwarded: count, refusal: code, ways: ways)
    }

    /// The bytes to send to the proxy for an upstream on this port.
    func bytes(to port: Int, by way: Way) -> [UInt8] {
        let host = "127.0.0.1:\(port)"
        return text.replacing("{}", with: way == .absolute ? "http://\(host)" : "").replacing("{host}", with: host)
            .unicodeScalars.flatMap { $0.value <= 0xFF ? [UInt8($0.value)] : Array(String($0).utf8) }
    }

    /// A GET with these further field lines, each with its line end.
    static func get(_ lines: String = "") -> String { "GET {}/x HTTP/1.1\r\nHost: {host}\r\n\(lines)\r\n" }

    /// A POST with these field lines, each with its line end, and this body.
    static func post(_ lines: String, _ body: String) -> String {
        "POST {}/x HTTP/1.1\r\nHost: {host}\r\n\(lines)\r\n\(body)"
    }

    /// A POST whose body is these chunks.
    static func chunks(_ body: String) -> String { post("Transfer-Encoding: chunked\r\n", body) }

    /// A whole chunked body.
    static let hello = "5\r\nhello\r\n0\r\n\r\n"

    /// Each once.
    static let all: [FramingCase] = {
        var seen: Set<String> = []
        return parts.filter { seen.insert("\($0.ways) \($0.text)").inserted }
    }()

    private static let parts: [FramingCase] =
        lengths + codings + framingNames + chunkSizes + trailers + lineEnds + controls + requestLines + versions
        + targets + hosts + expectations + nominations + pipelines
}
