/// How much room a text takes in a terminal: two cells for a wide character of Chinese, Japanese or Korean, or an emoji, and one for any other.
enum TerminalCells {
    /// The cells of a text that is safe to print.
    static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + width($1) }
    }

    /// The longest beginning of a text that takes no more than so many cells.
    static func prefix(_ text: String, _ limit: Int) -> Substring {
        var rest = limit
        return text.prefix { character in
            rest -= width(character)
            return rest >= 0
        }
    }

    /// The longest end of a text that takes no more than so many cells.
    static func suffix(_ text: String, _ limit: Int) -> Substring {
        var rest = limit
        let end = text.reversed().prefix { character in
            rest -= width(character)
            return rest >= 0
        }
        return text.suffix(end.count)
    }

    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        // An emoji that is drawn as text by itself is wide where a selector (U+FE0F) asks for its picture.
        if scalar.properties.isEmojiPresentation || character.unicodeScalars.contains("\u{FE0F}") { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The blocks of wide characters (Unicode Annex 11, East Asian width W and F), unassigned places within them counted in.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x20000...0x3FFFD,
    ]
}
