/// A clause of a Solr query as clients write it: `tags:economy`, `+formats:"CSV"`, `-is_retired:true`, a word.
///
/// A clause is read as leniently as the portal reads it: nothing is refused, and a quotation that is not closed goes on to the end.
struct SearchClause: Sendable, Equatable {
    /// The field that the clause searches; `nil` for a word that stands alone.
    var field: String?
    /// The value without its quotes and escapes; a range or a group with its brackets.
    var value: String
    /// Whether the value stood in quotes, or is a range or a group, so that a blank does not end it.
    var isQuoted = false
    var isNegated = false

    /// The clauses of a decoded query, in order; `AND` and `OR` between them are passed over.
    static func list(_ text: String) -> [SearchClause] {
        var rest = text[...]
        var clauses: [SearchClause] = []
        var isNegated = false
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == ")" || $0 == "," }
            guard let first = rest.first else { return clauses }
            if "+-!".contains(first) {
                rest.removeFirst()
                isNegated = first != "+"
                continue
            }
            var clause = SearchClause(value: "", isNegated: isNegated)
            if let field = takeField(&rest) { clause.field = field }
            (clause.value, clause.isQuoted) = takeValue(&rest, isAfterField: clause.field != nil)
            if clause.field == nil, !clause.isQuoted, ["AND", "OR", "&&", "||", "NOT", ""].contains(clause.value) {
                isNegated = clause.value == "NOT"
                continue
            }
            isNegated = false
            clauses.append(clause)
        }
    }

    /// Takes a name with its colon, and the blanks before a quotation that follows.
    private static func takeField(_ rest: inout Substring) -> String? {
        let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        let after = rest[name.endIndex...]
        guard !name.isEmpty, after.first == ":" else { return nil }
        rest = after.dropFirst()
        let value = rest.drop { $0.isWhitespace }
        if let first = value.first, "\"[{(".contains(first) { rest = value }
        return String(name)
    }

    /// Takes a quotation, a range, a group, or the text up to the next blank.
    private static func takeValue(_ rest: inout Substring, isAfterField: Bool) -> (String, isQuoted: Bool) {
        switch rest.first {
        case "\"":
            rest.removeFirst()
            return (taken(&rest) { $0 == "\"" }, true)
        case "[", "{":
            let range = rest.prefix { $0 != "]" && $0 != "}" }
            rest = rest[range.endIndex...]
            let end = rest.popFirst()
            return (String(range) + (end.map(String.init) ?? ""), true)
        case "(" where isAfterField:
            let group = rest.prefix { $0 != ")" }
            rest = rest[group.endIndex...].dropFirst()
            return (group + ")", true)
        case "(":
            rest.removeFirst()
            return ("", false)
        default:
            let isWord = { (character: Character) in character.isWhitespace || !isAfterField && character == ")" }
            var value = ""
            while let character = rest.first, !isWord(character) {
                rest.removeFirst()
                if character == "\\", let escaped = rest.popFirst() {
                    value.append(escaped)
                } else {
                    value.append(character)
                }
            }
            return (value, false)
        }
    }

    /// Takes the text before an end, and the end too; a backslash makes the character after it plain text.
    private static func taken(_ rest: inout Substring, until isEnd: (Character) -> Bool) -> String {
        var text = ""
        while let character = rest.popFirst() {
            if character == "\\", let escaped = rest.popFirst() {
                text.append(escaped)
            } else if isEnd(character) {
                return text
            } else {
                text.append(character)
            }
        }
        return text
    }
}
