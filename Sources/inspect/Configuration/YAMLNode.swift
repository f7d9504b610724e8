import Lenses
import Traffic
import Yams

/// YAML as JSON and back, by the rules of YAML 1.2 (§10.2) that OpenAPI asks for: `yes` and `2026-11-21` are texts.
struct YAMLNode {
    /// What of a text has no place in JSON, with its line.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Values within values.
    private static let depthLimit = 200

    /// Values that may come yet, those behind aliases counted as often as they are named.
    private var left: Int

    /// - Parameter textBytes: of the document. It has at most a value in each byte, and is taken up to ten times that with its aliases.
    init(textBytes: Int) { left = min(2_000_000, 1_000 + textBytes * 10) }

    /// The value of a node.
    ///
    /// - Throws: `Problem`.
    mutating func value(of node: Node, depth: Int = 0) throws(Problem) -> JSONValue {
        left -= 1
        guard left >= 0, depth <= YAMLNode.depthLimit else {
            throw Problem(description: "the document is too large\(YAMLNode.place(node))")
        }
        switch node {
        case .scalar(let scalar): return YAMLNode.value(of: scalar)
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for element in sequence { elements.append(try value(of: element, depth: depth + 1)) }
            return .array(elements)
        case .mapping(let mapping):
            var object = JSONValue.object([])
            var members: [(name: String, value: JSONValue)] = []
            for (key, element) in mapping {
                guard case .scalar(let name) = key else {
                    throw Problem(description: "expected a text as the name of a member\(YAMLNode.place(key))")
                }
                let value = try value(of: element, depth: depth + 1)
                if name.string == "<<", name.style == .plain, case .object(let merged) = value {
                    // What the mapping itself says goes before what is merged into it.
                    for member in merged { object.set(member.name, member.value) }
                } else {
                    members.append((name.string, value))
                }
            }
            guard case .object(let merged) = object, !merged.isEmpty else { return .object(members) }
            for member in members { object.set(member.name, member.value) }
            return object
        case .alias: throw Problem(description: "an alias names nothing\(YAMLNode.place(node))")
        }
    }

    /// A plain scalar as what it looks like, a quoted one as text.
    private static func value(of scalar: Node.Scalar) -> JSONValue {
        let text = scalar.string
        guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .boolean(true)
        case "false", "False", "FALSE": return .boolean(false)
        default: return ExactJSON.long(text) ?? number(text).map { .number($0) } ?? .string(text)
        }
    }

    private static func number(_ text: String) -> Double? {
        guard let first = text.utf8.first, (0x30...0x39).contains(first) || "+-.".utf8.contains(first),
            text.utf8.contains(where: { (0x30...0x39).contains($0) })
        else { return nil }
        if text.hasPrefix("0x") { return Int64(text.dropFirst(2), radix: 16).map(Double.init) }
        if text.hasPrefix("0o") { return Int64(text.dropFirst(2), radix: 8).map(Double.init) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text)
    }

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

    private static func place(_ node: Node) -> String { node.mark.map { " (line \($0.line))" } ?? "" }
}
