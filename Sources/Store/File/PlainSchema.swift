import Traffic

/// Tells the statements of a schema that compute nothing: they name columns, and call nothing.
enum PlainSchema {
    /// The most characters of a name that a sentence shows.
    private static let shownLimit = 64

    /// Whether a statement makes an index of plain columns, each in either order.
    static func isPlainIndex(_ sql: [UInt8]) -> Bool {
        guard let open = sql.firstIndex(of: UInt8(ascii: "(")), sql.last == UInt8(ascii: ")") else { return false }
        let head = words(sql[..<open])
        let columns = sql[open + 1..<sql.count - 1].split(
            separator: UInt8(ascii: ","),
            omittingEmptySubsequences: false
        )
        return head.count == 5 && ["create", "index"].elementsEqual(head[..<2].map(lower)) && lower(head[3]) == "on"
            && isName(head[2]) && isName(head[4])
            && columns.allSatisfy { column in
                let words = words(column)
                return words.first.map(isName) == true
                    && (words.count == 1 || words.count == 2 && ["asc", "desc"].contains(lower(words[1])))
            }
    }

    /// Whether no bracket in the columns of a table has an expression: it has a number, or names behind `KEY` or `UNIQUE`.
    static func holdsNoExpression(_ columns: ArraySlice<UInt8>) -> Bool {
        var rest = columns
        while let open = rest.firstIndex(of: UInt8(ascii: "(")) {
            guard let close = rest[open...].firstIndex(of: UInt8(ascii: ")")) else { return false }
            let parts = rest[open + 1..<close].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            let before = words(rest[..<open]).last ?? []
            let word = lower(before.suffix(before.reversed().prefix(while: isLetter).count))
            if word == "key" || word == "unique" {
                guard parts.allSatisfy({ words($0).count == 1 && words($0).allSatisfy(isName) }) else { return false }
            } else {
                guard parts.allSatisfy({ words($0).count == 1 && words($0).allSatisfy(isNumber) }) else { return false }
            }
            rest = rest[(close + 1)...]
        }
        return true
    }

    /// Whether a text is a name: bare, or in quotation marks with blanks in it.
    static func isName(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last else { return false }
        let isQuoted = text.count > 2 && first == last && (first == UInt8(ascii: "\"") || first == UInt8(ascii: "`"))
        let inner = isQuoted ? text.dropFirst().dropLast() : text
        return !inner.isEmpty && inner.allSatisfy { isLetter($0) || isQuoted && $0 == 0x20 }
    }

    /// A name behind a noun in a sentence, its letters, digits and `_` alone; empty where it has none.
    static func naming(_ name: String) -> String {
        let shown = String(decoding: name.utf8.filter(isLetter).prefix(shownLimit), as: UTF8.self)
        return shown.isEmpty ? "" : ", \(shown)"
    }

    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool { text.allSatisfy { (0x30...0x39).contains($0) } }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }

    private static func lower(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word.map(ASCII.lower), as: UTF8.self)
    }

    /// The words of a text between blanks; a name in quotation marks is one word.
    private static func words(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var mark: UInt8?
        return text.split { byte in
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "`") {
                mark = mark == nil ? byte : mark == byte ? nil : mark
            }
            return mark == nil && [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(byte)
        }
    }
}
