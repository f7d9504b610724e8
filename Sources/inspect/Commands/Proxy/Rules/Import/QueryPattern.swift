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
        var repetitionEnd: String.UnicodeScalarView.Index?
        for index in source.unicodeScalars.indices {
            let scalar = source.unicodeScalars[index]
            if !isEscaped, scalar == "{" { repetitionEnd = end(ofRepetition: source.unicodeScalars[index...]) }
            let isRepetition = repetitionEnd.map { index < $0 } ?? false
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

    /// Where a repetition with a comma ends, `{1,}` or `{1,2}`; `nil` where none begins the text.
    private static func end(ofRepetition text: Substring.UnicodeScalarView) -> String.UnicodeScalarView.Index? {
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }
        let least = text.dropFirst().prefix(while: isDigit)
        let rest = text[least.endIndex...]
        guard !least.isEmpty, rest.first == "," else { return nil }
        let end = rest.dropFirst().drop(while: isDigit)
        return end.first == "}" ? end.startIndex : nil
    }

    /// Throws where a regular expression means another thing in its own program: `{,5}` in Python, a class within a class in Java and .NET.
    ///
    /// - Parameters:
    ///   - source: the expression.
    ///   - isJava: whether it is one of Java, in which every `[` in a class begins another one, and `\v` is any vertical blank.
    /// - Throws: `Gap` that shows it.
    static func mustBeOurs(_ source: String, isJava: Bool = false) throws {
        var (isInClass, isFirst, last) = (false, false, Unicode.Scalar(0))
        var andCount = 0
        var rest = source.unicodeScalars[...]
        func refuse() throws -> Never { throw ImportedRule.Gap("the regular expression '\(source)'") }
        while let scalar = rest.popFirst() {
            defer { last = scalar }
            if scalar == "\\" {
                if isJava, rest.first == "v" { try refuse() }
                _ = rest.popFirst()
                (isFirst, andCount) = (false, 0)
                continue
            }
            guard isInClass else {
                isInClass = scalar == "["
                (isFirst, andCount) = (isInClass, 0)
                if scalar == "{", rest.first == "," {
                    let end = rest.dropFirst().drop { $0 >= "0" && $0 <= "9" }
                    if end.first == "}", end.startIndex > rest.index(after: rest.startIndex) { try refuse() }
                }
                continue
            }
            if isFirst, scalar == "^" { continue }
            andCount = scalar == "&" ? andCount + 1 : scalar == "[" ? andCount : 0
            if scalar == "[", isJava || last == "-" || andCount >= 2 { try refuse() }
            if isJava, andCount == 2 { try refuse() }
            if scalar == "]", !isFirst { isInClass = false }
            isFirst = false
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
