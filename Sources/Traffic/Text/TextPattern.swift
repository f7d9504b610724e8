/// What a text is looked at for: to contain something, to be like a pattern with `*`, or to match a regular expression; ignoring case.
package struct TextPattern: Hashable, Sendable {
    /// How `source` is meant.
    package enum Form: Hashable, Sendable {
        /// The text contains it.
        case contains
        /// The whole text is like it; `*` stands for anything.
        case glob
        /// The text matches it somewhere.
        case regex
    }

    package let form: Form
    /// As it was written.
    package let source: String
    let engine: Engine

    /// How it is looked for.
    enum Engine: Sendable {
        case needle([UInt8])
        case program(RegexProgram)
    }

    package static func == (left: TextPattern, right: TextPattern) -> Bool {
        left.form == right.form && left.source == right.source
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(form)
        hasher.combine(source)
    }

    /// The pattern of a text to be contained.
    package init(containing text: String) {
        form = .contains
        source = text
        engine = .needle(TextFold.bytes(text))
    }

    /// A pattern in which `*` stands for anything; `nil` when it is too long.
    package init?(glob: String) {
        guard glob.unicodeScalars.count <= RegexReader.limit else { return nil }
        var parts: [RegexNode] = [.assertion(.start)]
        for scalar in glob.unicodeScalars {
            if scalar == "*" {
                parts.append(.repeated(.set(.all), least: 0, most: nil))
            } else {
                parts.append(.set(ScalarSet([scalar.value...scalar.value]).ignoringCase))
            }
        }
        parts.append(.assertion(.end))
        guard let program = try? RegexProgram(.sequence(parts)) else { return nil }
        form = .glob
        source = glob
        engine = .program(program)
    }

    /// A regular expression.
    init(regex: String) throws(RegexReader.Problem) {
        form = .regex
        source = regex
        engine = .program(try RegexProgram(regex))
    }

    /// Whether a text is as it says.
    package func matches(_ text: String) -> Bool {
        switch engine {
        case .program(let program): program.matches(text)
        case .needle(let needle): TextFold.find(needle, in: TextFold.bytes(text)) != nil
        }
    }

    /// Looks through a text that comes in pieces.
    func scan() -> TextScan { TextScan(self) }
}
