/// A query text under a name; `@name` stands for it in another.
package struct SavedSearch: Hashable, Sendable {
    /// One word, as `Tag.name` makes it.
    package let name: String
    package let query: String

    /// Words that no search is saved under: they were verbs in the place of a name once, and are still read so.
    package static let commands: Set<String> = ["add", "list", "remove"]

    package init(name: String, query: String) { (self.name, self.query) = (name, query) }

    /// A query text with each `@name` at the beginning of a term replaced by what was saved, in parentheses.
    ///
    /// - Parameters:
    ///   - text: the query; what stands in quotes stays.
    ///   - saved: the searches that there are.
    /// - Returns: the query without such names.
    /// - Throws: `FilterError` naming what was not saved.
    package static func expanded(_ text: String, from saved: [SavedSearch]) throws(FilterError) -> String {
        try expanded(text) { name in saved.first { $0.name == name }?.query }
    }

    /// A query text in which a term that every exchange fulfils stands for each saved search, so that the rest can be checked before there is a
    /// store.
    package static func blanked(_ text: String) throws(FilterError) -> String { try expanded(text) { _ in "" } }

    private static func expanded(_ text: String, lookUp: (String) -> String?) throws(FilterError) -> String {
        guard text.contains("@") else { return text }
        var result = ""
        var rest = text[...]
        var isQuoted = false
        var isAtStart = true
        while let character = rest.popFirst() {
            if character == "@", isAtStart, !isQuoted {
                let name = rest.prefix { !$0.isWhitespace && $0 != ")" }
                rest = rest.dropFirst(name.count)
                guard !name.isEmpty, let saved = lookUp(name.lowercased()) else {
                    throw FilterError(missingSearch: String(name))
                }
                result += saved.isEmpty ? "id:>0" : "(\(saved))"
                isAtStart = false
                continue
            }
            result.append(character)
            if character == "\\", isQuoted, let escaped = rest.popFirst() {
                result.append(escaped)
            } else if character == "\"" {
                isQuoted.toggle()
            }
            isAtStart = character.isWhitespace || character == "(" || character == "-" && isAtStart
        }
        return result
    }
}
