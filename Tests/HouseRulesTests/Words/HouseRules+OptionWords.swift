extension HouseRules {
    /// The files below the commands that write other programs' command lines, with those programs' options.
    static let commandLineFiles: Set<String> = [
        "Sources/Archive/Writing/Scripts/CurlCommand.swift", "Sources/Archive/Writing/Scripts/HTTPieCommand.swift",
        "Sources/Trust/ClientRecipe+All.swift", "Sources/Trust/TrustGuide+Sections.swift",
    ]

    /// An option is a word of the command line: below the commands no text names one, since the page and the proxy's clients read it too.
    ///
    /// Swift writes two hyphens before a word nowhere but in literals and comments.
    static func optionWords(_ file: SourceFile) -> [Violation] {
        guard let target = file.target, target != "inspect", target != "Benchmarks",
            !commandLineFiles.contains(file.path)
        else { return [] }
        return file.lines.containing(["--"]).flatMap { line in
            let comment = line.text.firstRange(of: #/^\s*//|\s\s//\s/#)
            let text = line.text[..<(comment?.lowerBound ?? line.text.endIndex)]
            return text.matches(of: /(?:^|[^\w<!-])(--[a-z][a-z-]*)/).map { match in
                let reason = "names the option `\(match.output.1)`; give a case with its values, and word it in inspect"
                return Violation(path: file.path, line: line.number, reason: reason)
            }
        }
    }
}
