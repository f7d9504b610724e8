/// A path into a JSON text: `$.user.name`, `$.items[0]`, `$.items[*].id`, `$..id`, `$['a b']` (the useful part of RFC 9535).
package struct JSONPath: Hashable, Sendable {
    /// One step down.
    enum Step: Hashable, Sendable {
        case name(String)
        /// An element counted from 0; a negative number counts from the end.
        case index(Int)
        /// Every member or element.
        case any
        /// Everything below under this name, at any depth.
        case below(String)
    }

    /// Steps of a path.
    private static let limit = 50
    /// Values that are looked at for one path in one text.
    private static let visitLimit = 1_000_000

    let steps: [Step]

    init(steps: [Step]) { self.steps = steps }

    /// Reads a path.
    init(_ text: String) throws(ValueProblem) {
        let expected = ValueProblem("expected a path such as $.user.name, $.items[0].id or $..id")
        var rest = text[...]
        guard rest.popFirst() == "$" else { throw expected }
        var steps: [Step] = []
        while let first = rest.popFirst() {
            guard steps.count < JSONPath.limit else {
                throw ValueProblem("a path has at most \(JSONPath.limit) steps")
            }
            switch first {
            case ".":
                let isBelow = rest.first == "."
                if isBelow { rest.removeFirst() }
                let name = rest.prefix { $0 != "." && $0 != "[" }
                guard !name.isEmpty, !isBelow || name != "*" else { throw expected }
                rest = rest.dropFirst(name.count)
                steps.append(isBelow ? .below(String(name)) : name == "*" ? .any : .name(String(name)))
            case "[":
                if let quote = rest.first, quote == "'" || quote == "\"" {
                    rest.removeFirst()
                    guard let name = JSONPath.quoted(&rest, quote), rest.popFirst() == "]" else { throw expected }
                    steps.append(.name(name))
                } else {
                    let inside = rest.prefix { $0 != "]" }
                    rest = rest.dropFirst(inside.count)
                    guard rest.popFirst() == "]" else { throw expected }
                    if inside == "*" {
                        steps.append(.any)
                    } else if let index = Int(inside), inside.utf8.count <= 9 {
                        steps.append(.index(index))
                    } else {
                        throw expected
                    }
                }
            default: throw expected
            }
        }
        self.steps = steps
    }

    /// The path as `init` reads it.
    var text: String {
        steps.reduce(into: "$") { text, step in
            switch step {
            case .any: text += "[*]"
            case .index(let index): text += "[\(index)]"
            case .below(let name): text += "..\(name)"
            case .name(let name):
                let isPlain =
                    !name.isEmpty
                    && name.utf8.allSatisfy {
                        (0x30...0x39).contains($0)
                            || (0x41...0x7A).contains($0) && $0 != 0x5B && $0 != 0x5C && $0 != 0x5D && $0 != 0x5E
                                && $0 != 0x60
                    }
                if isPlain {
                    text += ".\(name)"
                } else {
                    text += "['" + name.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "']"
                }
            }
        }
    }

    /// The values that the path leads to.
    ///
    /// - Parameters:
    ///   - root: the text.
    ///   - visits: gets how many values were looked at.
    /// - Returns: the values, one that several ways lead to several times.
    func values(in root: JSONValue, _ visits: inout Int) -> [JSONValue] {
        var found = [root]
        visits = 0
        for step in steps {
            var next: [JSONValue] = []
            for value in found {
                guard visits < JSONPath.visitLimit else { return [] }
                JSONPath.go(step, from: value, into: &next, &visits)
            }
            found = next
        }
        return found
    }

    private static func go(_ step: Step, from value: JSONValue, into found: inout [JSONValue], _ visits: inout Int) {
        visits += 1
        guard visits < visitLimit else { return }
        switch (step, value) {
        case (.name(let name), .object(let members)):
            found += members.lazy.filter { $0.name == name }.map(\.value)
        case (.index(let index), .array(let elements)):
            let place = index < 0 ? elements.count + index : index
            if elements.indices.contains(place) { found.append(elements[place]) }
        case (.any, .object(let members)): found += members.map(\.value)
        case (.any, .array(let elements)): found += elements
        case (.below(let name), .object(let members)):
            for member in members {
                if member.name == name { found.append(member.value) }
                go(step, from: member.value, into: &found, &visits)
            }
        case (.below, .array(let elements)):
            for element in elements { go(step, from: element, into: &found, &visits) }
        default: break
        }
    }

    private static func quoted(_ rest: inout Substring, _ quote: Character) -> String? {
        var name = ""
        while let character = rest.popFirst() {
            if character == quote { return name }
            if character == "\\" {
                guard let escaped = rest.popFirst() else { return nil }
                name.append(escaped)
            } else {
                name.append(character)
            }
        }
        return nil
    }
}
