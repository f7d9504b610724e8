extension DecodedPiece {
    private static let field = Array("data:".utf8)

    /// Gives the data of each event that has several lines of it, joined as the stream's reader joins them (WHATWG HTML §9.2.6).
    ///
    /// An event that is too long for one piece is cut between two lines, and the next piece begins with the last bytes of the one before.
    static func events(
        _ text: [UInt8],
        _ outer: Layers,
        _ place: (Int) -> UInt32,
        _ give: (DecodedPiece) -> Void
    ) {
        guard outer.mayUndo(.event) else { return }
        let window = outer.window
        var layers = outer.undoing(.event)
        var lines: [Range<Int>] = []
        var size = 0
        func giveLines() {
            guard lines.count > 1 else { return }
            let piece = DecodedPiece(lines, of: text, in: layers, place)
            give(piece)
            piece.eachInside(give)
        }
        // A byte order mark is no part of the first line.
        var start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < text.count {
            let lineEnd = text[start...].firstIndex(where: TableReading.isLineEnd) ?? text.count
            if lineEnd == start {
                giveLines()
                (layers.isContinued, lines, size) = (outer.isContinued, [], 0)
            } else if let value = value(text, start..<lineEnd, isRest: start == 0 && outer.isContinued) {
                if size > window.bytes {
                    layers.isCut = true
                    giveLines()
                    (layers.isContinued, layers.isCut) = (true, outer.isCut)
                    lines = end(of: lines, count: window.overlapBytes)
                    size = lines.reduce(0) { $0 + $1.count + 1 }
                }
                lines.append(value)
                size += value.count + 1
            }
            let isPair = text[lineEnd...].starts(with: [ASCII.carriageReturn, ASCII.lineFeed])
            start = lineEnd + (isPair ? 2 : 1)
        }
        giveLines()
    }

    /// The value in a line of data, without the blank before it; `nil` for any other line.
    ///
    /// The rest of a line whose beginning was cut off may be data too.
    private static func value(_ text: [UInt8], _ line: Range<Int>, isRest: Bool) -> Range<Int>? {
        guard text[line].starts(with: field) else { return isRest ? line : nil }
        let start = line.lowerBound + field.count
        return (start < line.upperBound && text[start] == ASCII.space ? start + 1 : start)..<line.upperBound
    }

    /// The end of lines: so many bytes, the ends of lines among them.
    private static func end(of lines: [Range<Int>], count: Int) -> [Range<Int>] {
        var end: [Range<Int>] = []
        var room = count
        for line in lines.reversed() where room > 0 {
            end.append(max(line.lowerBound, line.upperBound - room)..<line.upperBound)
            room -= line.count + 1
        }
        return end.reversed()
    }
}
