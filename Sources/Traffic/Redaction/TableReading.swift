/// One reading of a table: the separator of its cells, and the ends of its rows (RFC 4180 §2).
///
/// Quotation marks that do not enclose a whole cell are part of it, so that a forgotten mark does not hide the rows after it. Each odd run of marks
/// is followed to the next one at most, so the time for a row is linear in its bytes.
struct TableReading {
    /// A cell.
    struct Cell {
        /// The value, without its quotation marks.
        let value: Range<Int>
        /// Where the cell ends: at a separator, or with its row.
        let end: Int
        /// Whether its quotation marks come in pairs, so that all readers see the same cell.
        let isWhole: Bool
    }

    /// A row.
    struct Row {
        /// How many cells it has.
        let count: Int
        /// Whether all of them are whole.
        let isWhole: Bool
        let end: Int
    }

    private static let mark = UInt8(ascii: "\"")

    let bytes: [UInt8]
    /// Where the table ends.
    let end: Int
    let separator: UInt8
    /// Whether a backslash makes the next byte a part of the cell, as MySQL writes it.
    var isEscaped = false
    /// The places of the cells in a row that are secrets, in order.
    var secrets: [Int] = []

    /// Reads the row that begins at a place, and gives each of its cells with its number in the row.
    func row(_ start: Int, _ give: (_ place: Int, _ cell: Cell) -> Void = { _, _ in }) -> Row {
        var rest = secrets[...]
        var (index, count, isWhole) = (start, 0, true)
        while true {
            let isSecret = rest.first == count
            if isSecret { rest.removeFirst() }
            let cell = cell(index, isSecret: isSecret)
            give(count, cell)
            count += 1
            isWhole = isWhole && cell.isWhole
            guard cell.end < end, bytes[cell.end] == separator else {
                return Row(count: count, isWhole: isWhole, end: cell.end)
            }
            index = cell.end + 1
        }
    }

    /// The beginning of the next row that is not empty.
    func rowStart(_ start: Int) -> Int { first(start) { !TableReading.isLineEnd($0) } }

    /// The separator that a table's first line tells Excel: `sep=;`.
    ///
    /// A byte that occurs within cells is no separator.
    static func separator(toldBy table: ArraySlice<UInt8>) -> UInt8? {
        guard table.prefix(4).elementsEqual("sep=".utf8, by: { ASCII.lower($0) == $1 }),
            let told = table.dropFirst(4).first, told > ASCII.space, !"\"\\".utf8.contains(told),
            table.dropFirst(5).first.map(isLineEnd) ?? true
        else { return nil }
        return told
    }

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == ASCII.lineFeed || byte == ASCII.carriageReturn }

    // MARK: steps

    /// The cell that begins at a place.
    ///
    /// The cell of a secret includes everything that any reader may take for it, and everything that follows where the table was cut within it.
    private func cell(_ start: Int, isSecret: Bool) -> Cell {
        let open = first(start) { $0 != ASCII.space }
        if open < end, bytes[open] == TableReading.mark {
            let close = closing(open)
            let next = first((close ?? end) + 1) { $0 != ASCII.space }
            if let close, next >= end || isEnd(bytes[next]) {
                return Cell(value: open + 1..<close, end: next, isWhole: true)
            }
            if isSecret {
                // Nothing tells which cells stand in the rest of the last row of several.
                let hasRows = bytes[open..<next].contains(where: TableReading.isLineEnd)
                let last = first(next) { hasRows ? TableReading.isLineEnd($0) : isEnd($0) }
                return Cell(value: open + 1..<last, end: last, isWhole: false)
            }
        }
        var (index, isWhole) = (start, true)
        while index < end, !isEnd(bytes[index]) {
            if bytes[index] == TableReading.mark { isWhole.toggle() }
            index += escapes(index) ? 2 : 1
        }
        let last = min(index, end)
        return Cell(value: trimmed(start..<last), end: last, isWhole: isWhole)
    }

    /// The quotation mark that ends a cell; two marks stand for one within the cell.
    private func closing(_ open: Int) -> Int? {
        var index = open + 1
        while index < end {
            if bytes[index] == TableReading.mark {
                guard index + 1 < end, bytes[index + 1] == TableReading.mark else { return index }
                index += 1
            } else if escapes(index) {
                index += 1
            }
            index += 1
        }
        return nil
    }

    private func escapes(_ index: Int) -> Bool { isEscaped && bytes[index] == UInt8(ascii: "\\") }

    private func isEnd(_ byte: UInt8) -> Bool { byte == separator || TableReading.isLineEnd(byte) }

    /// The first byte of a kind from a place in the table on, or the table's end.
    private func first(_ start: Int, _ isWanted: (UInt8) -> Bool) -> Int {
        guard start < end else { return end }
        return bytes[start..<end].firstIndex(where: isWanted) ?? end
    }

    /// A cell without the blanks round it.
    private func trimmed(_ cell: Range<Int>) -> Range<Int> {
        let start = bytes[cell].firstIndex { $0 > ASCII.space } ?? cell.upperBound
        let last = bytes[start..<cell.upperBound].lastIndex { $0 > ASCII.space }
        return start..<(last.map { $0 + 1 } ?? start)
    }
}
