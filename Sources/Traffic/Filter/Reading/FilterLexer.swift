/// Reads the pieces of a query text: blanks, words, quoted phrases, keys and values.
struct FilterLexer {
    private let characters: [Character]
    /// The next character.
    private(set) var position = 0

    init(_ text: String) { characters = Array(text) }

    /// The column of the next character, from 1.
    var column: Int { position + 1 }

    var isAtEnd: Bool { position >= characters.count }

    /// The next character, or one further on; `nil` beyond the end.
    func peek(_ distance: Int = 0) -> Character? {
        position + distance < characters.count ? characters[position + distance] : nil
    }

    mutating func skipBlanks() {
        while let character = peek(), character.isWhitespace { position += 1 }
    }

    /// Takes a character if it is the next.
    mutating func take(_ character: Character) -> Bool {
        guard peek() == character else { return false }
        position += 1
        return true
    }

    /// Takes `or` or `and` if it is the next word.
    mutating func takeWord(_ word: String) -> Bool {
        let end = position + word.count
        guard end <= characters.count, String(characters[position..<end]).lowercased() == word,
            end == characters.count || characters[end].isWhitespace || characters[end] == "(" || characters[end] == ")"
        else { return false }
        position = end
        return true
    }

    /// Takes a key with its colon, if a term begins with one; text such as `https://…` and `localhost:8080` has none, but `status:404` is an error.
    mutating func takeKey() throws(FilterReadingError) -> FilterKey? {
        var end = position
        while end < characters.count, characters[end].isASCII, characters[end].isLetter || characters[end] == "-" {
            end += 1
        }
        guard end > position, end < characters.count, characters[end] == ":" else { return nil }
        let rest = characters[(end + 1)...].prefix { !$0.isWhitespace }
        if rest.starts(with: "//") { return nil }
        let word = String(characters[position..<end])
        guard let key = FilterKey.named(word) else {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let after = rest.dropFirst(digits.count).first
            let isPort = !digits.isEmpty && (after == nil || after == "/" || after == "?" || after == ")")
            if isPort, !FilterKey.isMistaken(word) { return nil }
            let guess = FilterKey.nearest(to: word).map { "; did you mean \($0):?" } ?? ""
            throw FilterReadingError(
                "there is no key \(word)\(guess) (to search for the text, put it in quotes)",
                column: column
            )
        }
        position = end + 1
        return key
    }

    /// Reads a phrase whose opening quote is next.
    mutating func phrase() throws(FilterReadingError) -> String {
        let start = column
        position += 1
        var text = ""
        while let character = peek() {
            position += 1
            if character == "\"" { return text }
            if character == "\\", let escaped = peek(), escaped == "\"" || escaped == "\\" {
                text.append(escaped)
                position += 1
            } else {
                text.append(character)
            }
        }
        throw FilterReadingError("this \" is never closed", column: start)
    }

    /// Reads a word of a search: up to a blank, or a parenthesis that it did not open.
    ///
    /// - Throws: `FilterReadingError` where it begins or ends with `&`, or has another tool's sign for alternatives.
    mutating func word() throws(FilterReadingError) -> String {
        let start = column
        let word = try plain(until: [])
        if word.hasPrefix("&") { throw FilterReadingError.joint("&", column: start) }
        if word.hasSuffix("&") { throw FilterReadingError.joint("&", column: column - 1) }
        return word
    }

    /// Reads one value of a key.
    mutating func value(of key: FilterKey) throws(FilterReadingError) -> FilterValue {
        let column = column
        if peek() == "\"" { return FilterValue(try phrase(), .quoted, column: column) }
        if let regex = takeRegex(isPath: key.isPath) { return FilterValue(regex, .regex, column: column) }
        guard !key.signs.isEmpty else { return FilterValue(try plain(until: [","]), .plain, column: column) }
        var value = FilterValue(name(key.signs), .plain, column: column)
        if let sign = key.signs.first(where: { takeSign($0) }) {
            let start = self.column
            let (text, form) = try assignedText()
            value.assigned = .init(sign: sign, text: text, form: form, column: start)
        }
        return value
    }

    /// A regular expression between slashes, if one is next; `isPath` takes `/v2/` for a path.
    ///
    /// Blanks in it are written `\s` or `\ `, commas outside brackets and braces `\,`: else `/a body:/b/` and `/a,/b/` would be one.
    mutating func takeRegex(isPath: Bool) -> String? {
        guard peek() == "/", let end = endOfRegex else { return nil }
        let source = String(characters[(position + 1)..<end])
        let isSpecial = source.contains { "\\^$+()[]{}|.".contains($0) }
        guard !source.isEmpty, isSpecial || !isPath else { return nil }
        position = end + 1
        return source
    }

    /// Where the slash stands that closes the one that is next: what follows it could follow a value.
    private var endOfRegex: Int? {
        var end = position + 1
        var depth = 0
        while end < characters.count, !characters[end].isWhitespace {
            switch characters[end] {
            case "\\": end += 1
            case "[", "{": depth += 1
            case "]", "}": depth = max(0, depth - 1)
            case "," where depth == 0: return nil
            case "/":
                let next = end + 1 < characters.count ? characters[end + 1] : " "
                if next.isWhitespace || next == "," || next == ")" { return end }
            default: break
            }
            end += 1
        }
        return nil
    }

    // MARK: pieces of values

    private mutating func plain(until stops: Set<Character>) throws(FilterReadingError) -> String {
        let start = position
        var depth = 0
        while let character = peek(), !character.isWhitespace, !stops.contains(character) {
            if character == "&" || character == "|", peek(1) == character {
                throw FilterReadingError.joint("\(character)\(character)", column: column)
            }
            if character == "|" { throw FilterReadingError.joint("|", column: column) }
            if character == "(" { depth += 1 }
            if character == ")" {
                guard depth > 0 else { break }
                depth -= 1
            }
            position += 1
        }
        return String(characters[start..<position])
    }

    /// What stands before a sign; brackets keep what is in them together.
    private mutating func name(_ signs: [String]) -> String {
        let start = position
        let ends = Set(signs.compactMap(\.first)).union([",", ")"])
        while let character = peek(), !character.isWhitespace, !ends.contains(character) {
            if character == "[" { skipBracket() } else { position += 1 }
        }
        return String(characters[start..<position])
    }

    private mutating func skipBracket() {
        position += 1
        let quote = peek().flatMap { $0 == "'" || $0 == "\"" ? $0 : nil }
        if quote != nil { position += 1 }
        while let character = peek() {
            if let quote {
                if character == "\\" { position += 1 }
                if character == quote {
                    position += 1
                    break
                }
            } else if character == "]" || character.isWhitespace {
                break
            }
            position += 1
        }
        position = min(position, characters.count)
    }

    private mutating func takeSign(_ sign: String) -> Bool {
        guard characters[position...].starts(with: Array(sign)) else { return false }
        position += sign.count
        return true
    }

    private mutating func assignedText() throws(FilterReadingError) -> (String, FilterValue.Form) {
        if peek() == "\"" { return (try phrase(), .quoted) }
        if let regex = takeRegex(isPath: false) { return (regex, .regex) }
        return (try plain(until: [","]), .plain)
    }
}
