import RegexBuilder

extension HouseRules {
    /// Words that say nothing about what a type is.
    private static let emptyWords: Set<String> = ["Manager", "Helper", "Helpers", "Util", "Utils", "Utility", "Impl"]
    /// Words that say nothing at the end of a name.
    private static let emptyEndings: Set<String> = ["Base", "Data"]

    /// A type is named for what it is, without Manager, Helper, Util, Impl, Base or Data.
    static func emptyNames(_ file: SourceFile) -> [Violation] {
        file.declaredTypes.compactMap { type in
            let words = words(of: type.name)
            let empty =
                words.first(where: emptyWords.contains) ?? words.last.flatMap { emptyEndings.contains($0) ? $0 : nil }
            return empty.map {
                Violation(path: file.path, line: type.line, reason: "\(type.name) says `\($0)`, not what the type is")
            }
        }
    }

    /// A file is named after a type that it declares, or `Type+Aspect` after one that it extends.
    static func fileNames(_ file: SourceFile) -> [Violation] {
        let parts = file.name.split(separator: "+", maxSplits: 1)
        guard let type = parts.first.map(String.init), parts.count == 1 || !parts[1].isEmpty else {
            return [Violation(path: file.path, line: 1, reason: "a file is named Type.swift or Type+Aspect.swift")]
        }
        let isThere =
            file.declaredTypes.contains { $0.name == type }
            || (parts.count == 2
                && file.code.containing(["extension"]).contains { $0.text.firstMatch(of: extending(type)) != nil })
        if isThere { return [] }
        let wanted = parts.count == 2 ? "declares and extends no \(type)" : "declares no \(type)"
        return [Violation(path: file.path, line: 1, reason: "\(file.name).swift \(wanted)")]
    }

    /// A file declares one type at its top level; private ones, which serve it, do not count.
    ///
    /// - Returns: every further type.
    static func furtherTypes(_ file: SourceFile) -> [Violation] {
        let kinds = ["struct", "class", "enum", "actor", "protocol"]
        let declaration =
            /^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:package|public|internal|final|indirect|nonisolated)\s+)*(?:struct|class|enum|actor|protocol)\s+(\w+)/
        let types = file.code.containing(kinds).compactMap { line in
            line.text.firstMatch(of: declaration).map { (name: String($0.output.1), line: line.number) }
        }
        guard let first = types.first else { return [] }
        // Under `#if` and `#else` a type may stand twice.
        return types.filter { $0.name != first.name }.map {
            Violation(path: file.path, line: $0.line, reason: "\($0.name) stands beside \(first.name); one type a file")
        }
    }

    private static func extending(_ type: String) -> Regex<Substring> {
        let name = Regex<Substring>(verbatim: type)
        return Regex {
            /\bextension\s+/
            Optionally(/(?:[A-Za-z_0-9]+\.)+/)
            name
            /\b/
        }
    }

    /// The words of a name in camel case: `HTTP1HeadParser` is HTTP1, Head, Parser.
    static func words(of name: String) -> [String] {
        name.matches(of: /[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+/).map { String($0.output) }
    }
}

extension SourceFile {
    /// The types that the file declares, nested ones and aliases too, with the line of each.
    var declaredTypes: [(name: String, line: Int)] {
        let kinds = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        let declaration = /\b(?:struct|class|enum|actor|protocol|typealias)\s+([A-Z_][A-Za-z_0-9]*)/.wordBoundaryKind(
            .simple
        )
        return code.containing(kinds).flatMap { line in
            line.text.matches(of: declaration).map { (name: String($0.output.1), line: line.number) }
        }
    }
}
