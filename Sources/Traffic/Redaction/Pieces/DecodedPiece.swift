/// A stretch of a text with one layer of escapes undone, and the place of each of its bytes in the text.
///
/// Texts contain texts: a JSON string may hold JSON, a query a URL, a URL a form. Secrets of the inner text are searched for in the piece, and masked
/// in the outer text.
struct DecodedPiece {
    /// Layers of each kind that are undone, one inside the other; deeper texts are searched as they stand.
    static let layerLimit = 5
    /// The most layers of any kind around a table whose cells are searched.
    private static let tableLayerLimit = 1
    /// The most layers of any kind around a stream whose events are joined.
    private static let eventLayerLimit = 2

    /// How a stretch is escaped.
    enum Coding {
        /// Percent-encoding of a query or form (WHATWG URL §5.1).
        case form
        /// Backslashes, as in strings of JSON (RFC 8259 §7) and JavaScript.
        case slashes
        /// Character references of HTML and XML.
        case entities
        /// Percent-encoding of a URL (RFC 3986 §2.1).
        case percent
        /// Doubled quotation marks in the cells of tables (RFC 4180 §2).
        case doubled
        /// The lines of an event's data, with the names of fields before them and other fields between them (WHATWG HTML §9.2.5).
        case event
        /// Nothing: a string without escapes, which is a text of its own where it has strings in single quotation marks.
        case plain
    }

    /// Counts how often each kind of escape was undone on the way to a text; a run of backslashes uses up the layers of its own kind only.
    struct Layers {
        /// How much of a stretch is decoded at a time.
        let window: SearchWindow
        private var undone: [Coding: Int] = [:]
        /// The kinds of the layers, the outermost first.
        private(set) var codings: [Coding] = []
        /// Whether the text begins in the middle of an escaped stretch that was too long for one piece.
        var isContinued = false
        /// Whether the text may end in the middle of that stretch.
        var isCut = false

        init(_ window: SearchWindow) { self.window = window }

        /// Whether one more layer of a kind may be undone.
        ///
        /// Cells and events are looked through in addition to all other layers, so only few layers are allowed around a table or a stream. A
        /// stream's data holds no other stream, and a cell holds none.
        func mayUndo(_ coding: Coding) -> Bool {
            switch coding {
            case .doubled: count <= DecodedPiece.tableLayerLimit
            case .event: undone[.event] == nil && undone[.doubled] == nil && count <= DecodedPiece.eventLayerLimit
            case .plain: undone[.plain] == nil
            default: undone[coding, default: 0] < DecodedPiece.layerLimit
            }
        }

        /// How many layers were undone, of any kind.
        private var count: Int { undone.values.reduce(0, +) }

        /// The layers with one more inside them.
        func undoing(_ coding: Coding) -> Layers {
            var layers = self
            layers.undone[coding, default: 0] += 1
            layers.codings.append(coding)
            return layers
        }
    }

    /// The decoded bytes.
    private(set) var bytes: [UInt8] = []
    /// The place of each byte in the whole text, and last the end of the piece.
    private var places: [UInt32] = []
    /// The layers that were undone, including its own.
    let layers: Layers
    /// Whether it begins in the middle of an escaped stretch that was too long for one piece.
    var isContinued: Bool { layers.isContinued }
    /// Whether it may end in the middle of that stretch.
    var isCut: Bool { layers.isCut }
    /// Whether it stands in a string without escapes, in which quotation marks cannot be written.
    var isPlain: Bool { layers.codings.contains(.plain) }

    /// The range of the whole text that a range of the piece comes from.
    func place(_ range: Range<Int>) -> Range<Int> {
        let start = Int(places[range.lowerBound])
        return start..<max(start, Int(places[range.upperBound]))
    }

    /// The quotation marks to put around a placeholder in the whole text, where the piece needs these; none where the piece is in a cell of a table
    /// that is the whole text.
    func quote(_ quote: [UInt8]) -> [UInt8] {
        layers.codings == [.doubled] && !isContinued ? escaped(quote) : []
    }

    /// Marks of the piece as the whole text spells them; none where that takes more than 32 bytes, which bounds how much a text grows.
    func escaped(_ marks: [UInt8]) -> [UInt8] {
        let escaped = layers.codings.reversed().reduce(marks) { marks, coding in
            marks.flatMap { DecodedPiece.escaped($0, coding) }
        }
        return escaped.count <= 1 << DecodedPiece.layerLimit ? escaped : []
    }

    /// Gives every stretch of a text that has escapes or strings in single quotation marks, and the stretches inside it.
    ///
    /// A stretch ends at a quotation mark that is not escaped, so that nothing found in it reaches out of a JSON string. Each item of a query or form
    /// is a stretch, and in any text whatever may be a cell of a table.
    static func each(
        in text: [UInt8],
        form: SecretScanner.Form,
        window: SearchWindow,
        _ give: (DecodedPiece) -> Void
    ) {
        // Places are numbers of 32 bits; no text that is searched is so long.
        guard text.count < Int(UInt32.max) else { return }
        let layers = Layers(window)
        switch form {
        case .form:
            for item in text.split(separator: UInt8(ascii: "&")) {
                let piece = DecodedPiece(item, .form, in: layers) { UInt32($0) }
                give(piece)
                piece.eachInside(give)
            }
        case .text, .table:
            inside(text, layers, { UInt32($0) }, give)
        }
    }

    /// Gives every stretch of the piece that has escapes, and the stretches inside it.
    func eachInside(_ give: (DecodedPiece) -> Void) {
        DecodedPiece.inside(bytes, layers, { places[$0] }, give)
    }

    private static func inside(
        _ text: [UInt8],
        _ layers: Layers,
        _ place: (Int) -> UInt32,
        _ give: (DecodedPiece) -> Void
    ) {
        events(text, layers, place, give)
        stretches(text, layers, place, give)
    }

    private static func stretches(
        _ text: [UInt8],
        _ layers: Layers,
        _ place: (Int) -> UInt32,
        _ give: (DecodedPiece) -> Void
    ) {
        if layers.mayUndo(.doubled) { cells(text, layers, place, give) }
        let mark = UInt8(ascii: "\"")
        let hasPlain = layers.mayUndo(.plain) && text.contains(mark)
        guard hasPlain || text.contains(where: { mayEscape($0) }) else { return }
        var start = 0
        var index = 0
        while index <= text.count {
            let isEnd = index == text.count || text[index] == mark
            if isEnd {
                if let coding = coding(text, start..<index, layers) {
                    decode(text, start..<index, coding, layers, place, give)
                } else if hasPlain, JSONPairs.mayHaveSingles(text[start..<index]) {
                    decode(text, start..<index, .plain, layers, place, give)
                }
                start = index + 1
            }
            index += !isEnd && text[index] == UInt8(ascii: "\\") && index + 1 < text.count ? 2 : 1
        }
    }

    /// Gives stretches between quotation marks that begin where a cell may begin, if they contain doubled marks.
    ///
    /// A stretch ends with the next odd run of marks, or with the text, so that no byte is in two stretches. A line of the text may name another
    /// separator.
    private static func cells(
        _ text: [UInt8],
        _ layers: Layers,
        _ place: (Int) -> UInt32,
        _ give: (DecodedPiece) -> Void
    ) {
        let mark = UInt8(ascii: "\"")
        guard text.contains(mark) else { return }
        let separators = separators(in: text)
        var open: Int?
        var hasDoubled = false
        var index = 0
        while let first = text[index...].firstIndex(of: mark) {
            let end = text[first...].firstIndex { $0 != mark } ?? text.count
            let isOdd = (end - first) % 2 == 1
            hasDoubled = hasDoubled || end - first > 1
            if isOdd {
                if let open, hasDoubled, text[end...].first(where: isNoBlank).map(separators.contains) ?? true {
                    decode(text, open..<end - 1, .doubled, layers, place, give)
                }
                open = text[..<first].last(where: isNoBlank).map(separators.contains) ?? true ? first + 1 : nil
                hasDoubled = end - first > 1
            }
            index = end
        }
        if let open, hasDoubled { decode(text, open..<text.count, .doubled, layers, place, give) }
    }

    /// The bytes that may separate cells; any line of a text may be the first line of a table.
    private static func separators(in text: [UInt8]) -> [UInt8] {
        var separators = Array("\t;|,\r\n".utf8)
        var start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < text.count {
            if let told = TableReading.separator(toldBy: text[start...]), !separators.contains(told) {
                separators.append(told)
            }
            start = (text[start...].firstIndex(where: TableReading.isLineEnd) ?? text.count) + 1
        }
        return separators
    }

    private static func isNoBlank(_ byte: UInt8) -> Bool { byte != ASCII.space }

    private static func decode(
        _ text: [UInt8],
        _ stretch: Range<Int>,
        _ coding: Coding,
        _ layers: Layers,
        _ place: (Int) -> UInt32,
        _ give: (DecodedPiece) -> Void
    ) {
        var start = stretch.lowerBound
        while start < stretch.upperBound {
            let end = min(stretch.upperBound, start + layers.window.bytes)
            var outer = layers
            outer.isContinued = layers.isContinued || start > stretch.lowerBound
            outer.isCut = layers.isCut || end < stretch.upperBound
            let piece = DecodedPiece(text[start..<end], coding, in: outer, place)
            give(piece)
            piece.eachInside(give)
            if end == stretch.upperBound { return }
            start = end - layers.window.overlapBytes
        }
    }

    /// The next layer of a stretch to undo; `nil` where it has none.
    private static func coding(_ text: [UInt8], _ stretch: Range<Int>, _ layers: Layers) -> Coding? {
        var found: Coding?
        let (slashes, entities) = (layers.mayUndo(.slashes), layers.mayUndo(.entities))
        let percent = layers.mayUndo(.percent)
        for index in stretch where mayEscape(text[index]) {
            switch text[index] {
            case UInt8(ascii: "\\") where slashes && slash(text[index..<stretch.upperBound].prefix(6)) != nil:
                return .slashes
            case UInt8(ascii: "&") where entities && entity(text[index...].prefix(12)) != nil: found = .entities
            case UInt8(ascii: "%") where percent && found == nil && PercentCoding.byte(at: index, in: text) != nil:
                found = .percent
            default: break
            }
        }
        return found
    }

    private static func mayEscape(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "&")
    }

    // MARK: one layer

    /// Undoes one layer of a stretch, whose places in the whole text `place` gives.
    init(
        _ source: ArraySlice<UInt8>,
        _ coding: Coding,
        in layers: Layers,
        _ place: (Int) -> UInt32
    ) {
        self.layers = layers.undoing(coding)
        bytes.reserveCapacity(source.count)
        places.reserveCapacity(source.count + 1)
        var index = source.startIndex
        while index < source.endIndex {
            let start = place(index)
            guard let (decoded, count) = DecodedPiece.escape(source[index...], coding) else {
                bytes.append(source[index])
                places.append(start)
                index += 1
                continue
            }
            for byte in decoded {
                bytes.append(byte)
                places.append(start)
            }
            index += count
        }
        places.append(place(source.endIndex))
    }

    /// Joins lines of a text.
    init(_ lines: [Range<Int>], of text: [UInt8], in layers: Layers, _ place: (Int) -> UInt32) {
        self.layers = layers
        var previous: Range<Int>?
        for line in lines {
            if let previous {
                bytes.append(ASCII.lineFeed)
                places.append(place(previous.upperBound))
            }
            bytes += text[line]
            places += line.map(place)
            previous = line
        }
        places.append(place(lines.last?.upperBound ?? 0))
    }
}
