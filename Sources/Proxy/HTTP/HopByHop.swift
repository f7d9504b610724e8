import NIOCore
import Traffic

/// Makes the head that is sent on from the head that came.
///
/// Fields that concern one connection are dropped (RFC 9110 §7.6.1), and everything else passes byte for byte. A head in which nothing changes is
/// the same buffer.
enum HopByHop {
    /// The request head for the upstream.
    ///
    /// - Parameters:
    ///   - head: as it came.
    ///   - target: the bytes to put in place of the request target, where it came in absolute-form; `nil` keeps it.
    ///   - host: the Host value to send where the client's differs from the target's authority; `nil` keeps the client's.
    ///   - keepsUpgrade: whether to keep the fields that ask for another protocol.
    /// - Returns: the bytes to send.
    static func request(
        _ head: RequestHead,
        target: ByteBuffer?,
        host: String?,
        keepsUpgrade: Bool = false
    ) -> ByteBuffer {
        var drops = dropped(head.fields, isRequest: true)
        if keepsUpgrade {
            drops.removeAll { head.fields.isNamed("connection", at: $0) || head.fields.isNamed("upgrade", at: $0) }
        }
        let hasHost = head.fields.contains("host")
        if host != nil {
            for position in head.fields.indices where head.fields.isNamed("host", at: position) {
                drops.append(position)
            }
        }
        guard target != nil || host != nil || !drops.isEmpty else { return head.raw }
        var out = ByteBufferAllocator().buffer(capacity: head.raw.readableBytes + (host?.utf8.count ?? 0) + 16)
        copy(head.raw, from: head.raw.readerIndex, to: head.target.lowerBound, into: &out)
        if let target {
            out.writeImmutableBuffer(target)
        } else {
            copy(head.raw, from: head.target.lowerBound, to: head.target.upperBound, into: &out)
        }
        let lineEnd = endOfStartLine(head.raw)
        copy(head.raw, from: head.target.upperBound, to: lineEnd, into: &out)
        if let host, !hasHost { out.writeString("Host: \(host)\r\n") }
        var isHostWritten = !hasHost
        copyFields(head.fields, from: lineEnd, dropping: drops.sorted(), into: &out) { position, out in
            guard let host, !isHostWritten, head.fields.isNamed("host", at: position) else { return }
            isHostWritten = true
            let name = head.fields.spans[position].name
            copy(head.raw, from: name.lowerBound, to: name.upperBound, into: &out)
            out.writeString(": \(host)\r\n")
        }
        return out
    }

    /// The response head for the client.
    ///
    /// - Parameters:
    ///   - head: as it came.
    ///   - keepsFraming: false drops Transfer-Encoding, for a client that cannot read chunks.
    ///   - closes: adds `Connection: close`.
    /// - Returns: the bytes to send.
    static func response(_ head: ResponseHead, keepsFraming: Bool, closes: Bool) -> ByteBuffer {
        var drops = dropped(head)
        if !keepsFraming {
            for position in head.fields.indices where head.fields.isNamed("transfer-encoding", at: position) {
                drops.append(position)
            }
        }
        guard !drops.isEmpty || closes else { return head.raw }
        var out = ByteBufferAllocator().buffer(capacity: head.raw.readableBytes + 24)
        let lineEnd = endOfStartLine(head.raw)
        copy(head.raw, from: head.raw.readerIndex, to: lineEnd, into: &out)
        copyFields(head.fields, from: lineEnd, dropping: drops.sorted(), into: &out) { _, _ in }
        if closes {
            out.moveWriterIndex(to: out.writerIndex - 2)
            out.writeStaticString("Connection: close\r\n\r\n")
        }
        return out
    }

    /// The trailer section for the other side, without fields of one connection and those that the head's Connection fields name (RFC 9110 §7.6.1).
    ///
    /// - Parameters:
    ///   - section: as it came, with the empty line.
    ///   - head: the fields of the message's head.
    ///   - isRequest: whether it is a request's.
    /// - Returns: the same bytes where nothing is dropped, and `nil` where nothing is left.
    static func trailers(_ section: ByteBuffer, of head: HeaderList, isRequest: Bool) -> ByteBuffer? {
        let fields = HeaderList(trailers: section)
        var names: Set<String> = []
        for position in head.indices where head.isNamed("connection", at: position) {
            names.formUnion(options(head, position))
        }
        let own = Set(dropped(fields, isRequest: isRequest))
        let drops = fields.indices.filter {
            own.contains($0) || names.contains(ASCII.lower(fields.text(fields.spans[$0].name)))
        }
        guard !drops.isEmpty else { return section }
        guard drops.count < fields.count else { return nil }
        var out = ByteBuffer()
        copyFields(fields, from: section.readerIndex, dropping: drops, into: &out) { _, _ in }
        return out
    }

    /// Whether a Connection field of these says `close`, or `keep-alive` for HTTP/1.0 (RFC 9112 §9.3).
    static func persists(_ fields: HeaderList, version: HTTPVersion) -> Bool {
        var persists = version != .http10
        for position in fields.indices
        where fields.isNamed("connection", at: position) || fields.isNamed("proxy-connection", at: position) {
            // The commonest values need no parsing.
            if fields.isValue("close", at: position) { return false }
            if fields.isValue("keep-alive", at: position) {
                persists = true
                continue
            }
            for option in options(fields, position) {
                if option == "close" { return false }
                if option == "keep-alive" { persists = true }
            }
        }
        return persists
    }

    /// The positions of a response's field lines that are dropped.
    ///
    /// An interim response has no content (RFC 9110 §8.6, RFC 9112 §6.1): with a framing field, a client might take the next response for it.
    static func dropped(_ head: ResponseHead) -> [Int] {
        let drops = dropped(head.fields, isRequest: false)
        guard head.isInterim else { return drops }
        return drops
            + head.fields.indices.filter {
                head.fields.isNamed("content-length", at: $0) || head.fields.isNamed("transfer-encoding", at: $0)
            }
    }

    /// The positions of the field lines that concern only this connection.
    static func dropped(_ fields: HeaderList, isRequest: Bool) -> [Int] {
        var drops: [Int] = []
        // A set, so that many options and many fields cost their sum and not their product.
        var nominated: Set<String> = []
        for position in fields.indices where isPossiblyHopByHop(fields, position) {
            if fields.isNamed("connection", at: position) {
                drops.append(position)
                // `keep-alive` names a field we drop anyway; `close` hardly ever names a field (RFC 9112 §9.6 reserves it).
                let isClose = fields.isValue("close", at: position) && !fields.contains("close")
                if !isClose, !fields.isValue("keep-alive", at: position) {
                    nominated.formUnion(options(fields, position))
                }
            } else if fields.isNamed("proxy-connection", at: position) || fields.isNamed("keep-alive", at: position)
                || fields.isNamed("proxy-authorization", at: position)
                || fields.isNamed("proxy-authenticate", at: position)
                || fields.isNamed("proxy-authentication-info", at: position) || fields.isNamed("upgrade", at: position)
                || (isRequest && (fields.isNamed("te", at: position) || isForProxies(fields, position)))
            {
                drops.append(position)
            }
        }
        guard !nominated.isEmpty else { return drops }
        let connectionFields = Set(drops)
        for position in fields.indices where !connectionFields.contains(position) {
            let name = ASCII.lower(fields.text(fields.spans[position].name))
            // A field of framing or routing is not dropped, even where Connection names it: that would change the message's meaning.
            guard nominated.contains(name), name != "transfer-encoding", name != "content-length", name != "host",
                name != "trailer"
            else { continue }
            drops.append(position)
        }
        return drops
    }

    /// A cheap first look at a field's name: its first letter and length.
    private static func isPossiblyHopByHop(_ fields: HeaderList, _ position: Int) -> Bool {
        let name = fields.spans[position].name
        switch name.count {
        case 2, 7, 10, 16, 18, 19, 25:
            switch fields.bytes.getInteger(at: name.lowerBound, as: UInt8.self) {
            case UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "p"), UInt8(ascii: "P"), UInt8(ascii: "k"),
                UInt8(ascii: "K"),
                UInt8(ascii: "u"), UInt8(ascii: "U"), UInt8(ascii: "t"), UInt8(ascii: "T"):
                return true
            default: return false
            }
        default: return isForProxies(fields, position)
        }
    }

    /// Whether a field's name begins with `Proxy-`.
    private static func isForProxies(_ fields: HeaderList, _ position: Int) -> Bool {
        let name = fields.spans[position].name
        guard name.count > 6, fields.bytes.getInteger(at: name.lowerBound + 5, as: UInt8.self) == UInt8(ascii: "-")
        else { return false }
        return fields.bytes.viewBytes(at: name.lowerBound, length: 5)?.elementsEqual(
            "proxy".utf8,
            by: { ASCII.lower($0) == $1 }
        ) == true
    }

    /// The options of a Connection field, in lower case.
    static func options(_ fields: HeaderList, _ position: Int) -> [String] {
        ASCII.lower(fields.text(fields.spans[position].value)).utf8
            .split { $0 == ASCII.comma || ASCII.isBlank($0) }.map { String(Substring($0)) }
    }

    static func endOfStartLine(_ raw: ByteBuffer) -> Int {
        let view = raw.readableBytesView
        return (view.firstIndex(of: ASCII.lineFeed) ?? view.endIndex - 1) + 1
    }

    static func copyFields(
        _ fields: HeaderList,
        from start: Int,
        dropping drops: [Int],
        into out: inout ByteBuffer,
        replacing: (Int, inout ByteBuffer) -> Void
    ) {
        var from = start
        for position in drops {
            let span = fields.spans[position]
            copy(fields.bytes, from: from, to: span.name.lowerBound, into: &out)
            replacing(position, &out)
            let rest = fields.bytes.viewBytes(
                at: span.value.upperBound,
                length: fields.bytes.writerIndex - span.value.upperBound
            )
            from = (rest?.firstIndex(of: ASCII.lineFeed) ?? fields.bytes.writerIndex - 1) + 1
        }
        copy(fields.bytes, from: from, to: fields.bytes.writerIndex, into: &out)
    }

    private static func copy(_ source: ByteBuffer, from: Int, to: Int, into out: inout ByteBuffer) {
        guard to > from, let slice = source.getSlice(at: from, length: to - from) else { return }
        out.writeImmutableBuffer(slice)
    }
}
