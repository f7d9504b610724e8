/// Secrets in tables, whose first row names what stands in each column (RFC 4180).
extension SecretScanner {
    /// Bytes of a first row that are looked through, at most.
    private static let headingLimitBytes = 1 << 20
    private static let mark = UInt8(ascii: "\"")

    /// A column under a secret's name.
    private struct Column {
        let place: Int
        let label: Label
    }

    /// The cells below each heading that is the name of a secret, in a table that stands there.
    ///
    /// What is in a cell is searched all the same, and no cell is kept, so that memory is that of the headings.
    mutating func table(_ range: Range<Int>) {
        tableEnd = range.upperBound
        // A byte order mark is no part of the first name.
        let hasMark = bytes[range].starts(with: [0xEF, 0xBB, 0xBF])
        var start = first(range.lowerBound + (hasMark ? 3 : 0)) { !SecretScanner.isLineEnd($0) }
        // A row of its own may tell Excel what stands between the cells.
        if bytes[start..<tableEnd].prefix(4).map(ASCII.lower).elementsEqual("sep=".utf8) {
            start = first(first(start, SecretScanner.isLineEnd)) { !SecretScanner.isLineEnd($0) }
        }
        let separator = separator(start)
        let (columns, body) = headings(start, separator)
        var (index, place) = (body, 0)
        // Those of the row that are still to come.
        var rest = columns[...]
        while index < tableEnd, !columns.isEmpty {
            let cell = cell(index, separator, isSecret: rest.first?.place == place)
            if let column = rest.first, column.place == place {
                rest.removeFirst()
                // Numbers under such a name count something.
                let isCount = column.label.isCount && isNumber(cell.value)
                if !isCount { _ = add(cell.value, column.label, "table") }
            }
            let isLast = cell.end >= tableEnd || bytes[cell.end] != separator
            if isLast { rest = columns[...] }
            place = isLast ? 0 : place + 1
            index = cell.end + 1
        }
    }

    /// The columns of secrets, and where the row ends that names them.
    private func headings(_ start: Int, _ separator: UInt8) -> (columns: [Column], end: Int) {
        var columns: [Column] = []
        var (index, place) = (start, 0)
        while index < tableEnd {
            let cell = cell(index, separator, isSecret: false)
            if index - start < SecretScanner.headingLimitBytes, let label = Label(bytes[cell.value]) {
                columns.append(Column(place: place, label: label))
            }
            index = cell.end + 1
            place += 1
            if cell.end >= tableEnd || bytes[cell.end] != separator { break }
        }
        return (columns, index)
    }

    /// What stands between the cells: of a tab, a semicolon, a bar and a comma the one that both the headings and the row below have most of.
    ///
    /// Where the row below has none of them, the headings decide.
    private func separator(_ start: Int) -> UInt8 {
        let separators = [ASCII.tab, UInt8(ascii: ";"), UInt8(ascii: "|"), ASCII.comma]
        let (heading, end) = counts(of: separators, start)
        let row = counts(of: separators, first(end) { !SecretScanner.isLineEnd($0) }).counts
        let most = separators.indices.max { one, other in
            (min(heading[one], row[one]), heading[one]) < (min(heading[other], row[other]), heading[other])
        }
        return most.map { separators[$0] } ?? ASCII.comma
    }

    /// How often each of them stands in a row, and where that ends; within quotation marks they do not count, unless these never close.
    private func counts(
        of separators: [UInt8],
        _ start: Int,
        hasMarks: Bool = true
    ) -> (counts: [Int], end: Int) {
        var counts = [Int](repeating: 0, count: separators.count)
        let limit = min(tableEnd, start + SecretScanner.headingLimitBytes)
        var index = start
        var isQuoted = false
        while index < limit, isQuoted || !SecretScanner.isLineEnd(bytes[index]) {
            if hasMarks, bytes[index] == SecretScanner.mark { isQuoted.toggle() }
            if !isQuoted, let place = separators.firstIndex(of: bytes[index]) { counts[place] += 1 }
            index += 1
        }
        return isQuoted ? self.counts(of: separators, start, hasMarks: false) : (counts, index)
    }

    /// What is in a cell, without its quotation marks, and where it ends: at a separator or with its row.
    ///
    /// A quotation mark that does not stand round a whole cell is a part of it, so that a forgotten one does not hide the rows behind it. Of a secret all is
    /// taken that any reader may take for the cell, and all that follows where the table was cut within it.
    private func cell(_ start: Int, _ separator: UInt8, isSecret: Bool) -> (value: Range<Int>, end: Int) {
        let open = first(start) { $0 != ASCII.space }
        if open < tableEnd, bytes[open] == SecretScanner.mark {
            let close = closing(open)
            let next = first((close ?? tableEnd) + 1) { $0 != ASCII.space }
            if let close, next >= tableEnd || isEnd(bytes[next], separator) { return (open + 1..<close, next) }
            if isSecret {
                // Nobody can say which cells stand in the rest of the last row of several.
                let hasRows = bytes[open..<next].contains(where: SecretScanner.isLineEnd)
                let last = first(next) { hasRows ? SecretScanner.isLineEnd($0) : isEnd($0, separator) }
                return (open + 1..<last, last)
            }
        }
        let last = first(start) { isEnd($0, separator) }
        return (trimmed(start..<last), last)
    }

    /// The quotation mark that ends a cell; two of them stand for one.
    private func closing(_ open: Int) -> Int? {
        var index = open + 1
        while index < tableEnd {
            if bytes[index] == SecretScanner.mark {
                guard index + 1 < tableEnd, bytes[index + 1] == SecretScanner.mark else { return index }
                index += 1
            }
            index += 1
        }
        return nil
    }

    /// The first byte of a kind in the table from there on, or the table's end.
    private func first(_ start: Int, _ isWanted: (UInt8) -> Bool) -> Int {
        guard start < tableEnd else { return tableEnd }
        return bytes[start..<tableEnd].firstIndex(where: isWanted) ?? tableEnd
    }

    private func isEnd(_ byte: UInt8, _ separator: UInt8) -> Bool {
        byte == separator || SecretScanner.isLineEnd(byte)
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == ASCII.lineFeed || byte == ASCII.carriageReturn }
}

extension SecretScanner.Form {
    /// What a body of a type is read as; a table without headings (RFC 4180 §3) names nothing.
    init(of type: MediaType?) {
        switch type?.essence {
        case "application/x-www-form-urlencoded": self = .form
        // Windows takes a table for Excel's.
        case "text/csv", "text/x-csv", "application/csv", "application/x-csv", "text/comma-separated-values",
            "text/x-comma-separated-values", "text/tab-separated-values", "text/tsv", "application/vnd.ms-excel":
            let hasHeadings = type?.parameters.contains { $0.name == "header" && $0.value == "absent" } != true
            self = hasHeadings ? .table : .text
        default: self = .text
        }
    }
}
