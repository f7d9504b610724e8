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
    /// What a text must contain, and what that says about it.
    package let need: Need

    /// Bytes that a text must contain once it is folded.
    package enum Need: Hashable, Sendable {
        /// It is as wanted if, and only if, it contains these.
        case exactly([UInt8])
        /// It cannot be as wanted without these; none of them where nothing is known.
        case atLeast([UInt8])

        /// What it must contain; nothing where nothing is known.
        package var bytes: [UInt8] {
            switch self {
            case .exactly(let bytes), .atLeast(let bytes): bytes
            }
        }
    }

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
        let needle = TextFold.bytes(text)
        engine = .needle(needle)
        need = .exactly(needle)
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
    }

    /// This pattern, and where it is written with escapes such as `\u00fc` the one of what they stand for: that is how bodies and messages are read.
    package var readings: [TextPattern] {
        guard form == .contains, source.utf8.contains(UInt8(ascii: "\\")) else { return [self] }
        let decoded = TextEscapes.decoded(source)
        return decoded == source ? [self] : [self, TextPattern(containing: decoded)]
    }

    /// Whether a text is as it says.
    package func matches(_ text: String) -> Bool {
        switch engine {
        case .program(let program): program.matches(text)
        case .needle(let needle): TextFold.find(needle, in: TextFold.bytes(text)) != nil
        }
    }

    /// Whether a text is as it says; `nil` where that takes more work than there is.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - work: bytes and steps that may be looked at; those that were are taken off.
    /// - Returns: whether it is.
    package func matches(_ text: String, work: inout Int) -> Bool? {
        if case .program(let program) = engine { return program.matches(text, work: &work) }
        work -= text.utf8.count
        return matches(text)
    }

    /// Whether a text of ASCII is as it says if, and only if, the text is so when it is folded.
    ///
    /// Not where case was asked for, nor where the pattern itself has, or may name, other scalars than ASCII.
    package var isBlindToFolding: Bool {
        form != .regex
            ? source.utf8.allSatisfy { $0 < 0x80 }
            : source.utf8.allSatisfy { $0 < 0x80 } && !["(?", "\\u", "\\x", "\\p"].contains(where: source.contains)
    }

    /// Whether a text of ASCII is as it says.
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

    /// Where it first stands in a text, for showing; of a regular expression a short stretch that matches, or where its match ends.
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
        // For each folded byte the scalar that it is of.
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
