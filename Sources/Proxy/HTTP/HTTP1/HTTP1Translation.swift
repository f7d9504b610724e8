import NIOCore
import Traffic

/// Translates heads that came in HTTP/2 into HTTP/1.1, for a side that speaks only that (RFC 9113 §8.1 to §8.3).
///
/// Field names stay in lower case, as they came. It adds the framing that HTTP/1 needs: chunked where the length is not known in advance.
enum HTTP1Translation {
    /// A request's head in HTTP/1.1.
    static func request(_ head: RequestHead, route: RequestRoute) -> ByteBuffer {
        let drops = HopByHop.dropped(head.fields, isRequest: true)
        var out = ByteBufferAllocator().buffer(capacity: head.raw.readableBytes + 64)
        out.writeString(head.method)
        out.writeInteger(ASCII.space)
        if let target = route.originTarget {
            out.writeImmutableBuffer(target)
        } else {
            out.writeString(head.passedTarget)
        }
        out.writeStaticString(" HTTP/1.1\r\n")
        out.writeString("host: \(route.host ?? head.fields.first("host") ?? route.endpoint.description)\r\n")
        var cookies: [String] = []
        for position in head.fields.indices where !drops.contains(position) {
            if head.fields.isNamed("host", at: position) { continue }
            let field = head.fields[position]
            // Cookie crumbs are one field in HTTP/1 (RFC 9113 §8.2.3).
            if head.fields.isNamed("cookie", at: position) { cookies.append(field.value) } else { write(field, &out) }
        }
        if !cookies.isEmpty { out.writeString("cookie: \(cookies.joined(separator: "; "))\r\n") }
        switch head.framing {
        case .chunked: out.writeStaticString("transfer-encoding: chunked\r\n")
        case .none where ["POST", "PUT", "PATCH"].contains(head.method) && !head.fields.contains("content-length"):
            out.writeStaticString("content-length: 0\r\n")
        default: break
        }
        out.writeStaticString("\r\n")
        return out
    }

    /// A response's head in HTTP/1.1.
    ///
    /// - Parameters:
    ///   - head: as it came.
    ///   - method: of the request it answers.
    ///   - canChunk: false for a client of HTTP/1.0.
    ///   - closes: adds `Connection: close`.
    /// - Returns: the bytes to send.
    static func response(_ head: ResponseHead, to method: String, canChunk: Bool, closes: Bool) -> ByteBuffer {
        let drops = HopByHop.dropped(head)
        var out = ByteBufferAllocator().buffer(capacity: head.raw.readableBytes + 64)
        // HTTP/2 has no reason phrase, and none is made up.
        out.writeString("HTTP/1.1 \(head.code) \r\n")
        for position in head.fields.indices where !drops.contains(position) {
            write(head.fields[position], &out)
        }
        let mayHaveContent = head.code >= 200 && head.code != 204 && head.code != 304 && method != "HEAD"
        if head.framing == .chunked, canChunk, mayHaveContent {
            out.writeStaticString("transfer-encoding: chunked\r\n")
        } else if mayHaveContent, head.framing == .none, !head.fields.contains("content-length") {
            out.writeStaticString("content-length: 0\r\n")
        }
        if closes { out.writeStaticString("connection: close\r\n") }
        out.writeStaticString("\r\n")
        return out
    }

    private static func write(_ field: HeaderList.Field, _ out: inout ByteBuffer) {
        out.writeString(field.name)
        out.writeStaticString(": ")
        out.writeString(field.value)
        out.writeStaticString("\r\n")
    }
}
