package import Traffic

/// The shape of a JSON text, in words and as a tree.
package enum JSONShape {
    /// The most members that are named; the rest is counted.
    private static let nameLimit = 8
    /// The most elements of a list that are read; a longer list is described by its beginning.
    private static let elementLimit = 1000
    /// The most levels of a tree.
    private static let depthLimit = 6
    /// The most lines directly under a line.
    private static let childLimit = 40
    /// The most lines of a whole tree.
    static let nodeLimit = 5000

    /// `object with 4 members: id, name, tags, owner`, `list of 40 objects, each with id, name; some with note`.
    package static func words(_ value: JSONValue) -> String {
        switch value {
        case .object(let members):
            guard !members.isEmpty else { return "empty object" }
            return "object with \(members.count.counted("member")): \(listed(members.map(\.name)))"
        case .array(let elements): return list(elements)
        default: return text(value)
        }
    }

    /// A value on one line: texts as they are, lists and objects by their shape.
    package static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .string(let text): value.longDigits.map(String.init) ?? text
        case .number: number(value)
        case .array, .object: words(value)
        }
    }

    /// The members and elements of a value as lines under lines.
    package static func nodes(_ value: JSONValue) -> [LensNode] {
        var room = nodeLimit
        return nodes(value, depth: 0, &room)
    }

    /// The lines under a value, as many as there is room for.
    private static func nodes(_ value: JSONValue, depth: Int, _ room: inout Int) -> [LensNode] {
        guard depth < depthLimit else { return [] }
        var nodes: [LensNode] = []
        func add(_ label: String, _ value: JSONValue) {
            guard room > 0 else { return }
            room -= 1
            let detail = LensText(text(value), tone(value))
            let children = self.nodes(value, depth: depth + 1, &room)
            nodes.append(LensNode(LensText(label), detail: detail, children: children))
        }
        let count: Int
        switch value {
        case .object(let members):
            count = members.count
            for member in members.prefix(childLimit) { add(member.name, member.value) }
        case .array(let elements):
            count = elements.count
            let shown = elements.prefix(depth == 0 ? childLimit : nameLimit)
            for (index, element) in shown.enumerated() { add("\(index)", element) }
        default: return []
        }
        return nodes.count < count ? nodes + [more(count - nodes.count)] : nodes
    }

    private static func more(_ count: Int) -> LensNode { LensNode(LensText("… \(count) more", .faint)) }

    private static func tone(_ value: JSONValue) -> LensText.Tone {
        switch value {
        case .null, .array, .object: .faint
        default: .plain
        }
    }

    private static func list(_ elements: [JSONValue]) -> String {
        guard !elements.isEmpty else { return "empty list" }
        var kinds: [String: Int] = [:]
        for element in elements { kinds[kind(element), default: 0] += 1 }
        guard kinds.count == 1, let kind = kinds.keys.first else {
            let parts = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { $0.value.counted($0.key) }
            return "list of \(elements.count): \(parts.joined(separator: ", "))"
        }
        let head = "list of \(elements.count.counted(kind))"
        guard kind == "object" else { return head }
        let (always, sometimes) = names(elements.prefix(elementLimit))
        var words = head
        if !always.isEmpty { words += ", each with \(listed(always))" }
        if !sometimes.isEmpty { words += "; some with \(listed(sometimes))" }
        return words
    }

    /// The names that all objects have, and those that only some have, in the order in which they occur.
    private static func names(_ objects: ArraySlice<JSONValue>) -> (always: [String], sometimes: [String]) {
        var order: [String] = []
        var counts: [String: Int] = [:]
        for case .object(let members) in objects {
            var own: Set<String> = []
            for member in members where own.insert(member.name).inserted {
                if counts[member.name] == nil { order.append(member.name) }
                counts[member.name, default: 0] += 1
            }
        }
        return (order.filter { counts[$0] == objects.count }, order.filter { counts[$0] != objects.count })
    }

    private static func listed(_ names: [String]) -> String {
        let shown = names.prefix(nameLimit).joined(separator: ", ")
        return names.count > nameLimit ? "\(shown) and \(names.count - nameLimit) more" : shown
    }

    private static func kind(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .boolean: "boolean"
        case .number: "number"
        case .string: value.longDigits == nil ? "text" : "number"
        case .array: "list"
        case .object: "object"
        }
    }

    private static func number(_ value: JSONValue) -> String {
        if let whole = value.integer, Double(whole) == value.number { return "\(whole)" }
        return value.number.map { "\($0)" } ?? "a number beyond a Double"
    }
}
