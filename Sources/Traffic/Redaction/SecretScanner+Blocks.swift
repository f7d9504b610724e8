/// Finds secrets in the blocks of YAML: in the lines below a secret's name that are indented further.
extension SecretScanner {
    /// `password: |` and its text, `password:` and the word below it, `tokens:` and the items and members below it; whether there is such a block.
    ///
    /// What is in it is searched all the same. One within another was looked through with that, so that each line is read once, and once more for
    /// broad names.
    mutating func block(after colon: Int, _ label: Label) -> Bool {
        guard !label.isDoubtful, let column = column(label.name.startIndex) else { return false }
        // The value of a name in quotation marks is found in any line.
        let isPlain = !isQuote(label.name.startIndex - 1)
        var start = afterProperties(colon + 1)
        let isText = at(start) == UInt8(ascii: "|") || at(start) == UInt8(ascii: ">")
        if isText { start = end(start + 1) { !"+- 123456789".utf8.contains($0) } }
        if at(start) == UInt8(ascii: "#"), at(start - 1) == ASCII.space { start = end(start) { $0 == ASCII.lineFeed } }
        if at(start) == ASCII.carriageReturn { start += 1 }
        guard at(start) == ASCII.lineFeed else { return false }
        if colon < (label.isBroad ? max(blockEnd, broadBlockEnd) : blockEnd) { return true }
        var lines: [Range<Int>] = []
        var hasEntry = false
        var index = start + 1
        while index < bytes.count {
            let lineEnd = end(index) { $0 == ASCII.lineFeed }
            let line = trimmed(index..<lineEnd)
            let isComment = !isText && !line.isEmpty && bytes[line.lowerBound] == UInt8(ascii: "#")
            let said = isComment ? withoutMarks(line) : line
            if !said.isEmpty {
                // The items of a list may stand directly below its name, without an indent.
                let isDeep = line.lowerBound - index >= (isText || !isItem(said) ? column + 1 : column)
                let isEntry = isItem(said) || member(of: said) != nil || isPlain && isWord(below: said)
                if !isComment {
                    guard isDeep else { break }
                    // The line below a title may be a sentence.
                    guard isText || hasEntry || isEntry else { return false }
                    hasEntry = true
                }
                // An entry within a comment tells its secret too.
                if !isComment || isDeep && isEntry { lines.append(said) }
            }
            index = lineEnd + 1
        }
        guard let first = lines.first, let last = lines.last else { return false }
        if label.isBroad {
            broadBlockEnd = min(index, bytes.count)
        } else {
            blockEnd = min(index, bytes.count)
        }
        if isText {
            _ = add(first.lowerBound..<last.upperBound, label, "value")
        } else {
            for line in lines { entry(line, label) }
        }
        return true
    }

    /// The place after the tag and the anchor that may precede a value (YAML 1.2.2 §6.9), and after the blanks.
    private func afterProperties(_ start: Int) -> Int {
        var index = end(start) { $0 != ASCII.space }
        while let mark = at(index), "!&".utf8.contains(mark) {
            index = end(index) { $0 <= ASCII.space }
            index = end(index) { $0 != ASCII.space }
        }
        return index
    }

    /// A comment without the marks that it begins with.
    private func withoutMarks(_ comment: Range<Int>) -> Range<Int> {
        trimmed((bytes[comment].firstIndex { $0 != UInt8(ascii: "#") } ?? comment.upperBound)..<comment.upperBound)
    }

    /// Whether a line below a name may be its value: a string, or a single word that is no statement of a program and no tag.
    ///
    /// A sentence below a title has several words.
    private func isWord(below line: Range<Int>) -> Bool {
        let word = bytes[line]
        guard let first = word.first, let last = word.last else { return false }
        if isQuote(line.lowerBound), first == last, line.count > 2 { return true }
        let isCall = last == UInt8(ascii: ")") && word.contains(UInt8(ascii: "("))
        return !isCall && !"<>{}[]'\"&*".utf8.contains(first) && !";,{(:".utf8.contains(last)
            && word.allSatisfy { $0 > ASCII.space }
    }

    /// The indent of a name; `nil` where the name is not the first thing in its line.
    private func column(_ name: Int) -> Int? {
        let start = isQuote(name - 1) ? name - 1 : name
        var index = start
        while let before = at(index - 1), before == ASCII.space || before == UInt8(ascii: "-") { index -= 1 }
        return index == 0 || at(index - 1) == ASCII.lineFeed ? start - index : nil
    }

    /// Whether a line is an item of a list, or the beginning of one.
    private func isItem(_ line: Range<Int>) -> Bool {
        bytes[line.lowerBound] == UInt8(ascii: "-") && (line.count == 1 || bytes[line.lowerBound + 1] == ASCII.space)
    }

    /// The rest of a line behind the name at its beginning; `nil` where the line begins with no name.
    private func member(of line: Range<Int>) -> Range<Int>? {
        guard let colon = bytes[line].firstIndex(of: ASCII.colon), colon > line.lowerBound,
            colon + 1 == line.upperBound || bytes[colon + 1] == ASCII.space,
            bytes[line.lowerBound..<colon].allSatisfy({ SecretScanner.isName($0) || "'\"".utf8.contains($0) })
        else { return nil }
        return trimmed(colon + 1..<line.upperBound)
    }

    /// The value of an item or member, without its quotation marks.
    private mutating func entry(_ line: Range<Int>, _ label: Label) {
        var value = line
        while !value.isEmpty, isItem(value) { value = trimmed(value.lowerBound + 1..<value.upperBound) }
        let own = member(of: value)
        value = own ?? value
        if value.count > 1, let mark = at(value.lowerBound), "'\"".utf8.contains(mark), at(value.upperBound - 1) == mark
        {
            value = value.lowerBound + 1..<value.upperBound - 1
        }
        // The mark of a block of text is no value, and a number of tokens is no secret.
        guard !bytes[value].allSatisfy({ "|>+-".utf8.contains($0) }), !label.isCount || !isNumber(value) else { return }
        addInner(value, label, "value", hasName: own != nil, isLocal: isCode(value))
    }
}
