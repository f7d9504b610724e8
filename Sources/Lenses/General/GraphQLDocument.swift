/// The outline of a GraphQL document: its operations with their outermost fields (GraphQL October 2021 §2).
package struct GraphQLDocument: Sendable, Equatable {
    /// An operation of a document.
    package struct Operation: Sendable, Equatable {
        /// `query`, `mutation` or `subscription`.
        package let kind: String
        package let name: String?
        /// The outermost fields by their names in the schema; a fragment's name has `...` before it.
        package let fields: [String]
    }

    package let operations: [Operation]
    /// The names of the document's fragments.
    package let fragments: [String]

    private static let kinds = ["query", "mutation", "subscription"]

    /// Whether a text begins as a GraphQL document does.
    package static func begins(_ text: some StringProtocol) -> Bool {
        var start = text[...].drop { $0.isWhitespace || $0 == "," }
        while start.first == "#" {
            start = start.drop { !$0.isNewline }.drop { $0.isWhitespace || $0 == "," }
        }
        if start.first == "{" { return start.dropFirst().first { !$0.isWhitespace } != "\"" }
        return (kinds + ["fragment"]).contains { kind in
            start.hasPrefix(kind)
                && start.dropFirst(kind.count).first.map { !$0.isLetter && !$0.isNumber && $0 != "_" } == true
                && start.utf8.contains(UInt8(ascii: "{"))
        }
    }

    /// Reads a document leniently: passes over what it cannot read.
    package init(_ text: String) {
        var tokens = GraphQLTokens(text)
        var operations: [Operation] = []
        var fragments: [String] = []
        while let token = tokens.next() {
            switch token {
            case "{": operations.append(Operation(kind: "query", name: nil, fields: GraphQLDocument.fields(&tokens)))
            case "fragment":
                if let name = tokens.next(), name != "{" { fragments.append(name) }
                if tokens.skip(to: "{") { _ = GraphQLDocument.fields(&tokens) }
            case _ where GraphQLDocument.kinds.contains(token):
                let next = tokens.peek
                let name = next.flatMap { GraphQLTokens.isName($0) ? $0 : nil }
                guard tokens.skip(to: "{") else { continue }
                operations.append(Operation(kind: token, name: name, fields: GraphQLDocument.fields(&tokens)))
            default: continue
            }
        }
        self.operations = operations
        self.fragments = fragments
    }

    /// The outermost fields of a selection whose opening brace has been read, up to its closing brace.
    private static func fields(_ tokens: inout GraphQLTokens) -> [String] {
        var fields: [String] = []
        var depth = 1
        while depth > 0, let token = tokens.next() {
            switch token {
            case "{", "(", "[": depth += 1
            case "}", ")", "]": depth -= 1
            case "@": _ = tokens.next()
            case "..." where depth == 1:
                if tokens.peek == "on" { _ = tokens.next() }
                let name = tokens.peek.flatMap { GraphQLTokens.isName($0) ? $0 : nil }
                if name != nil { _ = tokens.next() }
                fields.append("..." + (name ?? ""))
            case _ where depth == 1 && GraphQLTokens.isName(token):
                guard tokens.peek == ":" else {
                    fields.append(token)
                    continue
                }
                _ = tokens.next()
                if let name = tokens.next() { fields.append(name) }
            default: continue
            }
        }
        return fields
    }
}
