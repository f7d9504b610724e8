/// Breaks a text into lines of the terminal's width, so that no word is lost where it is read.
enum LineBreaks {
    /// The text as lines: broken between words, and within a word that is wider than a line.
    ///
    /// - Parameters:
    ///   - text: is safe to print, and has no colours.
    ///   - head: stands before it on the first line, perhaps in colours.
    ///   - indent: blanks before each further line; as many cells as `head` takes, unless given.
    ///   - layout: how wide a line may be.
    /// - Returns: the lines, one at least; in a pipe, where no line is cut, just one.
    static func lines(_ text: String, after head: String = "", indent: Int? = nil, in layout: Layout) -> [String] {
        guard let width = layout.width else { return [head + text] }
        let used = TerminalCells.width(Style.sequences.reduce(head) { $0.replacing($1, with: "") })
        let blanks = String(repeating: " ", count: min(indent ?? used, width / 2))
        var lines: [String] = []
        var line = head
        var room = max(0, width - used)
        var isStart = true
        func end() {
            lines.append(line)
            (line, room, isStart) = (blanks, max(1, width - blanks.count), true)
        }
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            var word = String(word)
            if TerminalCells.width(word) + (isStart ? 0 : 1) > room, width - blanks.count > room { end() }
            if !isStart {
                line += " "
                room -= 1
            }
            while TerminalCells.width(word) > room {
                let part = TerminalCells.prefix(word, room)
                line += part
                word.removeFirst(part.count)
                end()
                // A wide character does not fit the narrowest terminal.
                if part.isEmpty, room < 2 { break }
            }
            line += word
            room -= TerminalCells.width(word)
            isStart = false
        }
        return lines + [line]
    }
}
