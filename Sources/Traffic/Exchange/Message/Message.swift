package import NIOCore

/// One message of an exchange as bytes: the head that came, the head that went on, the trailers, and the measure of the body.
package struct Message: Hashable, Sendable {
    /// The head exactly as received, from the start line to the empty line inclusive; for a refused request, whatever came.
    package var head: ByteBuffer
    /// The head as sent on, where it differs from `head`; `nil` when the same bytes went on or nothing did.
    package var sentHead: ByteBuffer?
    /// The trailer section as received, field lines with their line ends; `nil` when there was none.
    package var trailers: ByteBuffer?
    /// The body's measure; its bytes are in the store.
    package var body: Body

    package init(head: ByteBuffer, sentHead: ByteBuffer? = nil, trailers: ByteBuffer? = nil, body: Body = Body()) {
        self.head = head
        self.sentHead = sentHead
        self.trailers = trailers
        self.body = body
    }

    /// The field lines of `head`, read leniently so that a refused message can be shown too.
    package var fields: HeaderList { HeaderList(head: head) }

    /// The first value under a name, ignoring case, as `fields` has it; the other lines are not parsed.
    package func field(_ name: StaticString) -> String? {
        head.withUnsafeReadableBytes { raw in
            var lineStart = ASCII.place(of: ASCII.lineFeed, in: raw, from: 0) + 1
            while lineStart < raw.count {
                let end = ASCII.place(of: ASCII.lineFeed, in: raw, from: lineStart)
                let colon = lineStart + name.utf8CodeUnitCount
                if colon < end, raw[colon] == ASCII.colon, Message.stands(name, in: raw, at: lineStart) {
                    var value = colon + 1..<end
                    if raw[end - 1] == ASCII.carriageReturn {
                        value = value.lowerBound..<max(value.lowerBound, end - 1)
                    }
                    while let first = value.first, ASCII.isBlank(raw[first]) { value = first + 1..<value.upperBound }
                    while let last = value.last, ASCII.isBlank(raw[last]) { value = value.lowerBound..<last }
                    let base = head.readerIndex
                    let list = HeaderList(bytes: head, spans: [])
                    return list.text(base + value.lowerBound..<base + value.upperBound)
                }
                lineStart = end + 1
            }
            return nil
        }
    }

    private static func stands(_ name: StaticString, in raw: UnsafeRawBufferPointer, at start: Int) -> Bool {
        for offset in 0..<name.utf8CodeUnitCount
        where ASCII.lower(raw[start + offset]) != ASCII.lower(name.utf8Start[offset]) {
            return false
        }
        return true
    }
}
