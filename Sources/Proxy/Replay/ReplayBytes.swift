import NIOCore
import Traffic

/// The bytes of a recorded request as they are sent again.
enum ReplayBytes {
    /// Head as sent, then the body in the head's own framing.
    ///
    /// - Throws: `ReplayError` when the record does not hold the whole request.
    static func make(_ request: ReplayRequest) throws(ReplayError) -> ByteBuffer {
        let message = request.original.request
        let id = request.original.id
        guard !message.body.isTruncated, Int64(request.body.count) == message.body.length else {
            throw ReplayError(
                "exchange \(id) cannot be replayed: the store holds \(request.body.count) of \(message.body.length) bytes of its body"
            )
        }
        let raw = http1(message.sentHead ?? message.head, hasBody: !request.body.isEmpty)
        let head: RequestHead
        do throws(MessageProblem) { head = try HTTP1HeadParser.request(raw, limits: HeadLimits()) } catch {
            throw ReplayError("exchange \(id) cannot be replayed: \(error.message)")
        }
        let said: Int64? =
            switch head.framing {
            case .none: 0
            case .length(let length): length
            case .chunked, .untilClose: nil
            }
        guard said == nil || said == Int64(request.body.count) else {
            throw ReplayError(
                "exchange \(id) cannot be replayed: its head announces \(said ?? 0) bytes, and the body has \(request.body.count)"
            )
        }
        var out = raw
        switch head.framing {
        case .chunked:
            if !request.body.isEmpty {
                out.writeString(String(request.body.count, radix: 16) + "\r\n")
                out.writeBytes(request.body)
                out.writeStaticString("\r\n")
            }
            out.writeStaticString("0\r\n")
            out.writeImmutableBuffer(message.trailers ?? ByteBuffer(staticString: "\r\n"))
        default: out.writeBytes(request.body)
        }
        return out
    }

    /// The head in HTTP/1.1: one that was sent in HTTP/2 is translated, with the framing that HTTP/1.1 needs, and any other stays as it is.
    ///
    /// The proxy speaks HTTP/2 upstream again where the upstream does.
    private static func http1(_ head: ByteBuffer, hasBody: Bool) -> ByteBuffer {
        let line = head.readableBytesView.prefix { $0 != ASCII.carriageReturn }
        guard line.suffix(7).elementsEqual(" HTTP/2".utf8) else { return head }
        var out = ByteBuffer(bytes: line.dropLast(2))
        out.writeStaticString("/1.1\r\n")
        out.writeBytes(head.readableBytesView.dropFirst(line.count + 2).dropLast(2))
        if hasBody, !HeaderList(head: head).contains("content-length") {
            out.writeStaticString("transfer-encoding: chunked\r\n")
        }
        out.writeStaticString("\r\n")
        return out
    }
}
