/// Refuses the forms of other tools: read as text they would find nothing, or the opposite of what was meant.
extension FilterParser {
    /// Refuses `NOT a`, `!a`, `a & b`, `a | b`, `key=value`, `key!=value` and `key>value` where they are next; `id=4&page=2` is a piece of a query.
    ///
    /// - Throws: `FilterReadingError` with the form that is read here.
    func refuseForeignForm() throws(FilterReadingError) {
        var ahead = lexer
        let isNegation = ahead.takeWord("not") || lexer.peek() == "!"
        if isNegation {
            throw FilterReadingError.foreign("a negation is written with a dash: -code:404", column: lexer.column)
        }
        let word = try ahead.word()
        if word == "&" || word == "|" { throw FilterReadingError.joint(word, column: lexer.column) }
        let name = String(word.prefix { $0.isASCII && $0.isLetter })
        let rest = word.dropFirst(name.count)
        guard let key = FilterKey.named(name) ?? (rest.hasPrefix("!=") ? FilterKey.near(name) : nil),
            let sign = key.foreignSigns.first(where: { rest.hasPrefix($0) })
        else { return }
        let value = rest.dropFirst(sign.count)
        if sign == "=", value.prefix(while: { $0 != "?" }).contains("&") { return }
        let comparison = sign.hasPrefix(">") || sign.hasPrefix("<") ? sign : ""
        let meant = "\(key.name):\(comparison)\(value)"
        let isRead = (try? FilterParser.parse(meant, now: now)) != nil
        let shown = isRead ? meant : "\(key.name):\(key.example)"
        throw FilterReadingError.foreign(
            "this is written \(sign == "!=" ? "-" : "")\(shown)",
            column: lexer.column
        )
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
