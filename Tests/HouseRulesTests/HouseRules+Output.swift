extension HouseRules {
    /// Standard error has one door, which escapes what others wrote.
    static func rawErrors(_ file: SourceFile) -> [Violation] {
        guard file.path != "Sources/inspect/Terminal/Console.swift" else { return [] }
        return file.violations(
            of: /\bfputs\s*\(|\bstandardError\b|\b(?:to|descriptor):\s*(?:STDERR_FILENO|2)\b/,
            in: "fputs",
            "standardError",
            "STDERR_FILENO",
            "to: 2",
            "descriptor: 2",
            because: "goes round Console.remark, which makes visible what others wrote"
        )
    }
}
