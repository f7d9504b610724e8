import NIOCore
import Traffic

/// The head of a recorded response as it is given again: order, case and duplicates as recorded, its framing that of the content given.
enum RecordedHead {
    /// Fields that say how the recorded connection framed the content, or concerned it alone.
    private static let connectionFields: Set<String> = [
        "transfer-encoding", "connection", "keep-alive", "proxy-connection", "upgrade", "trailer",
    ]
    /// The fields of a 304 beside its validator (RFC 9110 §15.4.5).
    private static let notModifiedFields: Set<String> = [
        "cache-control", "content-location", "date", "etag", "expires", "vary",
    ]

    /// - Parameters:
    ///   - response: as recorded.
    ///   - code: the status code.
    ///   - length: bytes of content that follow; `nil` leaves what was recorded, for an answer that has none.
    ///   - isDecoded: whether content codings were undone.
    /// - Returns: the head of HTTP/1.1.
    static func again(_ response: Message, code: Int, length: Int?, isDecoded: Bool = false) -> ByteBuffer {
        var head = ByteBuffer(string: "HTTP/1.1 \(code) \(StatusLine(head: response.head).reason)\r\n")
        var owesLength = length != nil
        for field in Fields(response.fields) {
            let name = field.name.lowercased()
            if connectionFields.contains(name) || name.hasPrefix(":") { continue }
            if isDecoded, name == "content-encoding" { continue }
            if name == "content-length", let length {
                if owesLength { head.writeString("\(field.name): \(length)\r\n") }
                owesLength = false
                continue
            }
            head.writeImmutableBuffer(field.line)
        }
        if owesLength, let length { head.writeString("Content-Length: \(length)\r\n") }
        head.writeString("\r\n")
        return head
    }

    /// The head of a 304 for a recorded response.
    static func notModified(_ response: Message) -> ByteBuffer {
        var head = ByteBuffer(string: "HTTP/1.1 304 Not Modified\r\n")
        for field in Fields(response.fields) where notModifiedFields.contains(field.name.lowercased()) {
            head.writeImmutableBuffer(field.line)
        }
        head.writeString("\r\n")
        return head
    }

    /// Field lines with their bytes, ended as HTTP/1.1 ends them.
    private struct Fields: Sequence {
        let list: HeaderList

        init(_ list: HeaderList) { self.list = list }

        func makeIterator() -> AnyIterator<(name: String, line: ByteBuffer)> {
            var position = 0
            return AnyIterator {
                guard position < list.spans.count else { return nil }
                let span = list.spans[position]
                position += 1
                var line = ByteBuffer()
                for range in [span.name, span.value] {
                    if let bytes = list.bytes.getSlice(at: range.lowerBound, length: range.count) {
                        line.writeImmutableBuffer(bytes)
                    }
                    line.writeString(range == span.name ? ": " : "\r\n")
                }
                return (list.text(span.name), line)
            }
        }
    }
}
