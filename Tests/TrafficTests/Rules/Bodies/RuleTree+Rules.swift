import Testing

@testable import Traffic

extension RuleTree {
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
