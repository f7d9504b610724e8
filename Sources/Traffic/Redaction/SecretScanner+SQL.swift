/// Finds secrets in SQL, where names and values stand apart.
extension SecretScanner {
    /// The most bytes of a list of columns.
    private static let columnsLimitBytes = 16_384

    /// `INSERT INTO users (name, password) VALUES ('ann', '…'), ('bob', '…')`: the strings and numbers in the columns of secrets.
    ///
    /// The content of rows is searched all the same; text in a row that looks like rows is part of that row, so that each byte is read once.
    mutating func rows(_ start: Int) -> Int? {
        guard form == .text, start >= rowsEnd, isKeyword("values", start) else { return nil }
        let labels = columns(before: start)
        guard labels.contains(where: { $0 != nil }) else { return nil }
        var index = end(start + 6) { $0 > ASCII.space }
        while at(index) == UInt8(ascii: "(") {
            index = row(index, labels)
            let next = end(index) { $0 > ASCII.space }
            guard at(next) == ASCII.comma else { break }
            index = end(next + 1) { $0 > ASCII.space }
        }
        rowsEnd = index
        return nil
    }

    /// `COPY users (name, password) FROM stdin;` and the lines below it, as a dump of PostgreSQL has them: the cells in the columns of secrets.
    mutating func copied(_ start: Int) -> Int? {
        guard form == .text, start >= rowsEnd, isKeyword("stdin", start), at(start + 5) == UInt8(ascii: ";"),
            let last = bytes[..<start].lastIndex(where: { $0 > ASCII.space }), last >= 3, isKeyword("from", last - 3)
        else { return nil }
        let labels = columns(before: last - 3)
        guard labels.contains(where: { $0 != nil }) else { return nil }
        var index = end(start) { $0 == ASCII.lineFeed } + 1
        while index < bytes.count, !bytes[index...].starts(with: "\\.".utf8) {
            let line = index..<end(index) { $0 == ASCII.lineFeed }
            let cells = bytes[line].split(
                separator: ASCII.tab,
                maxSplits: labels.count,
                omittingEmptySubsequences: false
            )
            for case (let label?, let cell) in zip(labels, cells) where !cell.starts(with: "\\N".utf8) {
                if label.isCount, isNumber(cell.indices) { continue }
                _ = add(trimmed(cell.indices), label, "sql")
            }
            index = line.upperBound + 1
        }
        rowsEnd = index
        return nil
    }

    /// `PASSWORD '…'` and `IDENTIFIED BY '…'`, which make a user.
    mutating func clause(_ quote: Int) -> Int? {
        guard form == .text, at(quote - 1) == ASCII.space, let word = name(before: quote - 1) else { return nil }
        let before = bytes[max(0, word.startIndex - 64)..<word.startIndex]
        let isClause =
            isKeyword("password", word.startIndex)
            || isKeyword("by", word.startIndex)
                && before.map(ASCII.lower).firstRange(of: Array("identified".utf8)) != nil
        guard isClause, let end = quoteEnd(quote, escaped: 0, endsWithLine: true) else { return nil }
        return add(quote + 1..<end, .password, "sql password")
    }

    private func isKeyword(_ word: StaticString, _ start: Int) -> Bool {
        let end = start + word.utf8CodeUnitCount
        guard end <= bytes.count, !isWord(start - 1), !isWord(end) else { return false }
        return word.withUTF8Buffer { bytes[start..<end].map(ASCII.lower).elementsEqual($0) }
    }

    /// The labels of the columns in a list that ends before a place; empty where no list ends there.
    private func columns(before place: Int) -> [Label?] {
        var close = place - 1
        while close >= 0, bytes[close] <= ASCII.space { close -= 1 }
        guard at(close) == UInt8(ascii: ")") else { return [] }
        let list = bytes[max(0, close - SecretScanner.columnsLimitBytes)..<close]
        guard let open = list.lastIndex(where: { "()".utf8.contains($0) }), bytes[open] == UInt8(ascii: "(") else {
            return []
        }
        return bytes[open + 1..<close].split(separator: ASCII.comma, omittingEmptySubsequences: false).map { column in
            guard let first = column.firstIndex(where: SecretScanner.isBase64URL),
                let last = column.lastIndex(where: SecretScanner.isBase64URL)
            else { return nil }
            return Label(column[first...last])
        }
    }

    /// The values of a row that stand in columns of secrets; returns where it ends.
    private mutating func row(_ open: Int, _ labels: [Label?]) -> Int {
        var (index, start) = (open + 1, open + 1)
        var (column, depth) = (0, 0)
        var hasString = false
        while let byte = at(index) {
            let label = column < labels.count ? labels[column] : nil
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                let close = quoteEnd(index, escaped: 0) ?? bytes.count
                if let label { _ = add(index + 1..<max(index + 1, close), label, "sql") }
                hasString = true
                index = close
            // An escaped mark belongs to the text around this one, or to a text that is searched by itself.
            case UInt8(ascii: "\\"): return index
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")") where depth > 0: depth -= 1
            case ASCII.comma where depth > 0: break
            case UInt8(ascii: ")"), ASCII.comma:
                if let label, !hasString { number(start..<index, label) }
                if byte != ASCII.comma { return index + 1 }
                (start, column, hasString) = (index + 1, column + 1, false)
            default: break
            }
            index += 1
        }
        return bytes.count
    }

    /// Adds a number in a column of secrets; a parameter such as `?` or `:name` stands for a value elsewhere.
    private mutating func number(_ value: Range<Int>, _ label: Label) {
        let value = trimmed(value)
        guard beginsNumber(value.lowerBound), !label.isCount || !isNumber(value) else { return }
        _ = add(value, label, "sql", quote: [UInt8(ascii: "'")])
    }
}
