/// The rules of the house that a text can be held to.
///
/// Each is a function from a file to the places that break it, so that the tests can show it a clean checkout and an offending snippet.
enum HouseRules {
    /// Where a file stops; half of it is the aim.
    static let longestFile = 400

    /// A file stops at 400 lines.
    static func length(_ file: SourceFile) -> [Violation] { length(of: file.lines, path: file.path) }

    /// Where a file goes on for too long.
    ///
    /// - Parameters:
    ///   - lines: all lines of the file.
    ///   - path: the path from the top of the checkout.
    /// - Returns: its last line; nothing where the file is short enough.
    static func length(of lines: TextLines, path: String) -> [Violation] {
        guard lines.count > longestFile else { return [] }
        let reason = "\(lines.count) lines; a file stops at \(longestFile)"
        return [Violation(path: path, line: lines.count, reason: reason)]
    }

    /// Nothing traps: no forced try, cast or unwrap, no unowned reference, no fatalError.
    static func traps(_ file: SourceFile) -> [Violation] {
        file.violations(of: /[\w\)\]\}>?]+!(?!=)/, in: "!", because: "forces what may not be")
            + file.violations(of: /\bunowned\b|\bfatalError\s*\(/, in: "unowned", "fatalError", because: "traps")
    }

    /// Nothing is left for later.
    static func unfinished(_ file: SourceFile) -> [Violation] {
        let words = ["TODO", "FIXME", "XXX", "implemented"]
        return file.lines.containing(words).flatMap { line in
            line.text.matches(of: /(?:TODO|FIXME|XXX)\b|[Nn]ot (?:yet )?implemented/).map { match in
                Violation(path: file.path, line: line.number, reason: "`\(match.output)`: finish it or open an issue")
            }
        }
    }

    /// A task has a parent.
    static func looseTasks(_ file: SourceFile) -> [Violation] {
        file.violations(
            of: /(?:^|[^\w.])Task(?:<[^>]*>)?\s*(?:\{|\(|\.detached\b|\.immediate\b|\.init\b)/,
            in: "Task",
            because: "starts a task without a parent; use a task group"
        )
    }

    /// Proxy waits on futures at its named doors; only the server is async.
    static func awaitInProxy(_ file: SourceFile) -> [Violation] {
        guard file.target == "Proxy", !file.name.hasPrefix("ProxyServer") else { return [] }
        return file.violations(
            of: /\bawait\b/,
            in: "await",
            because: "stands in Proxy only in ProxyServer"
        )
    }

    /// What a type needs is in its init, so only the commands read the environment.
    static func environmentReads(_ file: SourceFile) -> [Violation] {
        guard let target = file.target, target != "inspect", target != "Benchmarks" else { return [] }
        return file.violations(
            of:
                /\bProcessInfo\b.*\benvironment\b|\b(?:secure_)?getenv\s*\(|\benviron\b|\bEnvironment\(\)|\bCommandLine\.arguments\b/,
            in: "environ",
            "Environment",
            "getenv",
            "CommandLine",
            because: "reads the environment below inspect"
        )
    }

    /// No state is shared by being static.
    static func sharedState(_ file: SourceFile) -> [Violation] {
        storedStaticVariables(file)
            + file.violations(of: /\bstatic\s+let\s+shared\b/, in: "shared", because: "is a singleton; pass it in")
    }

    /// What switches off the compiler's checks: never in Traffic, Archive, Store and Web; elsewhere with a comment that proves it.
    static func uncheckedConcurrency(_ file: SourceFile) -> [Violation] {
        let lines = file.lines
        let isBarred = ["Traffic", "Archive", "Store", "Web"].contains(file.target)
        return file.violations(
            of: /@unchecked\s+Sendable|\bnonisolated\(unsafe\)|@preconcurrency\b/,
            in: "@unchecked",
            "nonisolated",
            "@preconcurrency",
            because: isBarred ? "has no place in \(file.target ?? "")" : "needs a comment that proves it"
        )
        .filter { isBarred || !isExcused(lines, at: $0.line) }
    }

    /// Tests wait for something, and run.
    static func idleTests(_ file: SourceFile) -> [Violation] {
        file.violations(
            of: /\b(?:u|nano)?sleep\s*\(/,
            in: "sleep",
            because: "waits for nothing; wait for the thing itself, with a deadline"
        )
            + file.violations(
                of: /\.(?:disabled|enabled)\s*\(|\bXCTSkip\w*|\bwithKnownIssue\b/,
                in: ".disabled",
                ".enabled",
                "XCTSkip",
                "withKnownIssue",
                because: "switches a test off"
            )
    }

    private static func storedStaticVariables(_ file: SourceFile) -> [Violation] {
        let start = /\bstatic\s+var\s+(\w+)/.wordBoundaryKind(.simple)
        return file.code.containing(["static"]).compactMap { line in
            guard let found = line.text.firstMatch(of: start) else { return nil }
            var declaration = line.text[found.range.upperBound...].trimmingBlanks
            let next = file.code.line(line.number + 1).text.trimmingBlanks
            if declaration.hasSuffix(":") || next.hasPrefix("{") || next.hasPrefix("=") { declaration += next }
            if declaration.first(where: { $0 == "{" || $0 == "=" }) == "{" { return nil }
            let reason = "`static var \(found.output.1)` is stored and shared; pass it in"
            return Violation(path: file.path, line: line.number, reason: reason)
        }
    }

    /// Whether a comment on this line, or in the lines right above it, speaks of why the compiler's check may be off.
    private static func isExcused(_ lines: TextLines, at number: Int) -> Bool {
        let above = sequence(first: number - 1) { $0 - 1 }.lazy.map { lines.line($0).text.trimmingBlanks }
            .prefix { $0.hasPrefix("//") || $0.hasPrefix("@") }
        return ([lines.line(number).text] + above).contains { line in
            guard let comment = line.firstRange(of: "//") else { return false }
            return line[comment.upperBound...].contains(/unchecked|unsafe|Sendable|preconcurrency|thread|loop|lock/)
        }
    }
}
