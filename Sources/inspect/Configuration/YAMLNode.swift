import Traffic
import Yams

/// Composes, writes and explains the YAML of users' files.
///
/// A node becomes JSON by `YAMLReader`.
enum YAMLNode {
    /// A value as a node: texts in quotes wherever they could be read as something else.
    static func node(of value: JSONValue) -> Node {
        switch value {
        case .null: return Node("null", .implicit, .plain)
        case .boolean(let value): return Node(value ? "true" : "false", .implicit, .plain)
        case .number(let number): return Node(value.integer.map { "\($0)" } ?? number.description, .implicit, .plain)
        case .string(let text): return self.text(text)
        case .array(let elements): return Node(elements.map(node), .implicit, elements.isEmpty ? .flow : .block)
        case .object(let members):
            return Node(
                members.map { (text($0.name), node(of: $0.value)) },
                .implicit,
                members.isEmpty ? .flow : .block
            )
        }
    }

    private static func text(_ text: String) -> Node {
        let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        let isPlain =
            text.utf8.first.map { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A } == true
            && !words.contains(text.lowercased())
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) && $0 < 0x7B || "_-./".utf8.contains($0)
            }
        return Node(text, .implicit, isPlain ? .plain : .doubleQuoted)
    }

    /// What is wrong with a text that is no YAML, with its line.
    static func sentence(_ error: YamlError) -> String {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "\(problem) at line \(mark.line), column \(mark.column)"
        case .reader(let problem, _, _, _): problem
        case .duplicatedKeysInMapping(let duplicates, _):
            "a member stands twice: \(duplicates.sorted().joined(separator: ", "))"
        default: "it cannot be read"
        }
    }
}
