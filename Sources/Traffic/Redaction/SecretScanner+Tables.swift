/// Finds secrets in tables, where one of the first rows names the columns (RFC 4180).
extension SecretScanner {
    /// Bytes at a table's beginning that are searched for the names of its columns.
    private static let headingLimitBytes = 1 << 20
    /// How many of the first rows may be headings, and the most rows that are headings.
    private static let (headingRowLimit, headingLimit) = (16, 8)

    /// A column under a secret's name.
    private struct Column {
        let place: Int
        let label: Label
    }

    /// A row that names the columns of the rows below it.
    private struct Heading {
        let separator: UInt8
        /// The columns by how certain their names are: certain ones, ones whose numbers are counts, and doubtful ones.
        ///
        /// A cell is masked under the first column that it may stand in and whose secret it is.
        let groups: [[Column]]
        /// How many cells the row has, and where it ends.
        let count: Int
        let end: Int
        /// The most cells in the lines right above that belong to this row, because a line end within a cell broke the row.
        private var begun = 0

        init(separator: UInt8, columns: [Column], row: TableReading.Row) {
            self.separator = separator
            groups = [
                columns.filter { !$0.label.isDoubtful && !$0.label.isCount },
                columns.filter { !$0.label.isDoubtful && $0.label.isCount },
                columns.filter(\.label.isDoubtful),
            ].filter { !$0.isEmpty }
            (count, end) = (row.count, row.end)
        }

        /// Whether a row has as many cells as the heading, or fewer where the table was cut in it.
        func fits(_ row: TableReading.Row, isCut: Bool) -> Bool {
            row.isWhole && (row.count == count || isCut && row.count < count)
        }

        /// By how many places the cells of the next row may stand before or after their columns.
        mutating func shift(of row: TableReading.Row) -> (before: Int, behind: Int) {
            let missing = count - row.count
            let before = row.isWhole && missing >= 0 ? min(begun, missing) : begun
            begun = row.isWhole && missing <= 0 ? 0 : min(count - 1, begun + row.count - 1)
            return (before, max(0, -missing))
        }
    }

    /// Adds the cells below each heading that is the name of a secret, in the table in a range.
    ///
    /// The content of cells is searched all the same. No cell is kept, so memory holds only headings and findings. The table is read in each way that
    /// its beginning leaves open, a few times at most.
    mutating func table(_ range: Range<Int>) {
        tablePlace = range
        let hasSlashes = bytes[range].contains(UInt8(ascii: "\\"))
        var masked: Set<Range<Int>> = []
        var rest = headings()
        while let separator = rest.first?.separator {
            let own = rest.filter { $0.separator == separator }
            rest.removeAll { $0.separator == separator }
            read(own, separator, isEscaped: false, &masked)
            if hasSlashes { read(own, separator, isEscaped: true, &masked) }
        }
    }

    /// Masks the cells below headings, in a table with this separator.
    ///
    /// A row with more cells than its heading has separators inside cells, and nothing tells these from the others. Backslashes count as escapes in
    /// rows that then have as many cells as the heading.
    private mutating func read(
        _ headings: [Heading],
        _ separator: UInt8,
        isEscaped: Bool,
        _ masked: inout Set<Range<Int>>
    ) {
        var headings = headings
        let secrets = Set(headings.flatMap { $0.groups.joined().map(\.place) }).sorted()
        let table = TableReading(
            bytes: bytes,
            end: tablePlace.upperBound,
            separator: separator,
            isEscaped: isEscaped,
            secrets: secrets
        )
        var start = table.rowStart(headings.first?.end ?? table.end)
        // Everything after too many secrets becomes one.
        while start < min(table.end, restStart ?? table.end) {
            let row = table.row(start)
            for index in headings.indices where start >= headings[index].end {
                let (before, behind) = isEscaped ? (before: 0, behind: 0) : headings[index].shift(of: row)
                if isEscaped, !headings[index].fits(row, isCut: row.end == table.end) { continue }
                mask(start, table, headings[index].groups, before: before, behind: behind, &masked)
            }
            start = table.rowStart(row.end)
        }
    }

    /// Masks the cells of a row that may stand in columns of secrets; `masked` are cells that another reading has masked.
    private mutating func mask(
        _ start: Int,
        _ table: TableReading,
        _ groups: [[Column]],
        before: Int,
        behind: Int,
        _ masked: inout Set<Range<Int>>
    ) {
        var rest = groups.map { $0[...] }
        _ = table.row(start) { place, cell in
            for group in rest.indices {
                while let column = rest[group].first, column.place + behind < place { rest[group].removeFirst() }
                guard let column = rest[group].first, column.place - before <= place else { continue }
                // Numbers under such a name are counts.
                if column.label.isCount, isNumber(cell.value) { continue }
                guard cell.value.lowerBound < (restStart ?? bytes.count), !masked.contains(cell.value) else { return }
                if add(cell.value, column.label, "table") != nil {
                    masked.insert(cell.value)
                    return
                }
            }
        }
    }

    // MARK: headings

    /// The rows that name columns of secrets: the first row, and rows near it with more cells than all rows above, which may be a title and comments.
    ///
    /// A row with numbers is a row of the table, unless it is the first row.
    private func headings() -> [Heading] {
        let table = tablePlace
        var separators = [ASCII.tab, UInt8(ascii: ";"), UInt8(ascii: "|"), ASCII.comma]
        // A byte order mark is no part of the first name.
        let hasMark = bytes[table].starts(with: [0xEF, 0xBB, 0xBF])
        var start = rowStart(table.lowerBound + (hasMark ? 3 : 0))
        let limit = min(table.upperBound, start + SecretScanner.headingLimitBytes)
        // A first row may name the separator for Excel.
        if bytes[start..<limit].prefix(4).map(ASCII.lower).elementsEqual("sep=".utf8) {
            let told = TableReading.separator(toldBy: bytes[start..<limit])
            if let told, !separators.contains(told) { separators.append(told) }
            start = rowStart(bytes[start..<limit].firstIndex(where: TableReading.isLineEnd) ?? limit)
        }
        var headings: [Heading] = []
        var widest: [UInt8: Int] = [:]
        var row = counts(of: separators, start, limit)
        for number in 0..<SecretScanner.headingRowLimit {
            guard start < limit, headings.count < SecretScanner.headingLimit else { break }
            let next = rowStart(row.end)
            let below = counts(of: separators, next, limit)
            for place in SecretScanner.mostFrequent(row.counts, below.counts) {
                let separator = separators[place]
                let (columns, width, hasNumbers) = named(start, separator, limit)
                if !columns.isEmpty, width > widest[separator, default: 0], number == 0 || !hasNumbers {
                    let whole = TableReading(bytes: bytes, end: table.upperBound, separator: separator).row(start)
                    headings.append(Heading(separator: separator, columns: columns, row: whole))
                }
                let isComment = columns.isEmpty && bytes[start] == UInt8(ascii: "#")
                if !isComment { widest[separator] = max(width, widest[separator, default: 0]) }
            }
            // After an empty row another table may begin.
            if isGap(row.end..<next) { widest = [:] }
            (start, row) = (next, below)
        }
        return headings
    }

    /// The columns of secrets that a row names, how many of its cells are not empty, and whether one of these begins with a number.
    private func named(
        _ start: Int,
        _ separator: UInt8,
        _ limit: Int
    ) -> (columns: [Column], width: Int, hasNumbers: Bool) {
        var columns: [Column] = []
        var (width, hasNumbers) = (0, false)
        _ = TableReading(bytes: bytes, end: limit, separator: separator).row(start) { place, cell in
            guard !cell.value.isEmpty else { return }
            width += 1
            hasNumbers = hasNumbers || beginsNumber(cell.value.lowerBound)
            if let label = Label(bytes[cell.value]) { columns.append(Column(place: place, label: label)) }
        }
        return (columns, width, hasNumbers)
    }

    /// The possible separators of a row, by how often each occurs in it and in the row below: the separators that both rows have most of.
    ///
    /// Where the row below has no separator, the row itself decides. Several separators may be equally frequent.
    private static func mostFrequent(_ row: [Int], _ below: [Int]) -> [Int] {
        let both = row.indices.map { min(row[$0], below[$0]) }
        let counts = both.contains { $0 > 0 } ? both : row
        return counts.indices.filter { counts[$0] == counts.max() }
    }

    /// How often each separator occurs in a row, and the end of the row; separators in quotation marks do not count, unless the marks never close.
    private func counts(
        of separators: [UInt8],
        _ start: Int,
        _ limit: Int,
        hasMarks: Bool = true
    ) -> (counts: [Int], end: Int) {
        var counts = [Int](repeating: 0, count: separators.count)
        var index = start
        var isQuoted = false
        while index < limit, isQuoted || !TableReading.isLineEnd(bytes[index]) {
            if hasMarks, bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, let place = separators.firstIndex(of: bytes[index]) { counts[place] += 1 }
            index += 1
        }
        return isQuoted ? self.counts(of: separators, start, limit, hasMarks: false) : (counts, index)
    }

    private func rowStart(_ start: Int) -> Int {
        TableReading(bytes: bytes, end: tablePlace.upperBound, separator: ASCII.comma).rowStart(start)
    }

    /// Whether an empty row stands between two rows.
    private func isGap(_ lineEnds: Range<Int>) -> Bool {
        [ASCII.lineFeed, ASCII.carriageReturn].contains { mark in bytes[lineEnds].count { $0 == mark } > 1 }
    }
}
