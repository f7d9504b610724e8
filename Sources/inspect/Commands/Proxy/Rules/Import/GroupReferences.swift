/// What regular expressions of other programs put in the place of a match, as templates of ours.
enum GroupReferences {
    /// A replacement of Java, in which `$1` stands for a group.
    static func java(_ text: String) -> RuleValue {
        .text(
            text.replacing(/(?s)\$([1-9])|(\\?\$\{)|\\(.)/) { match -> String in
                if let group = match.1 { return "${\(group)}" }
                return match.2 == nil ? String(match.3 ?? "") : "$${"
            }
        )
    }

    /// A replacement of Python, in which `\1` and `\g<1>` stand for a group and `\n` for a line end.
    static func python(_ text: String) -> RuleValue {
        .text(
            text.replacing(/\\g<([1-9])>|\\([1-9])|\$\{|\\([nrt\\])/) { match -> String in
                if let group = match.1 ?? match.2 { return "${\(group)}" }
                guard let sign = match.3 else { return "$${" }
                return ["n": "\n", "r": "\r", "t": "\t"][sign] ?? String(sign)
            }
        )
    }
}
