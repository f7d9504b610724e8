/// Refuses the forms of other tools: read as text they would find nothing, or the opposite of what was meant.
extension FilterParser {
    /// Refuses `NOT a`, `!a`, `key=value`, `key!=value` and `key > value` where they are next; `id=4&page=2` is a piece of a query.
    ///
    /// - Throws: `FilterReadingError` with the form that is read here, also for `a & b` and `a | b`.
    func refuseForeignForm() throws(FilterReadingError) {
        var ahead = lexer
        let isNegation = ahead.takeWord("not") || lexer.peek() == "!"
        if isNegation {
            throw FilterReadingError.foreign("a negation is written with a dash: -code:404", column: lexer.column)
        }
        let word = try ahead.word()
        let name = String(word.prefix { $0.isASCII && $0.isLetter })
        guard !name.isEmpty else { return }
        var rest = String(word.dropFirst(name.count))
        // The sign may stand by itself, with blanks round it.
        if rest.isEmpty { rest = ahead.nextWord() }
        guard let key = FilterKey.named(name) ?? (rest.hasPrefix("!=") ? FilterKey.near(name) : nil),
            let sign = key.foreignSigns.first(where: { rest.hasPrefix($0) })
        else { return }
        var value = String(rest.dropFirst(sign.count))
        if value.isEmpty { value = ahead.nextWord() }
        if sign == "=", value.prefix(while: { $0 != "?" }).contains("&") { return }
        let comparison = sign.hasPrefix(">") || sign.hasPrefix("<") ? sign : ""
        throw FilterReadingError.foreign(
            "this is written \(sign == "!=" ? "-" : "")\(readable("\(comparison)\(value)", of: key))",
            column: lexer.column
        )
    }

    /// Refuses `key:!value`, and signs between values that a key's values do not have: `method:GET&POST`, `header:a|b`.
    ///
    /// - Throws: `FilterReadingError` with the form that is read here.
    func refuseForeignSigns(in value: FilterValue, of key: FilterKey) throws(FilterReadingError) {
        guard value.form == .plain else { return }
        if value.text.hasPrefix("!") {
            let meant = String(value.text.drop { $0 == "!" || $0 == "=" })
            throw FilterReadingError.foreign("this is written -\(readable(meant, of: key))", column: value.column)
        }
        let sign: Character
        switch key.form {
        case .facet: sign = "&"
        case .header where value.assigned == nil: sign = "|"
        default: return
        }
        for (offset, character) in value.text.enumerated() where character == sign {
            throw FilterReadingError.joint(String(sign), column: value.column + offset)
        }
    }

    /// A key with a value, or with the key's example where the value cannot be read.
    private func readable(_ value: String, of key: FilterKey) -> String {
        let meant = "\(key.name):\(value)"
        return (try? FilterParser.parse(meant, now: now)) != nil ? meant : "\(key.name):\(key.example)"
    }
}

extension FilterLexer {
    /// The next word behind blanks; empty where none is, or it cannot be read.
    fileprivate mutating func nextWord() -> String {
        skipBlanks()
        return (try? word()) ?? ""
    }
}

extension FilterReadingError {
    /// The error for another tool's form; it names the form that is read here.
    fileprivate static func foreign(_ form: String, column: Int) -> FilterReadingError {
        FilterReadingError("\(form) (to search for the text, put it in quotes)", column: column)
    }

    /// The error for another tool's `&`, `&&`, `|` or `||`.
    static func joint(_ sign: String, column: Int) -> FilterReadingError {
        sign.hasPrefix("&")
            ? foreign("terms side by side must all hold: leave \(sign) out or write and", column: column)
            : foreign("alternatives are written with or: code:404 or code:5xx", column: column)
    }
}

extension FilterKey {
    /// Signs that other tools write between a key and its value, a sign before its own beginnings.
    fileprivate var foreignSigns: [String] {
        let isCompared =
            switch form {
            case .number: true
            case .facet(let facet): facet == .code
            default: false
            }
        return ["!=", "==", "="] + (isCompared ? [">=", "<=", ">", "<"] : [])
    }

    /// The key that was probably meant by a word that is none.
    fileprivate static func near(_ word: String) -> FilterKey? { nearest(to: word).flatMap(named) }
}
