/// A field line that many patterns are looked for in.
struct SearchedField {
    private let name: String
    private var loweredName: String?
    private var value: SearchedText
    /// The whole line, once a pattern looks at it.
    private var line: SearchedText?

    init(_ field: HeaderList.Field) { (name, value) = (field.name, SearchedText(field.value)) }

    private mutating func lowered() -> String {
        let lowered = loweredName ?? name.lowercased()
        loweredName = lowered
        return lowered
    }

    /// Whether the whole line matches a pattern.
    mutating func isLine(like pattern: TextPattern) -> Bool {
        var whole = line ?? SearchedText("\(name): \(value.text)")
        defer { line = whole }
        return whole.matches(pattern)
    }

    /// Whether the field matches a pattern.
    mutating func matches(_ pattern: HeaderPattern) -> Bool {
        switch pattern.name {
        case .line(let line): return isLine(like: line)
        case .named(let wanted):
            let isWhole = wanted.form == .contains
            let isNamed = isWhole ? lowered() == wanted.source.lowercased() : wanted.matches(name)
            return isNamed && pattern.value.map { value.matches($0) } ?? true
        }
    }
}
