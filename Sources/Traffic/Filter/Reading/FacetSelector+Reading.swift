/// How each facet's wanted values are read.
extension FacetSelector {
    /// A status code, a class, a range, a bound or a state.
    static func code(_ value: FilterValue) throws(ValueProblem) -> FacetSelector {
        if value.form == .regex { return .like(try value.pattern()) }
        let text = value.text.lowercased()
        if text == Facet.noAnswer { return .exactly(Outcome.failed.rawValue) }
        if Facet.codeless.contains(text) || text == Facet.none { return .exactly(text) }
        if text.utf8.count == 3, text.hasSuffix("xx"), let digit = text.utf8.first, (0x31...0x39).contains(digit) {
            let class100 = Int(digit - 0x30) * 100
            return .codes(class100...class100 + 99)
        }
        if let exact = number(text) { return .exactly(String(exact)) }
        if let range = codes(text) { return .codes(range) }
        throw ValueProblem(
            "expected a code such as 404, a class such as 5xx, a range such as 400-499 or >=400, or pending, no-answer, cancelled or tunnelled"
        )
    }

    private static func codes(_ text: String) -> ClosedRange<Int>? {
        for (sign, range) in [(">=", { $0...999 }), ("<=", { 0...$0 })] as [(String, (Int) -> ClosedRange<Int>)] {
            if text.hasPrefix(sign) { return number(String(text.dropFirst(sign.count))).map(range) }
        }
        if text.hasPrefix(">"), let bound = number(String(text.dropFirst())), bound < 999 { return bound + 1...999 }
        if text.hasPrefix("<"), let bound = number(String(text.dropFirst())), bound > 0 { return 0...bound - 1 }
        for separator in ["-", ".."] {
            guard let cut = text.firstRange(of: separator) else { continue }
            if let low = number(String(text[..<cut.lowerBound])), let high = number(String(text[cut.upperBound...])),
                low <= high
            {
                return low...high
            }
        }
        return nil
    }

    private static func number(_ text: String) -> Int? {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int(text)
    }

    /// A method: a token.
    static func method(_ value: FilterValue) throws(ValueProblem) -> FacetSelector {
        if value.form == .regex { return .like(try value.pattern()) }
        guard !value.text.isEmpty, value.text.utf8.allSatisfy(ASCII.isToken) else {
            throw ValueProblem("a method is letters, digits and !#$%&'*+-.^_`|~, for example GET")
        }
        return .exactly(value.text.lowercased())
    }

    /// A host, or a pattern of hosts.
    static func host(_ value: FilterValue) throws(ValueProblem) -> FacetSelector {
        if value.form == .regex { return .like(try value.pattern()) }
        var name = value.text.lowercased()[...]
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        if name.hasPrefix(".") { name = name.dropFirst() }
        let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
        let colons = name.utf8.count { $0 == UInt8(ascii: ":") }
        guard !name.isEmpty, isPlain, colons != 1 else {
            throw ValueProblem(
                "expected a name or an address without scheme, port or path, for example api.example.test or *.example.test"
            )
        }
        return .host(String(name))
    }

    /// A media type, a family of them, or a pattern.
    static func type(_ value: FilterValue) throws(ValueProblem) -> FacetSelector {
        let text = value.text.lowercased()
        switch value.form {
        case .regex: return .like(try value.pattern())
        case .quoted: return .exactly(text)
        case .plain:
            if text == Facet.none { return .exactly(text) }
            if text == "javascript" { return .kind(.js) }
            if let kind = MediaKind(rawValue: text) { return .kind(kind) }
            if text.contains("*") { return .like(try value.pattern()) }
            guard text.contains("/") else {
                let kinds = MediaKind.allCases.map(\.rawValue)
                let guess = EditDistance.nearest(to: text, in: kinds).map { "; did you mean \($0)?" } ?? ""
                throw ValueProblem(
                    "expected \(kinds.joined(separator: ", ")), none, or a media type such as application/json\(guess)"
                )
            }
            return .exactly(text)
        }
    }

    /// A protocol version, also by its short name.
    static func version(_ value: FilterValue) throws(ValueProblem) -> FacetSelector {
        if value.form == .regex { return .like(try value.pattern()) }
        let text = value.text.lowercased()
        let short = [
            "1.0": HTTPVersion.http10, "1.1": .http11, "2": .http2, "h2": .http2, "3": .http3, "h3": .http3,
            "ws": .webSocket,
        ]
        if text == Facet.none { return .exactly(text) }
        let known = short[text] ?? HTTPVersion.allCases.first { $0.rawValue.lowercased() == text }
        guard let known else { throw ValueProblem("expected 1.0, 1.1, 2, 3, ws or none") }
        return .exactly(known.rawValue.lowercased())
    }

    /// The name of an app or a program: one bare word means every name that contains it, anything else the whole name or a pattern.
    ///
    /// So `client:bruin` finds what a person remembers, while a name picked from a list, which mostly has several words, means itself alone.
    static func name(_ value: FilterValue) throws(ValueProblem) -> FacetSelector {
        let text = value.text.lowercased()
        if text == Facet.none { return .exactly(text) }
        let isWord = value.form == .plain && QueryWord.value(value.text) == value.text
        guard isWord || value.form == .regex || value.form == .plain && text.contains("*") else {
            return .exactly(text)
        }
        return .like(try value.pattern())
    }

    /// A tag or another word, or a pattern of them.
    static func word(_ value: FilterValue) throws(ValueProblem) -> FacetSelector {
        if value.form == .regex || value.form == .plain && value.text.contains("*") {
            return .like(try value.pattern())
        }
        return .exactly(value.text.lowercased())
    }

    /// One of a few words.
    static func oneOf(_ words: [String]) -> @Sendable (FilterValue) throws(ValueProblem) -> FacetSelector {
        { (value) throws(ValueProblem) in
            if value.form == .regex { return .like(try value.pattern()) }
            guard words.contains(value.text.lowercased()) else {
                let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
                throw ValueProblem("expected \(list)")
            }
            return .exactly(value.text.lowercased())
        }
    }
}
