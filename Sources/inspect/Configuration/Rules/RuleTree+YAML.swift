import Traffic
import Yams

/// Rules files in YAML 1.2.
extension RuleTree {
    /// Values of a file, those behind aliases counted as often as they are named: a text has at most one in each byte, and is taken up to ten times that.
    private static func limit(_ text: String) -> Int { min(1_000_000, 1_000 + text.utf8.count * 10) }
    /// Bytes of the texts in a file, those behind aliases counted as often as they are named: up to ten times the file, and in a small file anyway so
    /// many that anchors are of use.
    private static func limitBytes(_ text: String) -> Int {
        max(1 << 20, text.utf8.count, min(64 << 20, text.utf8.count * 10))
    }
    /// What a file may still hold.
    private struct Room {
        var values: Int
        var bytes: Int
    }
    /// Values within values.
    private static let depthLimit = 100

    /// The values of a text; `nil` for an empty one.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - path: its name, for messages.
    /// - Returns: its values, with their places.
    /// - Throws: `RuleProblem` when it is no YAML, or more than a rules file is.
    static func reading(_ text: String, path: String) throws -> RuleTree? {
        do {
            guard let node = try YAMLNode.compose(text) else { return nil }
            var left = Room(values: limit(text), bytes: limitBytes(text))
            return try tree(node, path, depth: 0, &left)
        } catch let error as YamlError {
            let (line, column, sentence) = YAMLNode.problem(error)
            throw RuleProblem(path: path, line: line, column: column, sentence: sentence)
        }
    }

    private static func tree(_ node: Node, _ path: String, depth: Int, _ left: inout Room) throws -> RuleTree {
        let (line, column) = (node.mark?.line ?? 1, node.mark?.column ?? 1)
        left.values -= 1
        if case .scalar(let scalar) = node { left.bytes -= scalar.string.utf8.count }
        guard left.values >= 0, left.bytes >= 0, depth <= depthLimit else {
            let sentence =
                depth > depthLimit
                ? "values lie more than \(depthLimit) deep in one another"
                : "the file holds too \(left.values < 0 ? "many values" : "long texts"); aliases count as often as they are named"
            throw RuleProblem(path: path, line: line, column: column, sentence: sentence)
        }
        switch node {
        case .scalar(let scalar):
            return RuleTree(.text(scalar.string, style(scalar)), line: line, column: column)
        case .sequence(let sequence):
            var elements: [RuleTree] = []
            for element in sequence { elements.append(try tree(element, path, depth: depth + 1, &left)) }
            return RuleTree(.list(elements), line: line, column: column)
        case .mapping(let mapping):
            var members: [Member] = []
            for (name, value) in mapping {
                members.append(
                    Member(
                        name: try tree(name, path, depth: depth + 1, &left),
                        value: try tree(value, path, depth: depth + 1, &left)
                    )
                )
            }
            return RuleTree(.mapping(members), line: line, column: column)
        case .alias:
            throw RuleProblem(path: path, line: line, column: column, sentence: "this alias names nothing")
        }
    }

    private static func style(_ scalar: Node.Scalar) -> Style {
        switch scalar.style {
        case .plain, .any: .plain
        case .singleQuoted, .doubleQuoted: .quoted
        case .literal, .folded: .block
        }
    }
}
