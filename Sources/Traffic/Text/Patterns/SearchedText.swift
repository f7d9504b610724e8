/// A text that many patterns are looked for in: it is folded once, where the first of them needs that.
struct SearchedText {
    let text: String
    private var folded: [UInt8]?

    init(_ text: String) { self.text = text }

    /// Whether the text matches a pattern.
    mutating func matches(_ pattern: TextPattern) -> Bool {
        switch pattern.engine {
        case .program(let program): return program.matches(text)
        case .needle(let needle):
            let bytes = folded ?? TextFold.bytes(text)
            folded = bytes
            return TextFold.find(needle, in: bytes) != nil
        }
    }
}
