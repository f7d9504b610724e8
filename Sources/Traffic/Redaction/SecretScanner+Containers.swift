/// Finds secrets in objects and lists under a secret's name, in JSON and in what programs print: JavaScript, Python, Ruby, TOML.
extension SecretScanner {
    /// How many quotation marks stand before a place, even or odd.
    struct QuoteCount {
        private var index = 0
        private var slashes = 0
        /// Whether the number of marks is odd: of the marks that no backslash escapes, and of all marks.
        private(set) var isOddPlain = false
        private(set) var isOddAll = false

        /// Counts on to a place that is not before the last one.
        mutating func count(to end: Int, in bytes: [UInt8]) {
            while index < end {
                if bytes[index] == UInt8(ascii: "\"") {
                    isOddAll.toggle()
                    if slashes % 2 == 0 { isOddPlain.toggle() }
                }
                slashes = bytes[index] == UInt8(ascii: "\\") ? slashes + 1 : 0
                index += 1
            }
        }
    }

    func opensContainer(_ start: Int) -> Bool { at(start) == UInt8(ascii: "{") || at(start) == UInt8(ascii: "[") }

    /// All strings, numbers and made words inside of an object or array that a secret's name stands before.
    ///
    /// What is in it is searched all the same: it may never end, and what looks like it may be no JSON. Strings stand between one quotation mark and
    /// the next. One within another is looked through only where the other takes its strings for what stands between them, or has a broad name and
    /// leaves some of them, so that every byte is read a few times at most, however many begin.
    mutating func container(_ start: Int, _ label: Label, slashes: Int = 0) {
        // The marks of a text within a string have backslashes before them, so each mark counts.
        let first = end(start + 1) { $0 > ASCII.space }
        let slashes = slashes > 0 ? slashes : end(first) { $0 != UInt8(ascii: "\\") } - first
        quotes.count(to: start, in: bytes)
        let isOdd = slashes > 0 ? quotes.isOddAll : quotes.isOddPlain
        var walk = ContainerWalk(label: label, open: bytes[start], slashes: slashes)
        let isBroad = label.isBroad && walk.hasNames
        let way = (slashes > 0 ? 1 : 0) + (isOdd ? 2 : 0) + (label.isCount ? 4 : 0) + (isBroad ? 8 : 0)
        guard start >= containerEnds[way] else { return }
        var isString = false
        var index = start
        while index < bytes.count {
            let next = quote(index, isEscaped: slashes > 0)
            if isString {
                string(index..<next, walk)
            } else if let end = between(index..<next, isFirst: index == start, &walk) {
                containerEnds[way] = end
                return
            }
            isString.toggle()
            index = next + 1
        }
        containerEnds[way] = bytes.count
    }

    /// An object or array that is looked through.
    private struct ContainerWalk {
        let label: Label
        /// The mark that began it; how many of them have not ended.
        let open: UInt8
        var depth = 0
        /// How many backslashes its quotation marks have before them.
        let slashes: Int

        init(label: Label, open: UInt8, slashes: Int) { (self.label, self.open, self.slashes) = (label, open, slashes) }

        var close: UInt8 { hasNames ? UInt8(ascii: "}") : UInt8(ascii: "]") }
        /// Whether what is in it has names: it is an object.
        var hasNames: Bool { open == UInt8(ascii: "{") }
    }

    /// The next quotation mark from a place on, or the text's end; a mark behind a backslash counts only where `isEscaped`.
    private func quote(_ start: Int, isEscaped: Bool) -> Int {
        var slashes = 0
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\""), isEscaped || slashes % 2 == 0 { return index }
            slashes = bytes[index] == UInt8(ascii: "\\") ? slashes + 1 : 0
            index += 1
        }
        return index
    }

    /// A string, unless it is a name itself.
    private mutating func string(_ part: Range<Int>, _ walk: ContainerWalk) {
        guard !isNamed(part.upperBound + 1) else { return }
        var last = part.upperBound
        // The slashes of an escaped quotation mark are not the value's.
        while walk.slashes > 0, last > part.lowerBound, bytes[last - 1] == UInt8(ascii: "\\") { last -= 1 }
        addInner(part.lowerBound..<last, walk.label, "json", hasName: walk.hasNames)
    }

    /// Whether a string that ends at a place is the name of the next value.
    private func isNamed(_ place: Int) -> Bool {
        let mark = at(end(place) { $0 > ASCII.space })
        return mark == ASCII.colon || mark == UInt8(ascii: "=")
    }

    /// Reads what stands before, between or behind strings: names, numbers and strings in other marks; returns the container's end if it is here.
    ///
    /// Where a mark is missing, the strings themselves stand here. They begin or end with other bytes than stand between two strings.
    private mutating func between(_ part: Range<Int>, isFirst: Bool, _ walk: inout ContainerWalk) -> Int? {
        let isInner = !isFirst && part.upperBound < bytes.count && !part.isEmpty
        if isInner, !isJoint(part.lowerBound) || !isJoint(part.upperBound - 1), !isNamed(part.upperBound + 1) {
            addInner(part, walk.label, "json", hasName: walk.hasNames, isLocal: mayBeCode(part))
        }
        var index = part.lowerBound
        // The places up to which no single and no slanted quotation mark has a mark that ends its string.
        var (singleEnd, slantedEnd) = (index, index)
        while index < part.upperBound {
            switch bytes[index] {
            case walk.open:
                walk.depth += 1
                index += 1
            case walk.close:
                walk.depth -= 1
                index += 1
                if walk.depth <= 0 { return index }
            case UInt8(ascii: "\\"):
                // An escape of a line's end or a tab has two bytes.
                index += at(index + 1).map("nrt".utf8.contains) == true ? 2 : 1
            case UInt8(ascii: "'"): index = otherString(index, part.upperBound, walk, &singleEnd)
            case UInt8(ascii: "`"): index = otherString(index, part.upperBound, walk, &slantedEnd)
            case let byte where byte <= ASCII.space || SecretScanner.isMark(byte): index += 1
            case UInt8(ascii: "="): index += isArrow(index) ? 2 : 1
            case UInt8(ascii: "<"): index = placeholder(index) ?? word(index, part.upperBound, walk)
            default: index = word(index, part.upperBound, walk)
            }
        }
        return nil
    }

    /// Adds a string in single or slanted quotation marks, unless it is a name; returns where to go on.
    ///
    /// The string ends at a mark in its line that no word follows.
    private mutating func otherString(
        _ open: Int,
        _ limit: Int,
        _ walk: ContainerWalk,
        _ plainEnd: inout Int
    ) -> Int {
        guard open >= plainEnd else { return open + 1 }
        var slashes = 0
        var index = open + 1
        while index < limit, bytes[index] != ASCII.lineFeed {
            if bytes[index] == bytes[open], slashes % 2 == 0 {
                let next = at(index + 1) ?? ASCII.comma
                if next <= ASCII.space || SecretScanner.isMark(next) || ")=\\\"".utf8.contains(next) {
                    if !isNamed(index + 1) { addInner(open + 1..<index, walk.label, "json", hasName: walk.hasNames) }
                    return index + 1
                }
            }
            slashes = bytes[index] == UInt8(ascii: "\\") ? slashes + 1 : 0
            index += 1
        }
        plainEnd = index
        return open + 1
    }

    /// Adds a number, or a word that lacks one quotation mark or both, unless it is a name or a word of a program; returns its end.
    private mutating func word(_ start: Int, _ limit: Int, _ walk: ContainerWalk) -> Int {
        var end = start + 1
        while end < limit, bytes[end] > ASCII.space, bytes[end] != UInt8(ascii: "<"),
            !SecretScanner.isMark(bytes[end]), !isArrow(end)
        {
            end += 1
        }
        let range = start..<end
        if isNamed(end) || walk.label.isCount && isNumber(range) { return end }
        if beginsNumber(start) {
            addInner(range, walk.label, "json", hasName: walk.hasNames, quote: quotationMark(walk.slashes))
        } else if !isCode(range) || isOtherMark(start - 1) || isOtherMark(end - 1) {
            addInner(range, walk.label, "json", hasName: walk.hasNames, isLocal: mayBeCode(range))
        }
        return end
    }

    /// Whether `=>` stands here, between a name and a value in Ruby and others.
    func isArrow(_ index: Int) -> Bool { at(index) == UInt8(ascii: "=") && at(index + 1) == UInt8(ascii: ">") }

    private static func isMark(_ byte: UInt8) -> Bool { "{}[]:,".utf8.contains(byte) }

    private func isOtherMark(_ index: Int) -> Bool { at(index).map("'`\"".utf8.contains) ?? false }

    /// Whether a byte stands between strings.
    private func isJoint(_ index: Int) -> Bool {
        bytes[index] <= ASCII.space || SecretScanner.isMark(bytes[index]) || "=>\\();+'`".utf8.contains(bytes[index])
    }

    /// Whether bytes may be a piece of a program, which is masked where it stands and nowhere else.
    private func mayBeCode(_ range: Range<Int>) -> Bool {
        isCode(range) || bytes[range].contains { "(){}=;&|?<>".utf8.contains($0) }
    }
}
