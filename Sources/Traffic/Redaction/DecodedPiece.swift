/// A stretch of a text with one layer of escapes undone, and the place of each of its bytes in the text.
///
/// Texts contain texts: a JSON string may hold JSON, a query a URL, a URL a form. Secrets of the inner text are searched for in the piece, and masked
/// in the outer text.
struct DecodedPiece {
    /// Layers of each kind that are undone, one inside the other; deeper texts are searched as they stand.
    static let layerLimit = 5
    /// The most layers of any kind around a table whose cells are searched.
    private static let tableLayerLimit = 1
    /// Bytes of a stretch that are decoded at a time, and how many of these the next piece decodes again: a secret at the cut is whole in one of the
    /// two pieces.
    private static let (windowBytes, overlapBytes) = (1 << 20, 64 << 10)
    private static let field = Array("data:".utf8)

    /// How a stretch is escaped.
    private enum Coding {
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
    }

    /// Counts how often each kind of escape was undone on the way to a text; a run of backslashes uses up the layers of its own kind only.
    private struct Layers {
        private var undone: [Coding: Int] = [:]
        /// The kinds of the layers, the outermost first.
        private(set) var codings: [Coding] = []
        /// Whether the text begins in the middle of an escaped stretch that was too long for one piece.
        var isContinued = false
        /// Whether the text may end in the middle of that stretch.
        var isCut = false

        /// Cells are looked through in addition to all other layers, so only few layers are allowed around a table.
        func mayUndo(_ coding: Coding) -> Bool {
            coding == .doubled
                ? undone.values.reduce(0, +) <= DecodedPiece.tableLayerLimit
                : undone[coding, default: 0] < DecodedPiece.layerLimit
        }

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
    private let layers: Layers
    /// Whether it begins in the middle of an escaped stretch that was too long for one piece.
    var isContinued: Bool { layers.isContinued }
    /// Whether it may end in the middle of that stretch.
    var isCut: Bool { layers.isCut }

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

    /// Gives every stretch of a text that has escapes, and the stretches inside it.
    ///
    /// A stretch ends at a quotation mark that is not escaped, so that nothing found in it reaches out of a JSON string. Each item of a query or form
    /// is a stretch, and in any text whatever may be a cell of a table.
    static func each(in text: [UInt8], form: SecretScanner.Form, _ give: (DecodedPiece) -> Void) {
        // Places are numbers of 32 bits; no text that is searched is so long.
        guard text.count < Int(UInt32.max) else { return }
        switch form {
        case .form:
            for item in text.split(separator: UInt8(ascii: "&")) {
                let piece = DecodedPiece(item, .form, in: Layers()) { UInt32($0) }
                give(piece)
                piece.eachInside(give)
            }
        case .text, .table:
            events(text, give)
            stretches(text, Layers(), { UInt32($0) }, give)
        }
    }

    /// Gives the data of each event that has several lines of it, joined as the stream's reader joins them (WHATWG HTML §9.2.6).
    ///
    /// An event that is too long for one piece is cut between two lines, and the next piece begins with the last lines of the one before.
    private static func events(_ text: [UInt8], _ give: (DecodedPiece) -> Void) {
        var layers = Layers().undoing(.event)
        var lines: [Range<Int>] = []
        var size = 0
        func giveLines() {
            guard lines.count > 1 else { return }
            let piece = DecodedPiece(lines, of: text, in: layers)
            give(piece)
            piece.eachInside(give)
        }
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(where: TableReading.isLineEnd) ?? text.count
            if end == start {
                giveLines()
                (layers.isContinued, lines, size) = (false, [], 0)
            } else if text[start..<end].starts(with: field) {
                if size > windowBytes {
                    layers.isCut = true
                    giveLines()
                    (layers.isContinued, layers.isCut) = (true, false)
                    var again = 0
                    let before = lines.lastIndex { line in
                        again += line.count + 1
                        return again > overlapBytes
                    }
                    lines = Array(lines[(before.map { $0 + 1 } ?? 0)...])
                    size = lines.reduce(0) { $0 + $1.count + 1 }
                }
                let value = start + field.count
                lines.append((value < end && text[value] == ASCII.space ? value + 1 : value)..<end)
                size += end - value + 1
            }
            let isPair = text[end...].starts(with: [ASCII.carriageReturn, ASCII.lineFeed])
            start = end + (isPair ? 2 : 1)
        }
        giveLines()
    }

    private func eachInside(_ give: (DecodedPiece) -> Void) {
        DecodedPiece.stretches(bytes, layers, { places[$0] }, give)
    }

    private static func stretches(
        _ text: [UInt8],
        _ layers: Layers,
        _ place: (Int) -> UInt32,
        _ give: (DecodedPiece) -> Void
    ) {
        if layers.mayUndo(.doubled) { cells(text, layers, place, give) }
        guard text.contains(where: { mayEscape($0) }) else { return }
        var start = 0
        var index = 0
        while index <= text.count {
            let isEnd = index == text.count || text[index] == UInt8(ascii: "\"")
            if isEnd {
                if let coding = coding(text, start..<index, layers) {
                    decode(text, start..<index, coding, layers, place, give)
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
            let end = min(stretch.upperBound, start + windowBytes)
            var outer = layers
            outer.isContinued = layers.isContinued || start > stretch.lowerBound
            outer.isCut = layers.isCut || end < stretch.upperBound
            let piece = DecodedPiece(text[start..<end], coding, in: outer, place)
            give(piece)
            piece.eachInside(give)
            if end == stretch.upperBound { return }
            start = end - overlapBytes
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

    private init(
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
    private init(_ lines: [Range<Int>], of text: [UInt8], in layers: Layers) {
        self.layers = layers
        var previous: Range<Int>?
        for line in lines {
            if let previous {
                bytes.append(ASCII.lineFeed)
                places.append(UInt32(previous.upperBound))
            }
            bytes += text[line]
            places += line.map { UInt32($0) }
            previous = line
        }
        places.append(UInt32(lines.last?.upperBound ?? 0))
    }

    /// The bytes that an escape at the beginning of a text stands for, and its length; `nil` where there is no escape.
    private static func escape(_ rest: ArraySlice<UInt8>, _ coding: Coding) -> (decoded: [UInt8], count: Int)? {
        switch (coding, rest[rest.startIndex]) {
        case (.slashes, UInt8(ascii: "\\")): slash(rest.prefix(6))
        case (.doubled, UInt8(ascii: "\"")) where rest.dropFirst().first == UInt8(ascii: "\""):
            ([UInt8(ascii: "\"")], 2)
        case (.entities, UInt8(ascii: "&")): entity(rest.prefix(12))
        case (.form, UInt8(ascii: "+")): ([ASCII.space], 1)
        case (.form, UInt8(ascii: "%")), (.percent, UInt8(ascii: "%")):
            PercentCoding.byte(at: 0, in: Array(rest.prefix(3))).map { ([$0], 3) }
        default: nil
        }
    }

    /// A byte as a layer spells it.
    private static func escaped(_ byte: UInt8, _ coding: Coding) -> [UInt8] {
        let isQuote = byte == UInt8(ascii: "\"")
        return switch coding {
        case .slashes: isQuote || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : [byte]
        case .doubled: isQuote ? [byte, byte] : [byte]
        case .event: [byte]
        case .entities: isQuote ? Array("&quot;".utf8) : byte == UInt8(ascii: "&") ? Array("&amp;".utf8) : [byte]
        case .form, .percent:
            SecretScanner.isBase64URL(byte) ? [byte] : Array("%\(Hexadecimal.text([byte]))".utf8)
        }
    }

    private static func slash(_ text: ArraySlice<UInt8>) -> (decoded: [UInt8], count: Int)? {
        guard let letter = text.dropFirst().first else { return nil }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"): return ([letter], 2)
        case UInt8(ascii: "n"): return ([ASCII.lineFeed], 2)
        case UInt8(ascii: "r"): return ([ASCII.carriageReturn], 2)
        case UInt8(ascii: "t"): return ([ASCII.tab], 2)
        case UInt8(ascii: "b"), UInt8(ascii: "f"): return ([ASCII.space], 2)
        case UInt8(ascii: "u"): return number(text.dropFirst(2).prefix(4), count: 4).map { ($0, 6) }
        case UInt8(ascii: "x"): return number(text.dropFirst(2).prefix(2), count: 2).map { ($0, 4) }
        default: return nil
        }
    }

    /// A character by its number in hexadecimal; half of a surrogate pair is U+FFFD.
    private static func number(_ digits: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
        let values = digits.compactMap(Hexadecimal.digit)
        guard values.count == count else { return nil }
        return character(values.reduce(0) { $0 << 4 | UInt32($1) })
    }

    private static func character(_ number: UInt32) -> [UInt8] {
        Array(String(Character(Unicode.Scalar(number) ?? "\u{FFFD}")).utf8)
    }

    private static let names: [String: UInt8] = [
        "quot": UInt8(ascii: "\""), "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
        "apos": UInt8(ascii: "'"), "equals": UInt8(ascii: "="), "colon": UInt8(ascii: ":"),
    ]

    private static func entity(_ text: ArraySlice<UInt8>) -> (decoded: [UInt8], count: Int)? {
        guard let end = text.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = text[text.startIndex + 1..<end]
        let count = end - text.startIndex + 1
        guard name.first == UInt8(ascii: "#") else {
            return names[String(decoding: name, as: UTF8.self)].map { ([$0], count) }
        }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first.map(ASCII.lower) == UInt8(ascii: "x")
        let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
        return UInt32(text, radix: isHexadecimal ? 16 : 10).map { (character($0), count) }
    }
}

extension DecodedPiece {
    /// The spellings of a value: as it is, and with its layers undone, the plainest last.
    static func spellings(of value: [UInt8]) -> [[UInt8]] {
        var spellings = [value]
        for coding in [Coding.doubled, .slashes, .entities, .form] {
            guard let last = spellings.last else { break }
            let plain = DecodedPiece(last[...], coding, in: Layers()) { UInt32(truncatingIfNeeded: $0) }.bytes
            if plain != last { spellings.append(plain) }
        }
        return spellings
    }
}
