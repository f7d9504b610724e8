/// A pattern for texts: a text to be contained, a pattern with `*`, or a regular expression; it ignores case.
package struct TextPattern: Hashable, Sendable {
    /// How `source` is meant.
    package enum Form: Hashable, Sendable {
        /// The text contains it.
        case contains
        /// The whole text matches it; `*` stands for anything.
        case glob
        /// The text matches it somewhere.
        case regex
    }

    package let form: Form
    /// The pattern as it was written.
    package let source: String
    let engine: Engine
    /// The bytes that a matching text must contain, and whether they are enough.
    package let need: Need
    /// The bytes that a matching text must contain once it is folded, run by run, the longest being that of `need`; empty where nothing is known.
    let literals: [[UInt8]]

    /// Bytes that a text must contain once it is folded.
    package enum Need: Hashable, Sendable {
        /// A text matches if, and only if, it contains these.
        case exactly([UInt8])
        /// A text without these cannot match; empty where nothing is known.
        case atLeast([UInt8])

        /// The bytes that a matching text must contain; empty where nothing is known.
        package var bytes: [UInt8] {
            switch self {
            case .exactly(let bytes), .atLeast(let bytes): bytes
            }
        }
    }

    /// The way the pattern is searched for.
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
        let needle = TextFold.bytes(text)
        engine = .needle(needle)
        need = .exactly(needle)
        literals = needle.isEmpty ? [] : [needle]
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
        need = .atLeast(RegexNode.sequence(parts).literal)
        literals = RegexNode.sequence(parts).literals
        form = .glob
        source = glob
        engine = .program(program)
    }

    /// A regular expression.
    init(regex: String) throws(RegexReader.Problem) {
        form = .regex
        source = regex
        let node = try RegexReader.read(regex)
        engine = .program(try RegexProgram(node))
        need = .atLeast(node.literal)
        literals = node.literals
    }

    /// This pattern and, where it is written with escapes such as `\u00fc`, the pattern with the letters they stand for, as bodies and messages are
    /// read.
    package var readings: [TextPattern] {
        guard form == .contains, source.utf8.contains(UInt8(ascii: "\\")) else { return [self] }
        let decoded = TextEscapes.decoded(source)
        return decoded == source ? [self] : [self, TextPattern(containing: decoded)]
    }

    /// Whether a text matches.
    package func matches(_ text: String) -> Bool {
        var searched = SearchedText(text)
        return searched.matches(self)
    }

    /// Whether a text matches; `nil` where that takes more work than there is.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - work: bytes and steps that may be looked at; it is reduced by those that were.
    /// - Returns: whether it matches.
    package func matches(_ text: String, work: inout Int) -> Bool? {
        if case .program(let program) = engine { return program.matches(text, work: &work) }
        work -= text.utf8.count
        return matches(text)
    }

    /// Whether a text of ASCII matches if, and only if, it matches once it is folded.
    ///
    /// False where the pattern minds case, and where it has, or may name, scalars outside ASCII.
    package var isBlindToFolding: Bool {
        form != .regex
            ? source.utf8.allSatisfy { $0 < 0x80 }
            : source.utf8.allSatisfy { $0 < 0x80 } && !["(?", "\\u", "\\x", "\\p"].contains(where: source.contains)
    }

    /// Whether a text of ASCII matches.
    package func matches(plain text: UnsafeRawBufferPointer) -> Bool {
        switch engine {
        case .needle(let needle): return TextFold.place(of: needle, in: text) != nil
        case .program(let program): return program.matches(plain: text)
        }
    }

    /// Looks through a text that comes in pieces.
    func scan() -> TextScan { TextScan(self) }
}

extension TextPattern {
    /// Scalars that are tried backwards for the beginning of what a regular expression matched.
    private static let reach = 200

    /// The first place in a text that matches, for showing; for a regular expression a short stretch that matches, or the end of its match.
    package func range(in text: String) -> Range<String.Index>? {
        switch engine {
        case .needle(let needle): return TextPattern.range(of: needle, in: text)
        case .program(let program):
            if form == .glob { return program.matches(text) ? text.startIndex..<text.endIndex : nil }
            var scan = RegexScan(program)
            var end = text.startIndex
            var isFound = false
            while end < text.endIndex, !isFound {
                let next = text.unicodeScalars.index(after: end)
                isFound = Array(String(text.unicodeScalars[end]).utf8).withUnsafeBytes { scan.feed($0) }
                // A match shows when the scalar after it comes.
                if !isFound { end = next }
            }
            guard isFound || scan.finish() else { return nil }
            var start = end
            for _ in 0..<TextPattern.reach where start > text.startIndex {
                if start < end, program.matches(String(text[start..<end])) { break }
                start = text.unicodeScalars.index(before: start)
            }
            return program.matches(String(text[start..<end])) ? start..<end : end..<end
        }
    }

    private static func range(of needle: [UInt8], in text: String) -> Range<String.Index>? {
        var folded: [UInt8] = []
        // For each folded byte, the scalar that it comes from.
        var origins: [String.Index] = []
        for index in text.unicodeScalars.indices {
            let mapping = text.unicodeScalars[index].properties.lowercaseMapping.utf8
            folded.append(contentsOf: mapping)
            origins.append(contentsOf: repeatElement(index, count: mapping.count))
        }
        guard let place = TextFold.find(needle, in: folded) else { return nil }
        guard !needle.isEmpty else { return text.startIndex..<text.startIndex }
        return origins[place]..<text.unicodeScalars.index(after: origins[place + needle.count - 1])
    }
}
