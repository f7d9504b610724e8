import NIOCore
import NIOHPACK
import Traffic

/// Reads the field section of an HTTP/2 message strictly (RFC 9113 §8.2, §8.3), into the text form of the record and of HTTP/1.
///
/// The text's first line is `GET /path HTTP/2` or `HTTP/2 200`; `:authority` becomes `host`, the first of the fields; other field lines are as they
/// came. The reader refuses what HTTP/1 could take differently, since a downgrade attack would come in that way.
///
/// White space round a field's value, which RFC 9113 §8.2.1 forbids, is ignored as in HTTP/1, and as others do: many clients let their users
/// write it. The text keeps it, but it is not sent on: a strict upstream would end the connection over it, with all other streams.
enum HTTP2HeadReader {
    /// Reads a request's field section.
    static func request(_ headers: HPACKHeaders, endsStream: Bool, limits: HeadLimits) throws(MessageProblem)
        -> RequestHead
    {
        try checkCount(headers, limits)
        var pseudo = PseudoFields()
        var position = 0
        for (name, value, _) in headers {
            guard name.utf8.first == ASCII.colon else { break }
            try checkValue(value)
            guard !value.utf8.contains(where: ASCII.isBlank) else {
                throw MessageProblem("A pseudo-header field holds white space.")
            }
            try pseudo.take(name, value)
            position += 1
        }
        guard let method = pseudo.method, !method.isEmpty, method.utf8.allSatisfy(ASCII.isToken) else {
            throw MessageProblem("The method is missing or not a token.")
        }
        try pseudo.check(method)
        let target = pseudo.path ?? pseudo.authority ?? ""
        guard target.utf8.count <= limits.startLineBytes else {
            throw MessageProblem(
                "The path is longer than \(limits.startLineBytes) bytes.",
                code: 414,
                cause: .tooLong
            )
        }
        var text = ByteBufferAllocator().buffer(capacity: 512)
        text.writeString(method)
        text.writeInteger(ASCII.space)
        let start = text.writerIndex
        text.writeString(target)
        let end = text.writerIndex
        text.writeStaticString(" HTTP/2\r\n")
        var spans: [HeaderList.Span] = []
        spans.reserveCapacity(headers.count)
        if let authority = pseudo.authority, pseudo.path != nil { spans.append(line("host", authority, &text)) }
        let isAsSent = try lines(
            headers,
            from: position,
            into: &text,
            &spans,
            isRequest: true,
            authority: pseudo.authority
        )
        text.writeStaticString("\r\n")
        let fields = HeaderList(bytes: text, spans: spans)
        return RequestHead(
            raw: text,
            method: method,
            target: start..<end,
            version: .http2,
            fields: fields,
            framing: try framing(fields, endsStream: endsStream, hasContent: true),
            received: isAsSent ? headers : nil,
            scheme: pseudo.scheme,
            extendedProtocol: pseudo.extendedProtocol
        )
    }

    /// Reads a response's field section; `method` is that of the request it answers.
    static func response(_ headers: HPACKHeaders, endsStream: Bool, to method: String, limits: HeadLimits)
        throws(MessageProblem) -> ResponseHead
    {
        try checkCount(headers, limits)
        guard let first = headers.first, first.name.utf8.elementsEqual(":status".utf8) else {
            throw MessageProblem("The status is missing.")
        }
        guard first.value.utf8.count == 3, let code = Int(first.value), code >= 100 else {
            throw MessageProblem("The status code is not three digits.")
        }
        guard code != 101 else { throw MessageProblem("HTTP/2 knows no status 101 (RFC 9113 §8.6).") }
        var text = ByteBufferAllocator().buffer(capacity: 512)
        text.writeStaticString("HTTP/2 ")
        text.writeString(first.value)
        text.writeStaticString("\r\n")
        var spans: [HeaderList.Span] = []
        spans.reserveCapacity(headers.count)
        let isAsSent = try lines(headers, from: 1, into: &text, &spans, isRequest: false, authority: nil)
        text.writeStaticString("\r\n")
        let fields = HeaderList(bytes: text, spans: spans)
        let hasContent = code >= 200 && code != 204 && code != 304 && method != "HEAD"
        return ResponseHead(
            raw: text,
            code: code,
            version: .http2,
            fields: fields,
            framing: try framing(fields, endsStream: endsStream, hasContent: hasContent),
            received: isAsSent ? headers : nil
        )
    }

    /// Reads a trailer section into field lines with an empty line behind them.
    static func trailers(_ headers: HPACKHeaders, limits: HeadLimits) throws(MessageProblem) -> ByteBuffer {
        try checkCount(headers, limits)
        var text = ByteBuffer()
        var spans: [HeaderList.Span] = []
        _ = try lines(headers, from: 0, into: &text, &spans, isRequest: false, authority: nil)
        text.writeStaticString("\r\n")
        let fields = HeaderList(bytes: text, spans: spans)
        if fields.contains("content-length") || fields.contains("host") {
            throw MessageProblem(
                "The trailer section holds a field that belongs in the head.",
                cause: .ambiguousFraming
            )
        }
        return text
    }

    // MARK: Parts

    private static func framing(_ fields: HeaderList, endsStream: Bool, hasContent: Bool) throws(MessageProblem)
        -> BodyFraming
    {
        let declared = try MessageFraming.request(fields, version: .http2)
        guard hasContent else { return .none }
        let hasLength = fields.contains("content-length")
        guard endsStream else { return hasLength ? declared : .chunked }
        guard case .none = declared else {
            throw MessageProblem("The message ended before the content that Content-Length says.", cause: .truncated)
        }
        return .none
    }

    private static func checkCount(_ headers: HPACKHeaders, _ limits: HeadLimits) throws(MessageProblem) {
        guard headers.count <= limits.fieldCount else {
            throw MessageProblem("There are more than \(limits.fieldCount) field lines.", code: 431, cause: .tooLong)
        }
        // As the text that is recorded has it, with ": " and a line's end for each field.
        let bytes = headers.reduce(2) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard bytes <= limits.headBytes else {
            throw MessageProblem("The head is longer than \(limits.headBytes) bytes.", code: 431, cause: .tooLong)
        }
    }

    private static func line(_ name: String, _ value: String, _ text: inout ByteBuffer) -> HeaderList.Span {
        let nameStart = text.writerIndex
        text.writeString(name)
        let nameEnd = text.writerIndex
        text.writeStaticString(": ")
        var valueStart = text.writerIndex
        text.writeString(value)
        var valueEnd = text.writerIndex
        if hasOuterBlank(value), name != "content-length" {
            let bytes = value.utf8
            valueStart += bytes.prefix(while: ASCII.isBlank).count
            valueEnd = max(valueStart, valueEnd - bytes.reversed().prefix(while: ASCII.isBlank).count)
        }
        text.writeStaticString("\r\n")
        return HeaderList.Span(name: nameStart..<nameEnd, value: valueStart..<valueEnd)
    }

    private static func hasOuterBlank(_ value: String) -> Bool {
        value.utf8.first.map(ASCII.isBlank) == true || value.utf8.last.map(ASCII.isBlank) == true
    }

    /// Appends the regular field lines after `position`; false when they cannot be sent on as they came.
    private static func lines(
        _ headers: HPACKHeaders,
        from position: Int,
        into text: inout ByteBuffer,
        _ spans: inout [HeaderList.Span],
        isRequest: Bool,
        authority: String?
    ) throws(MessageProblem) -> Bool {
        var index = 0
        var hasHost = false
        var isAsSent = true
        for (name, value, _) in headers {
            index += 1
            guard index > position else { continue }
            try checkName(name)
            try checkValue(value)
            switch name.utf8.count {
            case 2 where isRequest && name == "te" && !ASCII.isSame(value, "trailers"):
                throw MessageProblem("TE says something other than trailers (RFC 9113 §8.2.2).")
            case 4 where isRequest && name == "host":
                guard !hasOuterBlank(value) else {
                    throw MessageProblem("Host holds white space.", cause: .ambiguousHost)
                }
                guard !hasHost else { throw MessageProblem("Host is given more than once.", cause: .ambiguousHost) }
                hasHost = true
                guard let authority else { break }
                guard ASCII.isSame(authority, value) else {
                    throw MessageProblem("Host differs from :authority.", cause: .ambiguousHost)
                }
                continue
            case 7 where name == "upgrade", 10 where name == "connection" || name == "keep-alive",
                16 where name == "proxy-connection", 17 where name == "transfer-encoding":
                throw MessageProblem(
                    "A field of HTTP/1 connections came (RFC 9113 §8.2.2).",
                    cause: .ambiguousFraming
                )
            default: break
            }
            if hasOuterBlank(value) { isAsSent = false }
            spans.append(line(name, value, &text))
        }
        return isAsSent
    }

    private static func checkName(_ name: String) throws(MessageProblem) {
        guard !name.isEmpty else { throw MessageProblem("A field name is empty.") }
        guard name.utf8.first != ASCII.colon else { throw MessageProblem("A pseudo-header field is out of place.") }
        for byte in name.utf8 where !ASCII.isToken(byte) || (byte >= 0x41 && byte <= 0x5A) {
            throw MessageProblem("A field name is not a token in lower case.")
        }
    }

    private static func checkValue(_ value: String) throws(MessageProblem) {
        for byte in value.utf8 where (byte < 0x20 && byte != ASCII.tab) || byte == 0x7F {
            throw MessageProblem("A field value holds a control character.")
        }
    }
}

/// The pseudo-header fields of a request, each at most once (RFC 9113 §8.3.1, RFC 8441 §4).
private struct PseudoFields {
    var method: String?
    var scheme: String?
    var authority: String?
    var path: String?
    var extendedProtocol: String?

    mutating func take(_ name: String, _ value: String) throws(MessageProblem) {
        let isNew: Bool
        // Both are compared: what is not ASCII may be slow.
        guard name.utf8.count <= ":authority".utf8.count else {
            throw MessageProblem("There is an unknown pseudo-header field.")
        }
        guard [":path", ":authority"].contains(name) || value.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw MessageProblem("A pseudo-header field holds bytes that are not ASCII.")
        }
        switch name {
        case ":method": isNew = method.replace(value)
        case ":scheme": isNew = scheme.replace(value)
        case ":authority": isNew = authority.replace(value)
        case ":path": isNew = path.replace(value)
        case ":protocol": isNew = extendedProtocol.replace(value)
        default: throw MessageProblem("There is an unknown pseudo-header field.")
        }
        guard isNew else { throw MessageProblem("A pseudo-header field is given more than once.") }
    }

    func check(_ method: String) throws(MessageProblem) {
        if method == "CONNECT", extendedProtocol == nil {
            guard scheme == nil, path == nil, authority != nil else {
                throw MessageProblem("A CONNECT has :scheme or :path, or no :authority.")
            }
            return
        }
        guard extendedProtocol == nil || method == "CONNECT" else {
            throw MessageProblem("Only a CONNECT may have :protocol.")
        }
        guard let scheme, let path else { throw MessageProblem("A pseudo-header field is missing.") }
        guard scheme == "http" || scheme == "https" else {
            throw MessageProblem("The scheme is neither http nor https.", code: 501, cause: .scheme)
        }
        guard path.utf8.first == UInt8(ascii: "/") || (path.utf8.elementsEqual("*".utf8) && method == "OPTIONS") else {
            throw MessageProblem("The path does not begin with a slash.")
        }
        guard authority?.isEmpty != true else {
            throw MessageProblem("The authority is empty.", cause: .ambiguousHost)
        }
        if let authority, authority.utf8.contains(UInt8(ascii: "@")) {
            throw MessageProblem("The authority holds user information.", cause: .ambiguousHost)
        }
    }
}

extension String? {
    /// Takes a value where there was none.
    fileprivate mutating func replace(_ value: String) -> Bool {
        guard self == nil else { return false }
        self = value
        return true
    }
}
