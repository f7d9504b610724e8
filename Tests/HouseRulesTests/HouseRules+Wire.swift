extension HouseRules {
    /// What a peer sent is compared as bytes, folding ASCII only.
    ///
    /// Unicode's folding makes a k of U+212A, and a proxy that reads `chun\u{212A}ed` as chunked passes on what its upstream reads otherwise.
    static func foldedWireText(_ file: SourceFile) -> [Violation] {
        guard file.target == "Proxy" || file.target == "Trust" else { return [] }
        return file.violations(
            of: /\b(?:lower|upper)cased\s*\(\s*\)|\bcaseInsensitiveCompare\b|\.caseInsensitive\b|\blocalizedCase\w+/,
            in: "cased",
            "aseInsensitive",
            "localizedCase",
            because: "folds more than ASCII; use `ASCII.lower` or `ASCII.isSame`"
        )
    }

    /// What a peer sent becomes a text by `ByteText`, which takes no text for one with which a string is slow.
    static func unmeasuredWireText(_ file: SourceFile) -> [Violation] {
        // The system's own tables are no peer's.
        guard file.target == "Proxy", !file.path.contains("/Origin/") else { return [] }
        return file.violations(
            of: /\bString\((?:decoding|buffer|bytes|cString):|\b(?:get|read)String\(/,
            in: "String(",
            because: "takes bytes for text whatever stands in them; use `ByteText`"
        )
    }

    /// The page takes a request's whole body, and watches its asker, in one place.
    ///
    /// Hummingbird ends the process where an asker is watched whose body was not taken away before.
    static func looseAskers(_ file: SourceFile) -> [Violation] {
        guard file.target == "Web", file.name != "Asker" else { return [] }
        return file.violations(
            of: /\bconsumeWith\w+|\bcollect(?:Body)?\s*\(/,
            in: "consumeWith",
            "collect",
            because: "goes round Asker, which takes the body away first"
        )
    }
}
