/// Finds secrets by the name before them, in the ways that programs and people write one.
extension SecretScanner {
    /// `name=value`, `name="value"`, `name = value`, `"name" => "value"`, `:name => "value"`.
    mutating func pair(_ equals: Int) -> Int? {
        var nameEnd = equals
        while form == .text, nameEnd > 0, equals - nameEnd < 64, ASCII.isBlank(bytes[nameEnd - 1]) { nameEnd -= 1 }
        if form == .text, let (label, _) = quotedLabel(nameEnd - 1) {
            let start = afterPrefix(end(isArrow(equals) ? equals + 2 : equals + 1) { !ASCII.isBlank($0) })
            if opensContainer(start), !label.isDoubtful { container(start, label) }
            return string(start, label)
        }
        guard let name = name(before: nameEnd), let label = Label(name) else { return nil }
        let inQuery = form == .form || at(name.startIndex - 1).map("?&#".utf8.contains) == true
        let isSymbol = isArrow(equals) && at(name.startIndex - 1) == ASCII.colon
        // It may be a comparison, or the arrow of a function.
        if !inQuery, !isSymbol, let next = at(equals + 1), "=>~".utf8.contains(next) { return nil }
        var start = isSymbol ? equals + 2 : equals + 1
        if form == .text {
            while let byte = at(start), ASCII.isBlank(byte) { start += 1 }
            start = stringBelow(start)
            if let quoted = quoted(start) { return add(quoted, label, "parameter", inQuery: inQuery) }
        }
        let isContainer = form == .text && !label.isDoubtful && opensContainer(start)
        if isContainer {
            container(start, label)
            if holdsMore(start, label) { return nil }
        }
        guard let range = bare(start, label, inQuery: inQuery, isContainer: isContainer) else { return nil }
        // The value of a container whose strings are searched is its first mark alone.
        if isContainer, bytes[range].allSatisfy({ "{[".utf8.contains($0) }) { return nil }
        return add(range, label, "parameter", inQuery: inQuery, isLocal: !inQuery && isProgram(range))
    }

    /// Whether an object begins that may hold much else besides secrets; the secrets in it have been found.
    private func holdsMore(_ start: Int, _ label: Label) -> Bool { label.isBroad && at(start) == UInt8(ascii: "{") }

    /// The place of a string in quotation marks at the beginning of the next line, if it is indented further; else the same place.
    private func stringBelow(_ start: Int) -> Int {
        guard let byte = at(start), byte == ASCII.lineFeed || byte == ASCII.carriageReturn else { return start }
        let next = end(start) { $0 > ASCII.space }
        let lines = bytes[start..<next].count { $0 == ASCII.lineFeed }
        return lines == 1 && isString(next) && ASCII.isBlank(bytes[next - 1]) ? next : start
    }

    /// The place after the letters that tell the kind of a string, as in `b"…"` and `@"…"`; the same place where there are none.
    private func afterPrefix(_ start: Int) -> Int {
        let letters = bytes[min(start, bytes.count)...].prefix(2).prefix { "bBrRuUfF@$".utf8.contains($0) }
        let open = letters.endIndex
        guard !letters.isEmpty, isQuote(open) else { return start }
        if tripled(open) != nil { return open }
        // Otherwise the letter is the value, and the mark ends the text around it.
        guard let close = quoteEnd(open, escaped: 0, endsWithLine: true),
            at(open + 1).map({ !",:]}".utf8.contains($0) }) ?? true,
            at(close + 1).map({ $0 <= ASCII.space || ",;:)]}.+<".utf8.contains($0) }) ?? true
        else { return start }
        return open
    }

    /// The text between two runs of three quotation marks (TOML 1.0 "String"); `nil` where there is none, and in a table, where two marks stand for
    /// one.
    private func tripled(_ open: Int) -> Range<Int>? {
        guard isQuote(open), at(open + 1) == bytes[open], at(open + 2) == bytes[open], !tablePlace.contains(open),
            let close = bytes[(open + 3)...].firstRange(of: [UInt8](repeating: bytes[open], count: 3))
        else { return nil }
        return trimmed(open + 3..<close.lowerBound)
    }

    /// The text in quotation marks; `nil` where none begin, or where single ones do not end in their line.
    private func quoted(_ start: Int) -> Range<Int>? {
        let open = afterPrefix(start)
        if let inner = tripled(open) { return inner }
        switch at(open) {
        case UInt8(ascii: "\""):
            return open + 1..<(quoteEnd(open, escaped: 0) ?? end(open) { $0 == ASCII.lineFeed })
        case UInt8(ascii: "'"), UInt8(ascii: "`"):
            guard let end = quoteEnd(open, escaped: 0, endsWithLine: true) else { return nil }
            return open + 1..<end
        default: return nil
        }
    }

    /// A value without quotation marks, or after a mark that never closes; `nil` under a doubtful name where the value does not look made.
    private mutating func bare(_ start: Int, _ label: Label, inQuery: Bool, isContainer: Bool) -> Range<Int>? {
        if form == .form {
            let isBlock = bytes[min(start, bytes.count)...].starts(with: "-----".utf8)
            var end = start
            while let byte = at(end), byte != UInt8(ascii: "&"),
                byte != ASCII.lineFeed || isBlock || !beginsLinePair(end)
            {
                end += 1
            }
            // The line end behind a form is no part of its last item.
            while end > start, bytes[end - 1] == ASCII.lineFeed || bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
            return start..<end
        }
        let first = at(start) == UInt8(ascii: "'") || at(start) == UInt8(ascii: "`") ? start + 1 : start
        guard label.isDoubtful, !inQuery else {
            let value = first..<valueEnd(first)
            return inQuery || isContainer ? value : first..<assignmentEnd(value, label)
        }
        guard first >= plainEnd else { return nil }
        if first >= doubtfulEnd { doubtfulEnd = valueEnd(first) }
        let range = first..<max(first, doubtfulEnd)
        if range.count <= SecretKind.madeLimit, !SecretKind.isMade(bytes[range], inQuery: false) {
            plainEnd = doubtfulEnd
        }
        return range
    }

    /// The end of a value without quotation marks: at a blank or the like, and at a comma or the like unless the value goes on after it.
    private func valueEnd(_ start: Int) -> Int {
        var index = start
        while let byte = at(index), byte > ASCII.space, !"&\"<>\\".utf8.contains(byte) {
            if ",;')".utf8.contains(byte), index == start || !goesOn(index) { break }
            index += 1
        }
        return index
    }

    /// Whether a value goes on after a separator: no name follows, and the text around the value does not end there.
    func goesOn(_ separator: Int) -> Bool {
        guard isWord(separator + 1) else { return false }
        let end = bytes[(separator + 1)...].prefix(64).firstIndex { !SecretScanner.isName($0) }
        guard let end else { return true }
        return bytes[end] != UInt8(ascii: "=") && bytes[end] != ASCII.colon
    }

    /// `"name": value`, also with escaped quotes, and `name: value`.
    mutating func member(_ colon: Int) -> Int? {
        guard form == .text else { return nil }
        var last = colon - 1
        while last >= 0, ASCII.isBlank(bytes[last]) { last -= 1 }
        let nameEnd = last
        while last >= 0, bytes[last] <= ASCII.space { last -= 1 }
        guard last >= 0 else { return nil }
        guard isQuote(last) else {
            // Escaped text is searched as an inner text: `%3Ctoken:3f2a%3E` is a placeholder in a URL.
            guard let name = name(before: nameEnd + 1), !name.contains(UInt8(ascii: "%")), let label = Label(name)
            else { return nil }
            return block(after: colon, label) ? nil : value(after: colon, label)
        }
        guard let (label, slashes) = quotedLabel(last) else { return nil }
        // Lists of keys and values are common, and their keys are names.
        if label.name.map(ASCII.lower).elementsEqual("key".utf8) || block(after: colon, label) { return nil }
        var next = colon + 1
        while let byte = at(next), ASCII.isBlank(byte) || byte == 0x0A || byte == 0x0D { next += 1 }
        next = afterPrefix(next)
        switch at(next) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if !label.isDoubtful { container(next, label, slashes: slashes) }
            return nil
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): return string(next, label)
        default: return scalar(next, label, slashes: slashes, mark: bytes[last])
        }
    }

    private mutating func value(after colon: Int, _ label: Label) -> Int? {
        // Go and others write `name := value`.
        var start = at(colon + 1) == UInt8(ascii: "=") ? colon + 2 : colon + 1
        while at(start) == ASCII.space { start += 1 }
        start = afterPrefix(stringBelow(start))
        if isString(start) { return string(start, label) }
        if label.isDoubtful { return nil }
        let isContainer = opensContainer(start)
        if isContainer {
            container(start, label)
            if holdsMore(start, label) || start < quotedLineEnd { return nil }
        }
        start = afterScheme(start)
        var end = start
        while let byte = at(end), byte != 0x0A, byte != 0x0D, !"}\"<".utf8.contains(byte) {
            if byte == ASCII.comma, end == start || !goesOn(end) { break }
            end += 1
        }
        if isContainer, at(end) == UInt8(ascii: "\"") {
            quotedLineEnd = end
            return nil
        }
        if !isContainer { end = entryEnd(start..<end, label) }
        if !isContainer, isField(label) { end = self.end(end) { $0 == ASCII.lineFeed || $0 == UInt8(ascii: "<") } }
        // The slashes of an escaped quotation mark are not the value's.
        while end > start, bytes[end - 1] == UInt8(ascii: "\\") || bytes[end - 1] <= ASCII.space { end -= 1 }
        return add(start..<end, label, "value", isLocal: isProgram(start..<end))
    }

    /// Whether a name begins a line of a head and is a field whose value may hold quotation marks and other bytes that end values elsewhere.
    private func isField(_ label: Label) -> Bool {
        let before = at(label.name.startIndex - 1) ?? ASCII.lineFeed
        return before == ASCII.lineFeed && !tablePlace.contains(label.name.startIndex)
            && SecretScanner.fields.contains(label.name.map(ASCII.lower))
    }

    private static let fields = Set(
        ["cookie", "set-cookie", "authorization", "proxy-authorization"].map { Array($0.utf8) }
    )

    /// Whether a value without quotation marks may be a word of a program, such as `form.password` or `readToken()`.
    func isCode(_ range: Range<Int>) -> Bool {
        bytes[range].allSatisfy { byte in
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "._$()[]!,;'".utf8.contains(byte)
        }
    }

    /// Whether a value without quotation marks may be a piece of a program, such as `function(e){return e`.
    ///
    /// Many values may share the rest of a line, so the next mark of a program is searched for once for all values before it.
    private mutating func isProgram(_ range: Range<Int>) -> Bool {
        if !programGap.contains(range.lowerBound) {
            let mark = end(range.lowerBound) { "(){}".utf8.contains($0) }
            programGap = range.lowerBound..<max(range.lowerBound, mark) + 1
        }
        return programGap.upperBound <= range.upperBound || isCode(range)
    }

    /// The place after the scheme of credentials, as in `Authorization: Bearer …`; the same place where there is none.
    private func afterScheme(_ start: Int) -> Int {
        let word = bytes[min(start, bytes.count)...].prefix(17).prefix { $0 != ASCII.space }
        guard at(word.endIndex) == ASCII.space, SecretKind.isScheme(word) else { return start }
        return word.endIndex + 1
    }

    /// Whether a string begins here, in quotation marks that may be escaped.
    private func isString(_ start: Int) -> Bool {
        isQuote(end(start) { $0 != UInt8(ascii: "\\") })
    }

    func isQuote(_ index: Int) -> Bool {
        at(index) == UInt8(ascii: "\"") || at(index) == UInt8(ascii: "'")
    }

    /// The name of secrets that ends at a quotation mark, and how many backslashes escape the mark.
    private func quotedLabel(_ quote: Int) -> (label: Label, slashes: Int)? {
        guard isQuote(quote) else { return nil }
        var end = quote
        while end > 0, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        var start = end
        while start > 0, bytes[start - 1] != bytes[quote], end - start < SecretKind.nameLimit { start -= 1 }
        guard start > 0, let label = Label(bytes[start..<end]) else { return nil }
        return (label, quote - end)
    }

    /// A string in quotation marks, which may be escaped; `nil` where no string begins.
    ///
    /// A string under a doubtful name that is no secret is `nil` too, so that it is searched itself.
    private mutating func string(_ start: Int, _ label: Label) -> Int? {
        guard isString(start) else { return nil }
        let open = end(start) { $0 != UInt8(ascii: "\\") }
        if open == start, let inner = tripled(open) { return add(inner, label, "json") }
        let limit = label.isDoubtful ? SecretKind.madeLimit : bytes.count
        let end = quoteEnd(open, escaped: open - start, limitBytes: limit)
        if label.isDoubtful { return end.flatMap { add(open + 1..<max(open + 1, $0), label, "json") } }
        return add(open + 1..<max(open + 1, end ?? bytes.count), label, "json") ?? end ?? bytes.count
    }

    /// A number, or a word without quotation marks.
    private mutating func scalar(_ start: Int, _ label: Label, slashes: Int, mark: UInt8) -> Int? {
        let range = start..<scalarEnd(start)
        guard !range.isEmpty else { return nil }
        // The number of tokens that a model used has a name like a token's.
        if label.isCount, isNumber(range) { return nil }
        if label.isDoubtful {
            guard start >= plainScalarEnd else { return nil }
            if range.count <= SecretKind.madeLimit, !SecretKind.isMade(bytes[range], inQuery: false) {
                plainScalarEnd = range.upperBound
            }
        }
        return add(range, label, "json", quote: beginsNumber(start) ? quotationMark(slashes, mark) : [])
    }

    func beginsNumber(_ start: Int) -> Bool {
        at(start).map { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") } ?? false
    }

    func isNumber(_ range: Range<Int>) -> Bool {
        bytes[range].allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    }

    /// A quotation mark with so many backslashes before it; empty where no nesting of strings gives that number.
    func quotationMark(_ slashes: Int, _ mark: UInt8 = UInt8(ascii: "\"")) -> [UInt8] {
        guard slashes < 1 << DecodedPiece.layerLimit else { return [] }
        return [UInt8](repeating: UInt8(ascii: "\\"), count: slashes) + [mark]
    }

    /// The end of a value without quotation marks, found once for each value.
    private mutating func scalarEnd(_ start: Int) -> Int {
        if !scalar.contains(start) {
            scalar = start..<max(start, end(start) { $0 <= ASCII.space || ",}]\\\"".utf8.contains($0) })
        }
        return scalar.upperBound
    }

    /// `--password value`, as programs are started.
    mutating func flag(_ hyphen: Int) -> Int? {
        guard form == .text, at(hyphen + 1) == UInt8(ascii: "-"), isWord(hyphen + 2),
            at(hyphen - 1).map({ $0 > ASCII.space }) != true
        else { return nil }
        let name = bytes[(hyphen + 2)...].prefix(64).prefix { SecretScanner.isBase64URL($0) }
        let start = end(name.endIndex) { !ASCII.isBlank($0) }
        guard start > name.endIndex, at(start) != UInt8(ascii: "-"), let label = Label(name), !label.isDoubtful else {
            return nil
        }
        let range = quoted(start) ?? start..<valueEnd(start)
        return add(range, label, "parameter", isLocal: isProgram(range))
    }

    // MARK: steps

    /// The name that ends right before an index, or its last bytes; `nil` when there is none.
    func name(before end: Int) -> ArraySlice<UInt8>? {
        var start = end
        while start > 0, end - start < SecretKind.nameLimit, SecretScanner.isName(bytes[start - 1]) { start -= 1 }
        return start < end ? bytes[start..<end] : nil
    }

    /// The quote that ends the string begun at `open`, whose quotes have so many backslashes before them.
    func quoteEnd(
        _ open: Int,
        escaped: Int,
        limitBytes: Int = .max,
        endsWithLine: Bool = false
    ) -> Int? {
        var index = open + 1
        var slashes = 0
        while index < bytes.count, index - open <= limitBytes {
            if bytes[index] == UInt8(ascii: "\\") {
                slashes += 1
            } else {
                if bytes[index] == bytes[open], escaped == 0 ? slashes % 2 == 0 : slashes <= escaped {
                    // In YAML and SQL, two single marks in a string stand for one.
                    if escaped == 0, bytes[index] == UInt8(ascii: "'"), at(index + 1) == bytes[index] {
                        index += 2
                        slashes = 0
                        continue
                    }
                    return index - (escaped == 0 ? 0 : slashes)
                }
                if endsWithLine, bytes[index] == ASCII.lineFeed { return nil }
                slashes = 0
            }
            index += 1
        }
        return nil
    }

    static func isName(_ byte: UInt8) -> Bool { isBase64URL(byte) || ".[]%$".utf8.contains(byte) }
}
