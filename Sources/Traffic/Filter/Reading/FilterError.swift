/// A filter that cannot be read, as one sentence for the user.
package struct FilterError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Where in the query text, in characters from 1; `nil` when it was not in a query text.
    package let column: Int?
    /// The query text; `nil` when it was not in one.
    package let query: String?
    /// The name of the saved search that is not there, without its `@`; `nil` for every other error.
    package let missingSearch: String?

    package init(_ description: String) {
        self.description = description
        column = nil
        query = nil
        missingSearch = nil
    }

    /// The error for a query text that names a saved search which is not there.
    init(missingSearch name: String) {
        description = "there is no saved search @\(name) (to search for the text, put it in quotes)"
        column = nil
        query = nil
        missingSearch = name
    }

    /// An error at a column of a query text, which the sentence then names.
    package init(_ sentence: String, column: Int, query: String) {
        description = "column \(column): \(sentence)"
        self.column = column
        self.query = query
        missingSearch = nil
    }

    /// The query text and under it a caret at the column, at most 100 characters wide; empty when there is no column.
    package var pointer: [String] {
        guard let column, let query else { return [] }
        // What has no width of its own would move the caret.
        let characters = query.map { $0.isNewline || $0 == "\t" ? " " : $0 }
        let start = max(0, min(column - 60, characters.count - 100))
        let shown = String(characters.dropFirst(start).prefix(100))
        return [shown, String(repeating: " ", count: max(0, column - 1 - start)) + "^"]
    }
}
