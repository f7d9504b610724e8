/// The rules of the house that a text can be held to.
///
/// Each is a function from a file to the places that break it, so that the tests can show it a clean checkout and an offending snippet.
enum HouseRules {
    /// Where a file stops; half of it is the aim.
    static let longestFile = 400

    /// A file stops at 400 lines.
    static func length(_ file: SourceFile) -> [Violation] {
        file.lineCount <= longestFile
            ? []
            : [
                Violation(
                    path: file.path,
                    line: file.lineCount,
                    reason: "\(file.lineCount) lines; a file stops at \(longestFile)"
                )
            ]
    }

    /// Nothing traps: no forced try, cast or unwrap, no unowned reference, no fatalError.
    static func traps(_ file: SourceFile) -> [Violation] {
        file.violations(of: /[\w\)\]\}>?]+!(?!=)/, because: "forces what may not be")
            + file.violations(of: /\bunowned\b|\bfatalError\s*\(/, because: "traps")
    }

    /// Nothing is left for later.
    static func unfinished(_ file: SourceFile) -> [Violation] {
        file.lines.enumerated().flatMap { index, line in
            line.matches(of: /(?:TODO|FIXME|XXX)\b|[Nn]ot (?:yet )?implemented/).map { match in
                Violation(path: file.path, line: index + 1, reason: "`\(match.output)`: finish it or open an issue")
            }
        }
    }

    /// A task has a parent.
    static func looseTasks(_ file: SourceFile) -> [Violation] {
        file.violations(
            of: /(?:^|[^\w.])Task(?:<[^>]*>)?\s*(?:\{|\(|\.detached\b|\.immediate\b|\.init\b)/,
            because: "starts a task without a parent; use a task group"
        )
    }

    /// Proxy waits on futures at its named doors; only the outermost pieces are async.
    static func awaitInProxy(_ file: SourceFile) -> [Violation] {
        guard file.target == "Proxy", !file.name.hasPrefix("ProxyServer"), !file.name.hasPrefix("Replayer") else {
            return []
        }
        return file.violations(of: /\bawait\b/, because: "stands in Proxy only in ProxyServer and Replayer")
    }

    /// What a type needs is in its init, so only the commands read the environment.
    static func environmentReads(_ file: SourceFile) -> [Violation] {
        guard let target = file.target, target != "inspect", target != "Benchmarks" else { return [] }
        return file.violations(
            of:
                /\bProcessInfo\b.*\benvironment\b|\b(?:secure_)?getenv\s*\(|\benviron\b|\bEnvironment\(\)|\bCommandLine\.arguments\b/,
            because: "reads the environment below inspect"
        )
    }

    /// No state is shared by being static.
    static func sharedState(_ file: SourceFile) -> [Violation] {
        storedStaticVariables(file)
            + file.violations(of: /\bstatic\s+let\s+shared\b/, because: "is a singleton; pass it in")
    }

    /// What switches off the compiler's checks: never in Traffic, Store and Web; elsewhere with a comment that proves it.
    static func uncheckedConcurrency(_ file: SourceFile) -> [Violation] {
        let lines = file.lines
        let isBarred = ["Traffic", "Store", "Web"].contains(file.target)
        return file.violations(of: /@unchecked\s+Sendable|\bnonisolated\(unsafe\)|@preconcurrency\b/, because: "")
            .compactMap { place in
                if !isBarred, isExcused(lines, at: place.line - 1) { return nil }
                let reason = isBarred ? "has no place in \(file.target ?? "")" : "needs a comment that proves it"
                return Violation(path: file.path, line: place.line, reason: "\(place.reason)\(reason)")
            }
    }

    /// Tests wait for something, and run.
    static func idleTests(_ file: SourceFile) -> [Violation] {
        file.violations(
            of: /\b(?:u|nano)?sleep\s*\(/,
            because: "waits for nothing; wait for the thing itself, with a deadline"
        )
            + file.violations(
                of: /\.(?:disabled|enabled)\s*\(|\bXCTSkip\w*|\bwithKnownIssue\b/,
                because: "switches a test off"
            )
    }

    private static func storedStaticVariables(_ file: SourceFile) -> [Violation] {
        let lines = file.codeLines
        return lines.indices.compactMap { index in
            guard let start = lines[index].firstMatch(of: /\bstatic\s+var\s+(\w+)/.wordBoundaryKind(.simple)) else {
                return nil
            }
            var declaration = lines[index][start.range.upperBound...].trimmingBlanks
            let next = index + 1 < lines.count ? lines[index + 1].trimmingBlanks : ""
            if declaration.hasSuffix(":") || next.hasPrefix("{") || next.hasPrefix("=") { declaration += next }
            if declaration.first(where: { $0 == "{" || $0 == "=" }) == "{" { return nil }
            return Violation(
                path: file.path,
                line: index + 1,
                reason: "`static var \(start.output.1)` is stored and shared; pass it in"
            )
        }
    }

    /// Whether a comment on this line, or in the lines right above it, speaks of why the compiler's check may be off.
    private static func isExcused(_ lines: [Substring], at index: Int) -> Bool {
        let above = lines[..<index].reversed().prefix { line in
            let line = line.trimmingBlanks
            return line.hasPrefix("//") || line.hasPrefix("@")
        }
        return ([lines[index]] + above).contains { line in
            guard let comment = line.firstRange(of: "//") else { return false }
            return line[comment.upperBound...].contains(/unchecked|unsafe|Sendable|preconcurrency|thread|loop|lock/)
        }
    }
}
