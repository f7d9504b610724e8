import Traffic

/// An argument that a tool takes.
struct MCPParameter: Sendable {
    /// The values that an argument may have.
    enum Kind: Sendable {
        case text
        /// A whole number of a range.
        case whole(ClosedRange<Int64>)
        /// True or false.
        case truth
        /// A list of texts, at most this many.
        case texts(Int)
    }

    let name: String
    let kind: Kind
    /// What it means, for the agent.
    let summary: String
    var isRequired = false

    init(_ name: String, _ kind: Kind, _ summary: String, isRequired: Bool = false) {
        (self.name, self.kind, self.summary, self.isRequired) = (name, kind, summary, isRequired)
    }

    /// The selector of every tool that selects exchanges.
    static let query = MCPParameter(
        "query",
        .text,
        "Which exchanges: numbers and ranges (7 10..20), or inspect's query text: code:5xx host:api.test -path:/health \"a phrase\" since:10m. All where it is left out."
    )
    static let limit = MCPParameter("limit", .whole(0...200), "Rows at most; 20 unless given.")
    static let after = MCPParameter(
        "after",
        .whole(1...Int64.max),
        "Continue after this exchange: the \"next\" of the result before."
    )

    /// Its JSON Schema.
    var schema: JSONValue {
        var members: [(name: String, value: JSONValue)] = []
        switch kind {
        case .text: members = [("type", .string("string"))]
        case .truth: members = [("type", .string("boolean"))]
        case .whole(let range):
            members = [("type", .string("integer")), ("minimum", .number(Double(range.lowerBound)))]
            if range.upperBound < Int64.max { members.append(("maximum", .number(Double(range.upperBound)))) }
        case .texts(let limit):
            members = [
                ("type", .string("array")), ("items", .object([("type", .string("string"))])),
                ("maxItems", .number(Double(limit))),
            ]
        }
        return .object(members + [("description", .string(summary))])
    }

    /// What is wrong with a value for the argument, as the end of a sentence; `nil` where nothing is.
    func problem(_ value: JSONValue) -> String? {
        switch kind {
        case .text: return value.string == nil ? "has to be a string, not \(value.kind)" : nil
        case .truth: return value.boolean == nil ? "has to be true or false, not \(value.kind)" : nil
        case .whole(let range):
            guard let whole = value.integer, range.contains(whole) else {
                let bounds =
                    range.upperBound == Int64.max
                    ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
                return "has to be a whole number \(bounds)"
            }
            return nil
        case .texts(let limit):
            guard let elements = value.elements, elements.count <= limit, elements.allSatisfy({ $0.string != nil })
            else {
                return "has to be a list of at most \(limit) strings"
            }
            return nil
        }
    }
}
