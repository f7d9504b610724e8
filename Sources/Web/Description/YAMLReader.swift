import Lenses
package import Traffic
package import Yams

/// Reads YAML as JSON, by the rules of YAML 1.2 (§10.2) that OpenAPI asks for: `yes` and `2026-11-21` are texts.
package struct YAMLReader {
    /// What of a text has no place in JSON, with its line.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// What a number becomes that a Double may not hold.
    package enum LongNumbers: Sendable {
        /// A text with all of its digits, marked as `ExactNumbers` does: for a check.
        case marked
        /// The nearest Double.
        case rounded
    }

    /// Values within values.
    private static let depthLimit = 200
    /// Bytes of scalars and names that a document may hold beside ten times its own.
    private static let shortBytes = 64 << 10

    private let longNumbers: LongNumbers
    /// Values that may come yet; the values behind an alias count as often as it is named.
    private var left: Int
    /// Bytes of scalars and names that may come yet; those behind an alias count as often as it is named.
    private var leftBytes: Int

    /// - Parameters:
    ///   - textBytes: bytes of the document, which has at most a value in each. With its aliases it may hold ten times as many values (1,000 more,
    ///     and 2,000,000 at most), and ten times as many bytes of text (64 KiB more).
    ///   - longNumbers: what a number becomes that a Double may not hold.
    package init(textBytes: Int, longNumbers: LongNumbers) {
        left = min(2_000_000, 1_000 + textBytes * 10)
        leftBytes = YAMLReader.shortBytes + textBytes * 10
        self.longNumbers = longNumbers
    }

    /// The value of a document's root; members keep their order.
    ///
    /// What is merged into a mapping by `<<` stands before the mapping's own members. An own member overrides a merged member of its name, in the
    /// merged member's place; of two merged members of one name the later counts.
    ///
    /// - Throws: `Problem`: values that lie more than 200 deep, are too many or too long, a member's name that is no text, an alias of nothing.
    package mutating func value(of root: Node) throws(Problem) -> JSONValue { try value(of: root, depth: 0) }

    private mutating func value(of node: Node, depth: Int) throws(Problem) -> JSONValue {
        left -= 1
        guard left >= 0, depth <= YAMLReader.depthLimit else {
            throw Problem(description: "the document is too large\(YAMLReader.place(node))")
        }
        switch node {
        case .scalar(let scalar):
            try charge(scalar)
            return value(of: scalar)
        case .sequence(let sequence):
            var elements: [JSONValue] = []
            for element in sequence { elements.append(try value(of: element, depth: depth + 1)) }
            return .array(elements)
        case .mapping(let mapping):
            var merged = MergedMembers()
            var members: [(name: String, value: JSONValue)] = []
            for (key, element) in mapping {
                guard case .scalar(let name) = key else {
                    throw Problem(description: "expected a text as the name of a member\(YAMLReader.place(key))")
                }
                try charge(name)
                let value = try value(of: element, depth: depth + 1)
                if name.string == "<<", name.style == .plain, case .object(let more) = value {
                    for member in more { merged.set(member) }
                } else {
                    members.append((name.string, value))
                }
            }
            guard !merged.members.isEmpty else { return .object(members) }
            for member in members { merged.set(member) }
            return .object(merged.members)
        case .alias: throw Problem(description: "an alias names nothing\(YAMLReader.place(node))")
        }
    }

    /// Counts the bytes of a scalar or a name.
    private mutating func charge(_ scalar: Node.Scalar) throws(Problem) {
        leftBytes -= scalar.string.utf8.count
        guard leftBytes >= 0 else {
            throw Problem(description: "the document is too large\(YAMLReader.place(.scalar(scalar)))")
        }
    }

    /// Members in the order of their first places, each name once.
    private struct MergedMembers {
        private(set) var members: [(name: String, value: JSONValue)] = []
        private var places: [String: Int] = [:]

        mutating func set(_ member: (name: String, value: JSONValue)) {
            if let place = places[member.name] {
                members[place].value = member.value
            } else {
                places[member.name] = members.count
                members.append(member)
            }
        }
    }

    /// A plain scalar as what it looks like, a quoted scalar as text.
    private func value(of scalar: Node.Scalar) -> JSONValue {
        let text = scalar.string
        guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .boolean(true)
        case "false", "False", "FALSE": return .boolean(false)
        default:
            if longNumbers == .marked, let long = ExactJSON.long(text) { return long }
            return YAMLReader.number(text).map { .number($0) } ?? .string(text)
        }
    }

    /// The number that a text is; `nil` for any other text, and for a number beyond every Double, which JSON has no word for.
    private static func number(_ text: String) -> Double? {
        guard let first = text.utf8.first, (0x30...0x39).contains(first) || "+-.".utf8.contains(first),
            text.utf8.contains(where: { (0x30...0x39).contains($0) })
        else { return nil }
        if text.hasPrefix("0x") { return Int64(text.dropFirst(2), radix: 16).map(Double.init) }
        if text.hasPrefix("0o") { return Int64(text.dropFirst(2), radix: 8).map(Double.init) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func place(_ node: Node) -> String { node.mark.map { " (line \($0.line))" } ?? "" }
}
