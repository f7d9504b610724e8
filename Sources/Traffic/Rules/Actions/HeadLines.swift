import NIOCore

/// A head, or a trailer section, line by line: lines that no edit touches keep their bytes, their order and their case.
struct HeadLines {
    /// A field line.
    private enum Line {
        /// A line as it came: the range of the whole with its line end, and those of its name and value.
        case kept(Range<Int>, name: Range<Int>, value: Range<Int>)
        /// A line of a rule's, and where the one stood in whose place it is; `nil` for one that was added at the end.
        case written(name: String, value: String, at: Int?)

        /// Where it stood among the lines that came; `nil` for one that was added at the end.
        var position: Int? {
            switch self {
            case .kept(let range, _, _): range.lowerBound
            case .written(_, _, let position): position
            }
        }
    }

    private let bytes: ByteBuffer
    /// The first line without its end; `nil` in a trailer section.
    private(set) var start: String?
    /// Whether the first line is UTF-8, so that it can be written anew without losing a byte.
    private(set) var isStartText = true
    /// The range of the first line with its end; `nil` once it was changed.
    private var startRange: Range<Int>?
    private var lines: [Line] = []

    /// Splits a head into lines.
    init(head: ByteBuffer) { self.init(head, hasStart: true) }

    /// Splits a trailer section into lines; `nil` stands for one without fields.
    init(trailers: ByteBuffer?) { self.init(trailers ?? ByteBuffer(), hasStart: false) }

    private init(_ buffer: ByteBuffer, hasStart: Bool) {
        bytes = buffer
        var isFirst = hasStart
        let base = buffer.readerIndex
        buffer.withUnsafeReadableBytes { raw in
            var lineStart = 0
            while lineStart < raw.count {
                let feed = raw[lineStart...].firstIndex(of: ASCII.lineFeed) ?? raw.count
                let next = min(feed + 1, raw.count)
                var end = feed
                if end > lineStart, raw[end - 1] == ASCII.carriageReturn { end -= 1 }
                defer { lineStart = next }
                if isFirst {
                    isFirst = false
                    isStartText = String(validating: raw[lineStart..<end], as: UTF8.self) != nil
                    start = ByteText.passed(raw[lineStart..<end])
                    startRange = base + lineStart..<base + next
                    continue
                }
                guard end > lineStart else { continue }
                let colon = raw[lineStart..<end].firstIndex(of: ASCII.colon) ?? end
                var value = min(colon + 1, end)..<end
                while let first = value.first, ASCII.isBlank(raw[first]) { value = first + 1..<end }
                while let last = value.last, ASCII.isBlank(raw[last]) { value = value.lowerBound..<last }
                lines.append(
                    .kept(
                        base + lineStart..<base + next,
                        name: base + lineStart..<base + colon,
                        value: base + value.lowerBound..<base + value.upperBound
                    )
                )
            }
        }
    }

    /// The lines as bytes: a head with its empty line, a trailer section without one.
    var joined: ByteBuffer {
        var out = ByteBuffer()
        out.reserveCapacity(bytes.readableBytes + 128)
        if let startRange {
            copy(startRange, to: &out)
        } else if let start {
            out.writeString("\(start)\r\n")
        }
        for line in lines {
            switch line {
            case .kept(let range, _, _): copy(range, to: &out)
            case .written(let name, let value, _): out.writeString("\(name): \(value)\r\n")
            }
        }
        if start != nil { out.writeString("\r\n") }
        return out
    }

    private func copy(_ range: Range<Int>, to out: inout ByteBuffer) {
        if let part = bytes.getSlice(at: range.lowerBound, length: range.count) { out.writeImmutableBuffer(part) }
    }

    /// Bytes of a head that edits have made longer.
    private static let limitBytes = 1 << 20
    /// Lines of a head that edits have made longer.
    private static let limitCount = 1_000

    /// Bytes of all lines with their ends.
    private var length: Int {
        lines.reduce(startRange?.count ?? start.map { $0.utf8.count + 2 } ?? 0) { length, line in
            switch line {
            case .kept(let range, _, _): length + range.count
            case .written(let name, let value, _): length + name.utf8.count + value.utf8.count + 4
            }
        }
    }

    /// Checks that an edit has not made the lines too long, which values that a client sends may do.
    ///
    /// - Parameter before: the lines before the edit.
    /// - Throws: `RuleFault` where they are longer than before, and over 1 MiB or 1,000 lines.
    func check(after before: HeadLines) throws(RuleFault) {
        guard lines.count <= max(HeadLines.limitCount, before.lines.count) else {
            throw RuleFault("the head would have over \(HeadLines.limitCount) fields")
        }
        guard length <= max(HeadLines.limitBytes, before.length) else {
            throw RuleFault("the head would be over \(HeadLines.limitBytes >> 20) MiB")
        }
    }

    /// Replaces the first line.
    mutating func setStart(_ line: String) {
        guard start.map({ ExactText($0) }) != ExactText(line) else { return }
        start = line
        startRange = nil
    }

    var count: Int { lines.count }

    /// The name of a field line as it is written.
    func name(_ index: Int) -> String {
        switch lines[index] {
        case .kept(_, let name, _): ByteText.parted(text(name))
        case .written(let name, _, _): name
        }
    }

    /// The value of a field line, without the blanks round it.
    func value(_ index: Int) -> String {
        switch lines[index] {
        case .kept(_, _, let value): text(value)
        case .written(_, let value, _): value
        }
    }

    private func text(_ range: Range<Int>) -> String {
        bytes.getSlice(at: range.lowerBound, length: range.count).map { ByteText.passed($0) } ?? ""
    }

    /// The places of the lines of a name, ignoring case.
    func places(of name: String) -> [Int] {
        lines.indices.filter { index in
            guard case .kept(_, let range, _) = lines[index] else { return ASCII.isSame(self.name(index), name) }
            // Nearly every line has a name of another length.
            return range.count == name.utf8.count && ASCII.isSame(text(range), name)
        }
    }

    /// Puts fields of one name in the place of the first that has it, as its name is written there, and removes the others; where there is none, adds
    /// them at the end.
    ///
    /// A line that has its value already keeps its bytes.
    mutating func set(_ name: String, _ values: [String]) {
        let places = places(of: name)
        let written = places.first.map { self.name($0) } ?? name
        let position = places.first.flatMap { lines[$0].position }
        let new = values.enumerated().map { number, value in
            number < places.count && ExactText(self.value(places[number])) == ExactText(value)
                ? lines[places[number]] : Line.written(name: written, value: value, at: position)
        }
        let place = places.first ?? lines.count
        remove(places)
        lines.insert(contentsOf: new, at: place)
    }

    /// Puts one field in the place of all that have its name.
    mutating func set(_ name: String, _ value: String) { set(name, [value]) }

    /// Changes the value of one line; its name stays as it is written.
    mutating func replace(_ index: Int, with value: String) {
        lines[index] = .written(name: name(index), value: value, at: lines[index].position)
    }

    /// Adds a field at the end.
    mutating func add(_ name: String, _ value: String) { lines.append(.written(name: name, value: value, at: nil)) }

    /// Removes the lines at these places.
    mutating func remove(_ places: [Int]) {
        for place in places.sorted(by: >) { lines.remove(at: place) }
    }

    /// The lines with those of one name as they came: in their bytes, where they stood.
    func restored(_ name: String) -> HeadLines {
        var restored = self
        restored.remove(places(of: name))
        let former = HeadLines(bytes, hasStart: start != nil)
        for line in former.places(of: name).map({ former.lines[$0] }) {
            let next = restored.lines.firstIndex { ($0.position ?? .max) > line.position ?? 0 }
            restored.lines.insert(line, at: next ?? restored.lines.count)
        }
        return restored
    }

    /// Replaces the fields that say where the body ends by one field, in the place of their first, or at the end; without a name, by none.
    ///
    /// A field that says the same keeps its bytes and its place.
    mutating func frame(as name: String?, _ value: String) {
        let places = lines.indices.filter { index in
            ASCII.isSame(self.name(index), "content-length") || ASCII.isSame(self.name(index), "transfer-encoding")
        }
        let kept = places.first { index in
            name.map { ASCII.isSame(self.name(index), $0) && ASCII.isSame(self.value(index), value) } == true
        }
        let place = kept ?? places.first
        if let name, kept == nil {
            let line = Line.written(name: name, value: value, at: place.flatMap { lines[$0].position })
            if let place { lines[place] = line } else { lines.append(line) }
        }
        remove(places.filter { name == nil || $0 != place })
    }
}
