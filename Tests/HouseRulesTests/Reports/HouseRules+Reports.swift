extension HouseRules {
    /// The file of the commands that makes JSON, and the one that declares `--json`.
    private static let makingJSON = "Sources/inspect/Terminal/Report/JSONWriter+Bytes.swift"
    private static let declaringJSON = "Sources/inspect/Options/OutputOptions.swift"
    /// What types that show something were called before they were reports.
    private static let formerEndings: Set<String> = ["View", "Printer", "Listing", "Page", "Text", "JSON"]

    /// The commands make JSON in one place, so that the console alone decides about indentation.
    static func ownWriters(_ file: SourceFile) -> [Violation] {
        guard file.target == "inspect", file.path != makingJSON else { return [] }
        return file.violations(
            of: /\bJSONWriter\s*(?:=?\s*\.init\s*)?\(/,
            in: "JSONWriter",
            because: "makes JSON beside Console.write and JSONWriter.bytes"
        )
    }

    /// `--json` is declared in one place, so that it means the same in every command.
    static func ownJSONFlags(_ file: SourceFile) -> [Violation] {
        guard file.target == "inspect", file.path != declaringJSON else { return [] }
        // An option is named by a literal, which `code` has blanked, or by its property.
        let named = file.lines.containing(["customLong"]).filter { $0.text.contains(/customLong\(\s*"json"/) }
        return file.violations(
            of: /\bvar\s+json(?:\s*:\s*Bool\b|\s*=\s*(?:true|false)\b)/,
            in: "json",
            because: "declares --json beside OutputOptions"
        )
            + named.map {
                Violation(path: file.path, line: $0.number, reason: "`customLong` declares --json beside OutputOptions")
            }
    }

    /// What a command shows is a report; a type that makes lines or files is named for those.
    static func formerSuffixes(_ file: SourceFile) -> [Violation] {
        guard file.target == "inspect" else { return [] }
        return file.declaredTypes.compactMap { type in
            guard let last = words(of: type.name).last, formerEndings.contains(last) else { return nil }
            return Violation(
                path: file.path,
                line: type.line,
                reason: "\(type.name) ends in `\(last)`; what a command shows is a Report"
            )
        }
    }
}
