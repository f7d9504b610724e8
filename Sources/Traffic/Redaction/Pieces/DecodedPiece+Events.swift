extension DecodedPiece {
    private static let field = Array("data:".utf8)

    /// Gives the data of each event that has several lines of it, joined as the stream's reader joins them (WHATWG HTML §9.2.6).
    ///
    /// An event that is too long for one piece is cut between two lines, and the next piece begins with the last lines of the one before.
    static func events(_ text: [UInt8], _ layers: Layers, _ give: (DecodedPiece) -> Void) {
        let window = layers.window
        var layers = layers.undoing(.event)
        var lines: [Range<Int>] = []
        var size = 0
        func giveLines() {
            guard lines.count > 1 else { return }
            let piece = DecodedPiece(lines, of: text, in: layers)
            give(piece)
            piece.eachInside(give)
        }
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(where: TableReading.isLineEnd) ?? text.count
            if end == start {
                giveLines()
                (layers.isContinued, lines, size) = (false, [], 0)
            } else if text[start..<end].starts(with: field) {
                if size > window.bytes {
                    layers.isCut = true
                    giveLines()
                    (layers.isContinued, layers.isCut) = (true, false)
                    var again = 0
                    let before = lines.lastIndex { line in
                        again += line.count + 1
                        return again > window.overlapBytes
                    }
                    lines = Array(lines[(before.map { $0 + 1 } ?? 0)...])
                    size = lines.reduce(0) { $0 + $1.count + 1 }
                }
                let value = start + field.count
                lines.append((value < end && text[value] == ASCII.space ? value + 1 : value)..<end)
                size += end - value + 1
            }
            let isPair = text[end...].starts(with: [ASCII.carriageReturn, ASCII.lineFeed])
            start = end + (isPair ? 2 : 1)
        }
        giveLines()
    }
}
