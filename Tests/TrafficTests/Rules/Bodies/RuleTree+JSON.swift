import Testing

@testable import Traffic

extension RuleTree {
    /// A rules file written as JSON, with no places: what the tests of bodies are written in.
    init(json value: JSONValue) {
        switch value {
        case .null: self.init(.text("null", .plain), line: 1, column: 1)
        case .boolean(let flag): self.init(.text(String(flag), .plain), line: 1, column: 1)
        case .number(let number):
            self.init(.text(JSONPattern.Condition.text(number), .plain), line: 1, column: 1)
        case .string(let text): self.init(.text(text, .quoted), line: 1, column: 1)
        case .array(let elements):
            self.init(.list(elements.map { RuleTree(json: $0) }), line: 1, column: 1)
        case .object(let members):
            let named = members.map { name, value in
                Member(name: RuleTree(json: .string(name)), value: RuleTree(json: value))
            }
            self.init(.mapping(named), line: 1, column: 1)
        }
    }

    /// The rules of a list that is written as JSON.
    static func rules(_ json: String) throws -> [Rule] {
        var reader = RuleReader(path: "rules.yaml", directory: "/rules") { path, _ throws(RuleFault) in
            guard path == "/rules/a.txt" else { throw RuleFault("there is no such file") }
            return Array("from a file".utf8)
        }
        let rules = reader.list(RuleTree(json: try JSONReader.value(Array(json.utf8))))
        #expect(reader.problems.map(\.sentence) == [])
        return rules
    }

    /// One rule that edits bodies of responses; `edit` is what stands behind `body:`, as JSON.
    static func body(_ edit: String) throws -> [Rule] {
        try rules("[{\"name\": \"edit\", \"response\": {\"body\": \(edit)}}]")
    }
}
