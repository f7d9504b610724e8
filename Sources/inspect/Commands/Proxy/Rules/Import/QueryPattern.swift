/// Texts and patterns of other programs as terms of a query, in which nothing of them is read as another term.
enum QueryPattern {
    /// A term for a text and no other.
    static func exact(_ key: String, _ text: String, mindsCase: Bool = false) -> String {
        "\(key):/\(mindsCase ? "(?-i)" : "")^\(RuleSketch.expression(text))$/"
    }

    /// A term for the fields of one name whose value matches a regular expression; an empty one is for any value.
    static func field(_ key: String, _ name: String, _ source: String) throws -> String {
        guard name.wholeMatch(of: /[A-Za-z0-9_.\-]+/) != nil else {
            throw ImportedRule.Gap("a condition on the field '\(name)'")
        }
        return source.isEmpty ? "\(key):\(name)" : "\(key):\(name)=/\(try escaped(source))/"
    }

    /// A term for a whole text in which `*` stands for any characters and `?` for one.
    static func glob(_ key: String, _ text: String) -> String {
        let parts = text.unicodeScalars.map { $0 == "*" ? ".*" : $0 == "?" ? "." : RuleSketch.expression(String($0)) }
        return "\(key):/^\(parts.joined())$/"
    }

    /// A term for a text that stands anywhere.
    static func containing(_ key: String, _ text: String) -> String {
        let isWord = !text.isEmpty && text.utf8.allSatisfy { $0 < 0x80 && Character(Unicode.Scalar($0)).isWordPart }
        return isWord ? "\(key):\(text)" : "\(key):/(?:\(RuleSketch.expression(text)))/"
    }

    /// A term for a regular expression, in which neither a blank nor a comma nor a slash ends it.
    static func regex(_ key: String, _ source: String) throws -> String {
        let out = try escaped(source)
        // What has nothing special in it would be a piece of a path.
        return "\(key):/\(out.contains { "\\^$+()[]{}|.".contains($0) } ? out : "(?:\(out))")/"
    }

    /// A regular expression as it stands between slashes.
    private static func escaped(_ source: String) throws -> String {
        try mustBeOurs(source)
        var out = ""
        var isEscaped = false
        // In a repetition a comma means something.
        let repetitions = source.ranges(of: /\{[0-9]+,[0-9]*\}/)
        var repetition = repetitions.startIndex
        for index in source.unicodeScalars.indices {
            let scalar = source.unicodeScalars[index]
            while repetition < repetitions.endIndex, repetitions[repetition].upperBound <= index { repetition += 1 }
            if isEscaped, repetition < repetitions.endIndex, repetitions[repetition].lowerBound == index {
                repetition += 1
            }
            let isRepetition = repetition < repetitions.endIndex && repetitions[repetition].contains(index)
            guard scalar.value > 0x20, scalar.value < 0x7F else {
                if isEscaped { out.removeLast() }
                out += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                isEscaped = false
                continue
            }
            if !isEscaped, scalar == "/" || scalar == "," && !isRepetition { out += "\\" }
            out.unicodeScalars.append(scalar)
            isEscaped = !isEscaped && scalar == "\\"
        }
        guard !isEscaped else { throw ImportedRule.Gap("the regular expression '\(source)' ends with a backslash") }
        return out
    }

    /// Throws where a regular expression means another thing in its own program: `{,5}` in Python, a class within a class in Java and .NET.
    static func mustBeOurs(_ source: String) throws {
        // A longer one is refused by its length, and is not searched.
        guard source.utf8.count > 4_000 || !source.contains(/\{,[0-9]+\}|&&\[|-\[[^\]]*\]\]/) else {
            throw ImportedRule.Gap("the regular expression '\(source)'")
        }
    }

    /// Terms of which one list must hold; none where a list holds for everything.
    static func any(_ lists: [[String]]) -> [String] {
        if lists.contains(where: \.isEmpty) { return [] }
        if lists.count == 1 { return lists[0] }
        return ["(\(lists.map { "(\($0.joined(separator: " ")))" }.joined(separator: " or ")))"]
    }
}

extension Character {
    /// Whether it is an ASCII letter or digit.
    fileprivate var isWordPart: Bool { isLetter || isNumber }
}
