/// Finds the numbers in the JSON objects and lists of a text, because a placeholder in place of a number is JSON only in quotation marks.
///
/// A text without JSON has no such numbers, so plain text, forms and XML get no quotation marks. Cut JSON has the numbers before the cut.
/// A list without a string may be anything, such as `[12345678]` at the beginning of a log line; it counts as JSON where it stands alone.
/// A number gets no quotation marks in an object or list that turns out to be no JSON, behind an odd quotation mark in its line, and in a JSON
/// string behind its first megabyte (`DecodedPiece`). The time is linear in the text's length.
struct JSONNumbers {
    /// A number, and the quotation mark that makes a string of it.
    struct Number {
        let range: Range<Int>
        /// The quotation mark as the text spells it; empty where it has no room for one.
        let quote: [UInt8]
    }

    /// What may come next in an object or list.
    private enum Next {
        case firstName, name, colon, firstValue, value, comma

        var isName: Bool { self == .firstName || self == .name }
        var isValue: Bool { self == .firstValue || self == .value }
    }

    /// Objects and lists inside each other; a text with more is not taken for JSON.
    private static let depthLimit = 100_000
    private static let words = ["true", "false", "null"].map { Array($0.utf8) }
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let brace = UInt8(ascii: "{")
    private static let bracket = UInt8(ascii: "[")
    /// The quotation marks that make strings of numbers; they are shared, because a text may have millions of numbers.
    private static let marks = [quote]
    private static let marksInString = [backslash, quote]
    private static let field = Array("data:".utf8)

    private let bytes: [UInt8]
    /// The part of the bytes that is the text.
    private let part: Range<Int>
    /// Whether a number that is a line of its own is JSON too.
    private let isJSON: Bool
    private let isWanted: (Range<Int>) -> Bool
    /// The wanted numbers; those from `sure` on may turn out not to be in JSON.
    private var numbers: [Number] = []
    private var sure = 0
    /// The opening marks of the objects and lists that have not ended.
    private var levels: [UInt8] = []
    private var next = Next.value
    /// The beginning of the outermost open object or list, and whether it contains a string.
    private var start = 0
    private var hasString = false

    private init(
        _ bytes: [UInt8],
        _ part: Range<Int>,
        isJSON: Bool = false,
        isWanted: @escaping (Range<Int>) -> Bool
    ) {
        (self.bytes, self.part, self.isJSON, self.isWanted) = (bytes, part, isJSON, isWanted)
    }

    /// Finds the numbers that contain given places, in a text and in the texts inside it; in order, without overlaps.
    ///
    /// - Parameters:
    ///   - places: the places, in order and without overlaps.
    ///   - bytes: the text.
    ///   - form: how the text is read; a table has numbers only in its cells.
    ///   - window: how much of an escaped text is searched at a time.
    ///   - isJSON: whether it was declared to be JSON, so that the whole text may be one number.
    /// - Returns: the numbers, each with the quotation marks of its text.
    static func holding(
        _ places: [Range<Int>],
        in bytes: [UInt8],
        form: SecretScanner.Form,
        window: SearchWindow,
        isJSON: Bool
    ) -> [Number] {
        guard !places.isEmpty else { return [] }
        let isWanted: (Range<Int>) -> Bool = { number in
            var (low, high) = (0, places.count)
            while low < high {
                let middle = (low + high) / 2
                if places[middle].lowerBound < number.lowerBound { low = middle + 1 } else { high = middle }
            }
            return low < places.count && places[low].upperBound <= number.upperBound
        }
        var found: [Number] = []
        // Pieces with fewer layers undone come first.
        var starts: Set<Int> = []
        func take(_ number: Number) {
            if starts.insert(number.range.lowerBound).inserted { found.append(number) }
        }
        if form != .table || bytes.first(where: { $0 > ASCII.space }) == brace {
            var walk = JSONNumbers(bytes, 0..<bytes.count, isJSON: isJSON, isWanted: isWanted)
            walk.run().forEach(take)
        }
        DecodedPiece.each(in: bytes, form: form, window: window) { piece in
            // A piece that begins in the middle may begin in a string, and a string that holds no escapes holds no JSON.
            guard !piece.isContinued, !piece.isPlain else { return }
            var walk = JSONNumbers(piece.bytes, 0..<piece.bytes.count) { isWanted(piece.place($0)) }
            let inside = walk.run()
            guard !inside.isEmpty else { return }
            let (plain, inString) = (piece.escaped(marks), piece.escaped(marksInString))
            for number in inside where !piece.isCut || number.range.upperBound < piece.bytes.count {
                let quote = number.quote.count == marks.count ? plain : inString
                take(Number(range: piece.place(number.range), quote: quote))
            }
        }
        found.sort { $0.range.lowerBound < $1.range.lowerBound }
        var numbers: [Number] = []
        for number in found where number.range.lowerBound >= numbers.last?.range.upperBound ?? 0 {
            numbers.append(number)
        }
        return numbers
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Whether a byte may stand in a number (RFC 8259 §6).
    static func isPart(_ byte: UInt8) -> Bool { isDigit(byte) || "+-.eE".utf8.contains(byte) }

    private mutating func run() -> [Number] {
        var index = part.lowerBound
        while index < part.upperBound { index = levels.isEmpty ? outside(index) : inside(index) }
        if !levels.isEmpty { end(at: part.upperBound) }
        return numbers
    }

    // MARK: steps; each returns where to go on

    /// Looks for an object or list outside strings; a string ends within its line.
    private mutating func outside(_ index: Int) -> Int {
        switch bytes[index] {
        case JSONNumbers.brace, JSONNumbers.bracket: return open(index)
        case JSONNumbers.backslash: return index + 2
        case JSONNumbers.quote:
            let close = stringEnd(index + 1) { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
            return close < part.upperBound && bytes[close] == JSONNumbers.quote ? close + 1 : index + 1
        case _ where isJSON && beginsNumber(index):
            let end = numberEnd(index)
            if isAlone(index..<end) { add(index..<end) }
            sure = numbers.count
            return end
        default: return index + 1
        }
    }

    /// Reads inside an object or list; from the first byte that cannot be JSON, the text counts as outside again.
    private mutating func inside(_ index: Int) -> Int {
        switch bytes[index] {
        case ASCII.space, ASCII.tab: return index + 1
        case ASCII.lineFeed, ASCII.carriageReturn:
            // An event's data may have several lines; an empty line ends the event.
            let isField = bytes[index + 1..<part.upperBound].starts(with: JSONNumbers.field) && !endsEmptyLine(index)
            return index + 1 + (isField ? JSONNumbers.field.count : 0)
        case JSONNumbers.quote where next.isName || next.isValue: return string(index)
        case JSONNumbers.brace where next.isValue, JSONNumbers.bracket where next.isValue: return open(index)
        case ASCII.colon where next == .colon:
            next = .value
            return index + 1
        case ASCII.comma where next == .comma:
            next = levels.last == JSONNumbers.brace ? .name : .value
            return index + 1
        case UInt8(ascii: "}") where levels.last == JSONNumbers.brace && (next == .comma || next == .firstName),
            UInt8(ascii: "]") where levels.last == JSONNumbers.bracket && (next == .comma || next == .firstValue):
            levels.removeLast()
            next = .comma
            if levels.isEmpty { end(at: index + 1) }
            return index + 1
        case _ where next.isValue && beginsNumber(index):
            let end = numberEnd(index)
            add(index..<end)
            next = .comma
            return end
        default:
            let word = bytes[index..<part.upperBound].prefix(6).prefix { (0x61...0x7A).contains($0) }
            // The text may end in the word.
            guard next.isValue, !word.isEmpty,
                JSONNumbers.words.contains(where: {
                    word.endIndex == part.upperBound ? $0.starts(with: word) : word.elementsEqual($0)
                })
            else { return leave(at: index) }
            next = .comma
            return word.endIndex
        }
    }

    private mutating func open(_ index: Int) -> Int {
        guard levels.count < JSONNumbers.depthLimit else { return leave(at: index) }
        if levels.isEmpty { (start, hasString) = (index, false) }
        levels.append(bytes[index])
        next = bytes[index] == JSONNumbers.brace ? .firstName : .firstValue
        return index + 1
    }

    private mutating func string(_ open: Int) -> Int {
        let close = stringEnd(open + 1) { $0 < ASCII.space && $0 != ASCII.tab }
        guard close < part.upperBound else { return close }
        guard bytes[close] == JSONNumbers.quote else { return leave(at: close) }
        hasString = true
        if next.isValue { list(open + 1..<close) }
        next = next.isName ? .colon : .comma
        return close + 1
    }

    /// Looks through a string that is a list of numbers; a string with escapes is a piece of its own.
    private mutating func list(_ string: Range<Int>) {
        guard bytes[string].first == JSONNumbers.bracket, bytes[string].last == UInt8(ascii: "]"),
            !bytes[string].contains(JSONNumbers.backslash)
        else { return }
        var walk = JSONNumbers(bytes, string, isWanted: isWanted)
        numbers += walk.run().map { Number(range: $0.range, quote: JSONNumbers.marksInString) }
    }

    /// Drops the objects and lists that have not ended, with their numbers.
    private mutating func leave(at index: Int) -> Int {
        levels.removeAll(keepingCapacity: true)
        numbers.removeSubrange(sure...)
        return index
    }

    /// Keeps the numbers of the outermost object or list, unless it may be something other than JSON.
    private mutating func end(at place: Int) {
        if hasString || isAlone(start..<place) { sure = numbers.count }
        _ = leave(at: place)
    }

    private mutating func add(_ number: Range<Int>) {
        if isWanted(number) { numbers.append(Number(range: number, quote: JSONNumbers.marks)) }
    }

    // MARK: looks

    /// Whether the lines of a range contain nothing else but the name of an event stream's field (WHATWG HTML §9.2.5).
    private func isAlone(_ range: Range<Int>) -> Bool {
        let after = bytes[range.upperBound..<part.upperBound].first { !ASCII.isBlank($0) }
        guard after.map({ $0 < ASCII.space }) ?? true else { return false }
        let before = bytes[part.lowerBound..<range.lowerBound]
        guard let last = before.lastIndex(where: { !ASCII.isBlank($0) }) else { return true }
        if bytes[last] < ASCII.space { return true }
        let field = before[...last].suffix(6)
        // A byte order mark may come first (RFC 8259 §8.1).
        return field.elementsEqual([0xEF, 0xBB, 0xBF])
            || field.suffix(5).elementsEqual("data:".utf8)
                && (field.count == 5 || field.first.map { $0 < ASCII.space } ?? true)
    }

    /// Whether a line without a byte ends with the line's end at an index (LF, CR or both).
    private func endsEmptyLine(_ index: Int) -> Bool {
        var start = index
        if bytes[index] == ASCII.lineFeed, index > part.lowerBound, bytes[index - 1] == ASCII.carriageReturn {
            start = index - 1
        }
        return start > part.lowerBound && bytes[start - 1] < ASCII.space && bytes[start - 1] != ASCII.tab
    }

    private func beginsNumber(_ index: Int) -> Bool {
        let first = bytes[index] == UInt8(ascii: "-") ? index + 1 : index
        return first < part.upperBound && JSONNumbers.isDigit(bytes[first])
    }

    private func numberEnd(_ start: Int) -> Int {
        bytes[start..<part.upperBound].firstIndex { !JSONNumbers.isPart($0) } ?? part.upperBound
    }

    /// The end of a string: the next quotation mark without a backslash before it, an earlier byte that `isEnd` names, or the text's end.
    private func stringEnd(_ start: Int, _ isEnd: (UInt8) -> Bool) -> Int {
        var index = start
        while index < part.upperBound, bytes[index] != JSONNumbers.quote, !isEnd(bytes[index]) {
            index += JSONPairs.width(bytes, at: index)
        }
        return min(index, part.upperBound)
    }
}
