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

    /// Steps of a path, for each of which there is a bit.
    private static let limit = 50

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

    /// The values that the path leads to, each once, in the order of the text.
    ///
    /// - Parameters:
    ///   - root: the text.
    ///   - mayLook: is asked before so many members and elements are looked at, each as often as ways of the path lie there; `false` where they are
    ///     not to be.
    /// - Returns: the values.
    func values(in root: JSONValue, mayLook: (_ count: Int) -> Bool = { _ in true }) -> [JSONValue] {
        var found: [JSONValue] = []
        if mayLook(1) { walk(root, at: 1, into: &found, mayLook) }
        return found
    }

    /// Follows all ways through the path at once, so that each value is looked at once.
    ///
    /// - Parameters:
    ///   - value: the value that was come to.
    ///   - places: a bit for each number of steps behind which it lies on a way.
    ///   - found: gets what lies at the end of a way.
    ///   - mayLook: as above.
    private func walk(
        _ value: JSONValue,
        at places: UInt64,
        into found: inout [JSONValue],
        _ mayLook: (_ count: Int) -> Bool
    ) {
        let end = UInt64(1) << UInt64(steps.count)
        if places & end != 0 { found.append(value) }
        let open = places & ~end
        guard open != 0 else { return }
        func next(_ goes: (Step) -> (on: Bool, stays: Bool)) -> UInt64 {
            var (next, rest): (UInt64, UInt64) = (0, open)
            while rest != 0 {
                let place = rest & (~rest + 1)
                rest ^= place
                let goes = goes(steps[place.trailingZeroBitCount])
                if goes.on { next |= place << 1 }
                if goes.stays { next |= place }
            }
            return next
        }
        let ways = open.nonzeroBitCount
        switch value {
        case .object(let members):
            guard mayLook(members.count * ways) else { return }
            for member in members {
                let next = next { step in
                    switch step {
                    case .name(let name): (JSONPath.isSame(member.name, name), false)
                    case .below(let name): (JSONPath.isSame(member.name, name), true)
                    case .any: (true, false)
                    case .index: (false, false)
                    }
                }
                if next != 0 { walk(member.value, at: next, into: &found, mayLook) }
            }
        case .array(let elements):
            guard mayLook(elements.count * ways) else { return }
            for (place, element) in elements.enumerated() {
                let next = next { step in
                    switch step {
                    case .index(let index): (index < 0 ? elements.count + index == place : index == place, false)
                    case .below: (false, true)
                    case .any: (true, false)
                    case .name: (false, false)
                    }
                }
                if next != 0 { walk(element, at: next, into: &found, mayLook) }
            }
        default: break
        }
    }

    /// Whether two names are the same scalars (RFC 8259 §8.3).
    private static func isSame(_ one: String, _ other: String) -> Bool { ExactText(one) == ExactText(other) }

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
