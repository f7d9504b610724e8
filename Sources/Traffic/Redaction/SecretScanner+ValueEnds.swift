/// Finds where a value without quotation marks ends whose name begins a line or a string: only few marks end such a value.
extension SecretScanner {
    /// The string in whose text a name stands first.
    private struct OpenString {
        let mark: UInt8
        /// How many backslashes escape its marks.
        let slashes: Int
        /// Whether it is an element of a list, such as a variable of an environment or an argument.
        let isElement: Bool

        /// Whether the string ends at one of its marks with so many backslashes before it.
        func ends(behind count: Int) -> Bool { slashes == 0 ? count % 2 == 0 : count <= slashes }
    }

    /// The most bytes that are looked at before a name or behind a mark.
    private static let nearBytes = 256

    /// The end of a value behind `=`, which at other places ends with the given range.
    ///
    /// In an element of a list it is the end of the string. In another string, and in a line, it is a blank at the latest. Everywhere the value ends
    /// before `&name=`.
    func assignmentEnd(_ value: Range<Int>, _ label: Label) -> Int {
        let string = openString(before: label.name.startIndex)
        guard goesFurther(value, label, isElement: string?.isElement == true),
            string != nil || beginsLine(label.name.startIndex)
        else { return value.upperBound }
        var index = value.upperBound
        var slashes = 0
        while let byte = at(index), byte != ASCII.lineFeed, byte != ASCII.carriageReturn {
            if byte == UInt8(ascii: "\\") {
                (slashes, index) = (slashes + 1, index + 1)
                continue
            }
            if let string, byte == string.mark, string.ends(behind: slashes) { break }
            if string?.isElement == true {
                if byte == UInt8(ascii: "&"), beginsPair(index) { break }
            } else {
                let isEscapedLineEnd = string != nil && slashes % 2 == 1 && "nrt".utf8.contains(byte)
                guard byte > ASCII.space, !isEscapedLineEnd, isInside(index) else { break }
            }
            (slashes, index) = (0, index + 1)
        }
        // The backslashes belong to what stands behind them.
        return index - slashes
    }

    /// The end of a value behind a colon, which at other places ends with the given range: that of the line, or a mark that ends the text around it.
    func entryEnd(_ value: Range<Int>, _ label: Label) -> Int {
        guard goesFurther(value, label), beginsLine(label.name.startIndex) else { return value.upperBound }
        var index = value.upperBound
        while let byte = at(index), byte != ASCII.lineFeed, byte != ASCII.carriageReturn, isInside(index) {
            if byte == ASCII.comma, !goesOn(index) { break }
            index += 1
        }
        return index
    }

    /// Whether a value may go on at all: in a table its cell ends it, and in a program the next mark does.
    ///
    /// A bracket tells a program, as in `getPassword(`, but not behind a digit, in an element of a list, or under a name in capitals.
    private func goesFurther(_ value: Range<Int>, _ label: Label, isElement: Bool = false) -> Bool {
        guard !value.isEmpty, !tablePlace.contains(value.lowerBound) else { return false }
        guard let bracket = bytes[value].firstIndex(where: { "({".utf8.contains($0) }), !isElement else { return true }
        return bytes[value.lowerBound..<bracket].contains { (0x30...0x39).contains($0) }
            || !label.name.contains { (0x61...0x7A).contains($0) }
    }

    /// Whether a name begins a line, behind blanks, the mark of a list or a shell's `export`.
    private func beginsLine(_ name: Int) -> Bool {
        guard !isInTag(name) else { return false }
        var start = beforeBlanks(name)
        if at(start - 1) == UInt8(ascii: "-"), start < name {
            start = beforeBlanks(start - 1)
        } else if start < name, start >= 6, bytes[start - 6..<start].elementsEqual("export".utf8) {
            start = beforeBlanks(start - 6)
        }
        guard start > 0 else { return !isContinued }
        return bytes[start - 1] == ASCII.lineFeed || bytes[start - 1] == ASCII.carriageReturn
    }

    private func beforeBlanks(_ end: Int) -> Int {
        var start = end
        while start > 0, end - start < SecretScanner.nearBytes, ASCII.isBlank(bytes[start - 1]) { start -= 1 }
        return start
    }

    /// Whether a tag has begun before a place and has not ended.
    private func isInTag(_ place: Int) -> Bool {
        let before = bytes[..<place].suffix(SecretScanner.nearBytes)
        guard let open = before.lastIndex(where: { "<>".utf8.contains($0) }) else { return false }
        return bytes[open] == UInt8(ascii: "<") && isWord(open + 1)
    }

    /// The string that begins right before a name; `nil` where none does.
    private func openString(before name: Int) -> OpenString? {
        guard isQuote(name - 1) else { return nil }
        var start = name - 1
        while start > 0, bytes[start - 1] == UInt8(ascii: "\\"), name - start < SecretScanner.nearBytes { start -= 1 }
        let before = bytes[..<start].suffix(SecretScanner.nearBytes).last { $0 > ASCII.space }
        return OpenString(
            mark: bytes[name - 1],
            slashes: name - 1 - start,
            isElement: before == UInt8(ascii: "[") || before == ASCII.comma
        )
    }

    /// Whether a mark stands inside a value, as what follows it tells.
    private func isInside(_ mark: Int) -> Bool {
        switch bytes[mark] {
        case UInt8(ascii: "&"): return !beginsPair(mark)
        case UInt8(ascii: "\""), UInt8(ascii: ">"), UInt8(ascii: "}"): return isWord(mark + 1) && !beginsPair(mark)
        case UInt8(ascii: "<"): return !beginsTag(mark)
        case ASCII.comma, UInt8(ascii: ";"), UInt8(ascii: "'"), UInt8(ascii: ")"):
            let next = bytes[mark...].prefix(8).first { !",;')".utf8.contains($0) }
            return next.map { $0 > ASCII.space && !"\"`()[]{}<>:".utf8.contains($0) } == true && !beginsPair(mark)
        default: return true
        }
    }

    /// Whether `name=` follows a mark, which may be spelled `&amp;`; behind other marks `name:` too.
    private func beginsPair(_ mark: Int) -> Bool {
        let isItem = bytes[mark] == UInt8(ascii: "&")
        let isSpelled = isItem && bytes[(mark + 1)...].starts(with: "amp;".utf8)
        let name = bytes[(mark + (isSpelled ? 5 : 1))...].prefix(64).prefix(while: SecretScanner.isName)
        guard !name.isEmpty, let next = at(name.endIndex) else { return false }
        return next == UInt8(ascii: "=") || !isItem && next == ASCII.colon
    }

    /// Whether a line begins with `name=` or `name:` and goes on, as in a log that was sent as a form; the last line of base64 only ends in `=`.
    func beginsLinePair(_ lineFeed: Int) -> Bool {
        guard beginsPair(lineFeed) else { return false }
        let mark = end(lineFeed + 1) { !SecretScanner.isName($0) }
        return at(mark + 1).map { $0 > ASCII.space && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "&") } == true
            || at(mark) == ASCII.colon
    }

    /// Whether a tag, a comment or a placeholder begins at a mark.
    private func beginsTag(_ open: Int) -> Bool {
        guard isWord(open + 1) || at(open + 1).map("/!?".utf8.contains) == true else { return false }
        let rest = bytes[(open + 1)...].prefix(SecretScanner.nearBytes)
        return rest.first { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") || $0 == ASCII.lineFeed }
            == UInt8(ascii: ">")
    }
}
