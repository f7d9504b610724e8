/// Paints the lines of HTTP messages, which are safe to print already.
struct MessageColours {
    let style: Style

    /// A head: its start line bold, the names of its fields in a colour.
    ///
    /// - Parameters:
    ///   - lines: one for each line of the head.
    ///   - hasStart: whether the first is a start line; trailers have none.
    /// - Returns: the lines in colours.
    func head(_ lines: [String], hasStart: Bool = true) -> [String] {
        guard style.isColoured else { return lines }
        return lines.enumerated().map { index, line in
            if hasStart, index == 0 { return style.paint(line, .bold) }
            guard let colon = line.firstIndex(of: ":") else { return line }
            return style.paint(String(line[..<colon]), .cyan) + line[colon...]
        }
    }

    /// A line of JSON that has one member a line: names, texts, and all other values in three colours.
    func json(_ line: String) -> String {
        guard style.isColoured else { return line }
        var result = ""
        var rest = line.unicodeScalars[...]
        while let first = rest.first {
            let part: Substring.UnicodeScalarView
            let colour: Style.Colour?
            if first == "\"" {
                part = rest[..<Self.stringEnd(rest)]
                colour = rest[part.endIndex...].first == ":" ? .cyan : .green
            } else if Self.signs.contains(first) {
                part = rest.prefix { Self.signs.contains($0) }
                colour = nil
            } else {
                part = rest.prefix { $0 != "\"" && !Self.signs.contains($0) }
                colour = .yellow
            }
            result += style.paint(String(part), colour)
            rest = rest[part.endIndex...]
        }
        return result
    }

    /// What stands between values.
    private static let signs: Set<Unicode.Scalar> = ["{", "}", "[", "]", ",", ":", " ", "\t"]

    /// Where the string that a text begins with ends, behind its quotation mark.
    private static func stringEnd(_ text: Substring.UnicodeScalarView) -> String.Index {
        var isEscaped = false
        for index in text.indices.dropFirst() {
            if !isEscaped, text[index] == "\"" { return text.index(after: index) }
            isEscaped = !isEscaped && text[index] == "\\"
        }
        return text.endIndex
    }
}
