import Archive
import NIOCore
import Traffic

/// The head of a recorded response for a client: its fields keep order, case and duplicates, its framing fits the content that follows.
enum RecordedHead {
    /// Fields that say how the recorded connection framed the content, or concerned it alone.
    private static let connectionFields: Set<String> = [
        "transfer-encoding", "connection", "keep-alive", "proxy-connection", "upgrade", "trailer",
    ]
    /// Fields that are of the whole content as it was sent, or are said anew of a part of it.
    private static let wholeFields: Set<String> = ["content-md5", "content-digest", "content-range"]
    /// The fields of a 304: those of RFC 9110 §15.4.5, and the date that a client may have asked by.
    private static let notModifiedFields: Set<String> = [
        "cache-control", "content-location", "date", "etag", "expires", "last-modified", "vary",
    ]

    /// - Parameters:
    ///   - response: as recorded.
    ///   - code: the status code.
    ///   - length: bytes of content that follow; `nil` leaves what was recorded, for an answer that has none.
    ///   - isDecoded: whether content codings were undone.
    ///   - range: the value of Content-Range, for a part of what was recorded or none of it.
    /// - Returns: the head of HTTP/1.1.
    static func again(
        _ response: Message,
        code: Int,
        length: Int?,
        isDecoded: Bool = false,
        range: String? = nil
    ) -> ByteBuffer {
        let reason =
            switch (code, range) {
            case (206, .some): "Partial Content"
            case (416, .some): "Range Not Satisfiable"
            default: StatusLine(head: response.head).reason
            }
        var head = ByteBuffer(string: "HTTP/1.1 \(code) \(reason)\r\n")
        var owesLength = length != nil
        for field in Fields(response.fields) {
            let name = field.name.lowercased()
            if connectionFields.contains(name) || name.hasPrefix(":") { continue }
            if isDecoded, name == "content-encoding" { continue }
            if range != nil, wholeFields.contains(name) { continue }
            if name == "content-length", let length {
                if owesLength { head.writeString("\(field.name): \(length)\r\n") }
                owesLength = false
                continue
            }
            head.writeImmutableBuffer(field.line)
        }
        if let range { head.writeString("Content-Range: \(range)\r\n") }
        if owesLength, let length { head.writeString("Content-Length: \(length)\r\n") }
        head.writeString("\r\n")
        return head
    }

    /// The head of a 304 for a recorded response.
    ///
    /// - Parameters:
    ///   - response: as recorded.
    ///   - given: further fields that it keeps, in lower case.
    /// - Returns: the head of HTTP/1.1.
    static func notModified(_ response: Message, keeping given: Set<String> = []) -> ByteBuffer {
        var head = ByteBuffer(string: "HTTP/1.1 304 Not Modified\r\n")
        let kept = notModifiedFields.union(given).subtracting(connectionFields).subtracting(wholeFields)
        for field in Fields(response.fields) where kept.contains(ASCII.lower(field.name)) {
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
