import NIOCore
import NIOHPACK
import Traffic

/// Makes the field sections to send in HTTP/2 from heads of either version, without fields that concern one connection.
enum HTTP2Fields {
    /// The size of a field section as RFC 9113 §6.5.2 counts it: 32 bytes for each field beside its name and value.
    static func size(_ fields: HPACKHeaders) -> Int {
        fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
    }

    /// A request's field section.
    ///
    /// - Parameters:
    ///   - head: as it came.
    ///   - route: where it goes.
    /// - Returns: the section to send, and whether it differs from what came.
    static func request(_ head: RequestHead, route: RequestRoute) -> (fields: HPACKHeaders, isChanged: Bool) {
        let drops = HopByHop.dropped(head.fields, isRequest: true)
        let keepsTrailers = head.fields.indices.contains {
            head.fields.isNamed("te", at: $0) && head.fields.members(at: $0).contains("trailers")
        }
        let isAsCame = route.originTarget == nil && route.host == nil
        if let received = head.received, isAsCame, drops.allSatisfy({ head.fields.isNamed("te", at: $0) }) {
            return (measured(received), false)
        }
        let target = route.originTarget.map { ByteText.passed($0) } ?? head.passedTarget
        var out = HPACKHeaders()
        out.reserveCapacity(head.fields.count + 4)
        out.add(name: ":method", value: head.method)
        out.add(
            name: ":scheme",
            value: head.scheme ?? (route.scheme == .https || route.scheme == .wss ? "https" : "http")
        )
        let authority = route.host ?? head.fields.first("host") ?? route.endpoint.description
        add(":authority", authority, to: &out)
        add(":path", target, to: &out)
        if let extendedProtocol = head.extendedProtocol { out.add(name: ":protocol", value: extendedProtocol) }
        copy(head.fields, dropping: drops, isRequest: true, into: &out)
        if keepsTrailers { out.add(name: "te", value: "trailers") }
        return (out, true)
    }

    /// A response's field section.
    static func response(_ head: ResponseHead) -> (fields: HPACKHeaders, isChanged: Bool) {
        let drops = HopByHop.dropped(head)
        if let received = head.received, drops.isEmpty { return (measured(received), false) }
        var out = HPACKHeaders()
        out.reserveCapacity(head.fields.count + 1)
        out.add(name: ":status", value: String(head.code))
        copy(head.fields, dropping: drops, isRequest: false, into: &out)
        return (out, true)
    }

    /// A trailer section's fields, from field lines.
    static func trailers(_ text: ByteBuffer) -> HPACKHeaders {
        let fields = HeaderList(trailers: text)
        var out = HPACKHeaders()
        copy(fields, dropping: HopByHop.dropped(fields, isRequest: false), isRequest: false, into: &out)
        return out
    }

    /// The section as the record shows it, in the form `HTTP2HeadReader` describes.
    static func text(_ headers: HPACKHeaders) -> ByteBuffer {
        var out = ByteBuffer()
        if let status = headers.first(name: ":status") {
            out.writeString("HTTP/2 \(status)\r\n")
        } else {
            let path = headers.first(name: ":path") ?? headers.first(name: ":authority") ?? ""
            out.writeString("\(headers.first(name: ":method") ?? "") \(path) HTTP/2\r\n")
            if let authority = headers.first(name: ":authority") { out.writeString("host: \(authority)\r\n") }
        }
        for (name, value, _) in headers where name.utf8.first != ASCII.colon {
            out.writeString("\(name): \(value)\r\n")
        }
        out.writeStaticString("\r\n")
        return out
    }

    /// The same fields as they can be sent: an encoder compares each value with those that it knows of the name.
    private static func measured(_ received: HPACKHeaders) -> HPACKHeaders {
        guard received.contains(where: { !ByteText.isText($0.value) }) else { return received }
        var out = HPACKHeaders()
        for (name, value, indexing) in received {
            out.add(
                name: name,
                value: value,
                indexing: indexing == .indexable && !ByteText.isText(value) ? .nonIndexable : indexing
            )
        }
        return out
    }

    /// Adds a field; one whose value is slow to compare is neither looked up in the table of the connection nor put there.
    static func add(_ name: String, _ value: String, to out: inout HPACKHeaders) {
        out.add(name: name, value: value, indexing: ByteText.isText(value) ? .indexable : .nonIndexable)
    }

    /// Adds field lines with names in lower case, except those that are dropped and those that HTTP/2 expresses in another way.
    static func copy(
        _ fields: HeaderList,
        dropping drops: [Int],
        isRequest: Bool,
        into out: inout HPACKHeaders
    ) {
        for position in fields.indices where !drops.contains(position) {
            if isRequest, fields.isNamed("host", at: position) { continue }
            if fields.isNamed("transfer-encoding", at: position) || fields.isNamed("te", at: position) { continue }
            let field = fields[position]
            add(ASCII.lower(field.name), field.value, to: &out)
        }
    }
}
