import Traffic

/// A place in the tree of captured paths, with the segments that follow it; identifiers are left open.
///
/// More than `EndpointTree.valueLimit` different segments in one place become one open segment where what follows them is alike: an API may also have
/// as many resources, which are not alike.
struct LearntPath: Sendable {
    /// A segment of a path in the tree.
    enum Segment: Hashable, Sendable {
        case text(String)
        /// A segment that looks like an identifier, or is one of too many values.
        case open(String)

        /// The segment's value.
        var value: String {
            switch self {
            case .text(let value), .open(let value): value
            }
        }
    }

    /// The most different segments in one place; more become one open segment.
    private static let childLimit = 400

    private var operations: [String: LearntOperation] = [:]
    private var children: [String: LearntPath] = [:]
    /// The path after an open segment: none or one.
    private var open: [LearntPath] = []
    /// The common form of the open segment's values.
    private var values = LearntParameter()
    /// Whether every segment here counts as open.
    private var isMerged = false

    /// Adds an exchange under the segments of its path.
    mutating func add(
        _ method: String,
        _ segments: ArraySlice<Segment>,
        room: inout Int,
        _ learn: (inout LearntOperation, inout Int) -> Void
    ) {
        guard let first = segments.first else {
            learn(&operations[method, default: LearntOperation()], &room)
            return
        }
        // Braces mean the same escaped or not, and a template has them escaped.
        let value = LearntPath.literal(first.value)
        if case .text = first, !isMerged || value.isEmpty {
            if children[value] == nil, !value.isEmpty, children.count >= LearntPath.childLimit {
                mergeAll()
            } else {
                guard takesPlace(of: children[value], &room) else { return }
                children[value, default: LearntPath()].add(method, segments.dropFirst(), room: &room, learn)
                return
            }
        }
        guard takesPlace(of: open.first, &room) else { return }
        values.add([PathTemplate.decoded(value[...])])
        if open.isEmpty { open = [LearntPath()] }
        open[0].add(method, segments.dropFirst(), room: &room, learn)
    }

    /// Whether a place is in the tree, or there is room to add it.
    private func takesPlace(of child: LearntPath?, _ room: inout Int) -> Bool {
        if child == nil, room == 0 { return false }
        if child == nil { room -= 1 }
        return true
    }

    /// Merges all children but the empty segment, for which no open segment stands.
    private mutating func mergeAll() { merge(children.keys.filter { !$0.isEmpty }.sorted()) }

    /// Merges some children into one.
    private mutating func merge(_ segments: [String]) {
        isMerged = true
        if open.isEmpty { open = [LearntPath()] }
        for segment in segments {
            guard let child = children.removeValue(forKey: segment) else { continue }
            values.add([PathTemplate.decoded(segment[...])])
            open[0].join(child)
        }
    }

    /// The place with one open segment for children that are too many and alike.
    private var settled: LearntPath {
        guard children.count > EndpointTree.valueLimit else { return self }
        var groups: [(marks: Set<String>, segments: [String])] = []
        for (segment, child) in children.sorted(by: { $0.key < $1.key }) where !segment.isEmpty {
            let marks = child.marks
            if let group = groups.firstIndex(where: { LearntPath.isAlike($0.marks, marks) }) {
                groups[group].segments.append(segment)
            } else {
                groups.append((marks, [segment]))
            }
        }
        let alike = groups.filter { $0.segments.count > EndpointTree.valueLimit }.flatMap(\.segments)
        guard !alike.isEmpty else { return self }
        var path = self
        path.merge(alike)
        return path
    }

    /// The marks that tell a resource from others: its methods, their answers, and the segments after it.
    private var marks: Set<String> {
        var marks = Set(children.keys.map { "/\($0)" })
        if !open.isEmpty { marks.insert("/{}") }
        for (method, operation) in operations { marks.formUnion(operation.marks.map { "\(method) \($0)" }) }
        return marks
    }

    /// Whether three of four marks are the same.
    private static func isAlike(_ one: Set<String>, _ other: Set<String>) -> Bool {
        4 * one.intersection(other).count >= 3 * one.union(other).count
    }

    private mutating func join(_ other: LearntPath) {
        for (method, operation) in other.operations { operations[method, default: LearntOperation()].join(operation) }
        if let theirs = other.open.first {
            if open.isEmpty { open = [theirs] } else { open[0].join(theirs) }
            values.join(other.values)
        }
        for (segment, child) in other.children.sorted(by: { $0.key < $1.key }) {
            children[segment, default: LearntPath()].join(child)
        }
        if isMerged || other.isMerged || children.count > LearntPath.childLimit { mergeAll() }
    }

    /// Gives every path that has operations, as a template with the path object, sorted.
    func each(
        _ path: String = "",
        _ parameters: [JSONValue] = [],
        mask: ExampleMask,
        _ give: (String, JSONValue) -> Void
    ) {
        settled.eachSettled(path, parameters, mask: mask, give)
    }

    private func eachSettled(
        _ path: String,
        _ parameters: [JSONValue],
        mask: ExampleMask,
        _ give: (String, JSONValue) -> Void
    ) {
        if !operations.isEmpty {
            let item = operations.sorted { $0.key < $1.key }.map { method, operation in
                (name: method.lowercased(), value: operation.document(path: parameters, mask))
            }
            give(path.isEmpty ? "/" : path, .object(item))
        }
        for (segment, child) in children.sorted(by: { $0.key < $1.key }) {
            child.each("\(path)/\(LearntPath.literal(segment))", parameters, mask: mask, give)
        }
        guard let open = open.first else { return }
        // A short number in the middle that never changes is a version.
        if let only = values.first, values.isConstant, only.utf8.count <= 2, open.operations.isEmpty {
            open.each("\(path)/\(only)", parameters, mask: mask, give)
            return
        }
        let name = isMerged ? LearntPath.name("value", parameters) : LearntPath.name("id", parameters)
        let parameter = values.document(name: name, location: .path, isRequired: true, mask)
        open.each("\(path)/{\(name)}", parameters + [parameter], mask: mask, give)
    }

    /// A segment in the form that a template may have: braces escaped, and all escapes in one spelling.
    private static func literal(_ segment: String) -> String {
        [("{", "%7B"), ("%7b", "%7B"), ("}", "%7D"), ("%7d", "%7D")].reduce(segment) { text, brace in
            text.replacing(brace.0, with: brace.1)
        }
    }

    /// A name that no earlier parameter has: `id`, `id2`.
    private static func name(_ wanted: String, _ parameters: [JSONValue]) -> String {
        let taken = parameters.count { $0["name"]?.string?.hasPrefix(wanted) == true }
        return taken == 0 ? wanted : "\(wanted)\(taken + 1)"
    }
}
