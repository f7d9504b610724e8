package import NIOCore

/// Field lines in the order they came, case and duplicates kept, as ranges of the bytes they came in.
package struct HeaderList: Hashable, Sendable, RandomAccessCollection {
    /// Where one field line's name and value lie, as absolute indices into `bytes`; the value without surrounding white space.
    package struct Span: Hashable, Sendable {
        package var nameStart: UInt32
        package var nameEnd: UInt32
        package var valueStart: UInt32
        package var valueEnd: UInt32

        package init(name: Range<Int>, value: Range<Int>) {
            nameStart = UInt32(truncatingIfNeeded: name.lowerBound)
            nameEnd = UInt32(truncatingIfNeeded: name.upperBound)
            valueStart = UInt32(truncatingIfNeeded: value.lowerBound)
            valueEnd = UInt32(truncatingIfNeeded: value.upperBound)
        }

        package var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        package var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    }

    /// One field line as text.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The bytes that the spans point into.
    package let bytes: ByteBuffer
    /// One for each field line, in order.
    package let spans: [Span]

    package init(bytes: ByteBuffer, spans: [Span]) {
        self.bytes = bytes
        self.spans = spans
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { spans.count }

    /// The field line as text; bytes that are not UTF-8 read as ISO 8859-1, so nothing is lost to U+FFFD.
    ///
    /// Its name can be compared, its value be shown or passed on: what a value says is read by `first`, `values` and `text`.
    package subscript(position: Int) -> Field {
        Field(name: text(spans[position].name), value: passedText(spans[position].value))
    }

    /// Whether the field line at `position` has this name, ignoring ASCII case.
    package func isNamed(_ name: StaticString, at position: Int) -> Bool {
        let span = spans[position]
        guard Int(span.nameEnd &- span.nameStart) == name.utf8CodeUnitCount else { return false }
        return holds(name, at: span.name)
    }

    /// Whether the value at `position` is this, ignoring ASCII case.
    package func isValue(_ value: StaticString, at position: Int) -> Bool {
        let range = spans[position].value
        return range.count == value.utf8CodeUnitCount && holds(value, at: range)
    }

    /// Whether a text stands at a range as long as it, ignoring ASCII case.
    private func holds(_ text: StaticString, at range: Range<Int>) -> Bool {
        bytes.withUnsafeReadableBytes { raw in
            let base = range.lowerBound - bytes.readerIndex
            guard base >= 0, base + range.count <= raw.count else { return false }
            let wanted = text.utf8Start
            for offset in 0..<range.count where ASCII.lower(raw[base + offset]) != ASCII.lower(wanted[offset]) {
                return false
            }
            return true
        }
    }

    /// The first value under a name, ignoring case.
    package func first(_ name: StaticString) -> String? {
        for position in spans.indices where isNamed(name, at: position) { return text(spans[position].value) }
        return nil
    }

    /// Every value under a name, ignoring case, in order.
    package func values(_ name: StaticString) -> [String] {
        spans.indices.filter { isNamed(name, at: $0) }.map { text(spans[$0].value) }
    }

    /// Whether there is a field line of this name.
    package func contains(_ name: StaticString) -> Bool {
        spans.indices.contains { isNamed(name, at: $0) }
    }

    /// The bytes of a range as text, to be read and compared: UTF-8 where they are, else ISO 8859-1.
    package func text(_ range: Range<Int>) -> String {
        guard let part = bytes.getSlice(at: range.lowerBound, length: range.count) else { return "" }
        return part.withUnsafeReadableBytes { raw in
            // Nearly all are ASCII, which needs no validation.
            ASCII.isAll(raw) ? String(decoding: raw, as: UTF8.self) : ByteText.lossless(raw)
        }
    }

    /// The bytes of a range as text that is passed on and never compared: all that is UTF-8 stays as it is.
    package func passedText(_ range: Range<Int>) -> String {
        bytes.getSlice(at: range.lowerBound, length: range.count).map { ByteText.passed($0) } ?? ""
    }
}

extension HeaderList {
    /// Reads the field lines of a head leniently, for showing: the start line is skipped, a line without a colon is left out.
    ///
    /// The strict reading that decides about framing is the proxy's; this one never refuses.
    package init(head: ByteBuffer) {
        self.init(lines: head, skippingFirst: true)
    }

    /// Reads the field lines of a trailer section leniently.
    package init(trailers: ByteBuffer) {
        self.init(lines: trailers, skippingFirst: false)
    }

    private init(lines buffer: ByteBuffer, skippingFirst: Bool) {
        var spans: [Span] = []
        spans.reserveCapacity(16)
        buffer.withUnsafeReadableBytes { raw in
            let base = buffer.readerIndex
            var lineStart = 0
            var isFirst = skippingFirst
            while lineStart < raw.count {
                let newline = ASCII.place(of: ASCII.lineFeed, in: raw, from: lineStart)
                var end = newline
                if end > lineStart, raw[end - 1] == ASCII.carriageReturn { end -= 1 }
                defer { lineStart = newline + 1 }
                guard !isFirst else {
                    isFirst = false
                    continue
                }
                // Within the line alone: of many lines without a colon each would be looked through to the end of all.
                let line = UnsafeRawBufferPointer(rebasing: raw[..<end])
                let colon = ASCII.place(of: ASCII.colon, in: line, from: lineStart)
                guard colon < end else { continue }
                var valueStart = colon + 1
                var valueEnd = end
                while valueStart < valueEnd, ASCII.isBlank(raw[valueStart]) { valueStart += 1 }
                while valueEnd > valueStart, ASCII.isBlank(raw[valueEnd - 1]) { valueEnd -= 1 }
                spans.append(
                    Span(name: (base + lineStart)..<(base + colon), value: (base + valueStart)..<(base + valueEnd))
                )
            }
        }
        self.init(bytes: buffer, spans: spans)
    }
}

extension HeaderList {
    /// Adds the field line as a search sees it, `name: value`, folded.
    package func appendFoldedLine(at position: Int, to text: inout [UInt8]) {
        let span = spans[position]
        let isPlain = bytes.withUnsafeReadableBytes { raw in
            let (name, value) = (span.name, span.value)
            let base = bytes.readerIndex
            guard name.lowerBound >= base, value.upperBound - base <= raw.count, name.upperBound <= value.lowerBound
            else { return false }
            let line = raw[name.lowerBound - base..<value.upperBound - base]
            guard ASCII.isAll(UnsafeRawBufferPointer(rebasing: line)) else { return false }
            TextFold.append(UnsafeRawBufferPointer(rebasing: line.prefix(name.count)), to: &text)
            text.append(ASCII.colon)
            text.append(0x20)
            TextFold.append(UnsafeRawBufferPointer(rebasing: line.suffix(value.count)), to: &text)
            return true
        }
        guard !isPlain else { return }
        let field = self[position]
        text.append(contentsOf: TextFold.bytes("\(field.name): \(field.value)"))
    }
}
