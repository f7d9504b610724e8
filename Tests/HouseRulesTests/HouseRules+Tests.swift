/// The rules that only tests are held to.
extension HouseRules {
    /// The limit of every suite, for what would never end.
    private static let limit = ".timeLimit(.minutes(15))"

    /// Nothing is judged by how long it took: a machine may be three times slower, or busy.
    static func judgedTimes(_ file: SourceFile) -> [Violation] {
        file.violations(
            of:
                /<=?\s*(?:Duration|TimeAmount|Patience\.stretched\()?\.(?:nano|micro|milli)?(?:seconds|minutes|hours)\s*\(|(?:Clock\.now\s*-\s*\w+|\.duration\(to:[^)]*\)+)\s*<=?/,
            in: "seconds(",
            "minutes(",
            "hours(",
            "Clock.now",
            ".duration(to:",
            because:
                "judges by the clock; look for a condition, compare two times with a wide margin, or print the figure"
        )
    }

    /// A program is started in one way, which ends it and keeps the user's variables from it.
    static func loosePrograms(_ file: SourceFile) -> [Violation] {
        if file.path.hasPrefix("Tests/Support/") { return [] }
        return file.violations(
            of:
                /(?:^|[^\w.])(?:Foundation\.)?Process\s*(?:\(|\.init\b|\.run\b)|\bposix_spawnp?\b|\bChildProcess\b|\b(?:popen|v?fork)\s*\(/,
            in: "Process",
            "posix_spawn",
            "popen",
            "fork",
            because: "starts a program beside RunningProcess and CommandLineTool"
        )
    }

    /// A wait that must fail has functions of its own, which take as long on every machine.
    static func expectedDeadlines(_ file: SourceFile) -> [Violation] {
        if file.path.hasPrefix("Tests/Support") { return [] }
        return file.violations(
            of: /throws:\s*DeadlinePassed\b|\bis\s+DeadlinePassed\b/,
            in: "DeadlinePassed",
            because: "is stretched by patience; say with `stays` or `settled` what must not happen"
        )
    }

    /// Every suite has the one limit, and no test another; what is long by nature has one of its own.
    static func suiteLimits(_ file: SourceFile) -> [Violation] {
        let tests = file.code.containing(["@Test"]).map(\.number)
        guard !tests.isEmpty, !file.path.hasPrefix("Tests/LongTests/") else { return [] }
        let others = file.violations(
            of: /\.timeLimit\s*\((?!\.minutes\(15\)\))/,
            in: ".timeLimit",
            because: "is another limit than every suite's 15 minutes"
        )
        let types = ["struct ", "class ", "enum ", "actor ", "extension "]
        let declared = file.code.containing(types).filter { $0.text.first.map { !$0.isWhitespace } ?? false }
        let ends = declared.dropFirst().map(\.number) + [file.lines.count + 1]
        let bare = zip(declared, ends).filter { type, end in
            tests.contains { (type.number..<end).contains($0) } && !type.text.contains(/\bextension\b/)
                && !attributes(of: type, in: file).contains(limit)
        }
        return others
            + bare.map { type, _ in
                Violation(
                    path: file.path,
                    line: type.number,
                    reason: "`\(type.text.trimmingBlanks)` needs @Suite(\(limit))"
                )
            }
    }

    /// The attributes of a declaration, with its own line.
    private static func attributes(of declaration: TextLines.Line, in file: SourceFile) -> String {
        let above = sequence(first: declaration.number - 1) { $0 - 1 }.lazy.map {
            file.code.line($0).text.trimmingBlanks
        }
        .prefix { !$0.isEmpty }
        return above.reduce(declaration.text) { $1 + $0 }
    }
}
