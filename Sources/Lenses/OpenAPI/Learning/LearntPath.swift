import Traffic

/// A place in the tree of the paths that were captured: what comes next in them, identifiers left open.
///
/// More than `EndpointTree.valueLimit` different segments in one place are one open segment, where what follows them is alike: an API may have as many
/// resources, which are not.
struct LearntPath: Sendable {
    /// What a segment is in the tree.
    enum Segment: Hashable, Sendable {
        case text(String)
        /// What looks like an identifier, or one of too many values.
        case open(String)

        /// The value that was there.
        var value: String {
            switch self {
            case .text(let value), .open(let value): value
            }
        }
    }

    /// Different segments in one place; of more all are one open segment.
    private static let childLimit = 400

    private var operations: [String: LearntOperation] = [:]
    private var children: [String: LearntPath] = [:]
    /// What follows an open segment: none or one.
    private var open: [LearntPath] = []
    /// What the values of the open segment have in common.
    private var values = LearntParameter()
    /// Whether every segment here is taken for open.
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
        // Braces escaped or not are the same, and a template has them escaped.
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

    /// Whether there is a place in the tree, or room for one.
    private func takesPlace(of child: LearntPath?, _ room: inout Int) -> Bool {
        if child == nil, room == 0 { return false }
        if child == nil { room -= 1 }
        return true
    }

    /// Makes one of all children but the empty segment, which no open one stands for.
    private mutating func mergeAll() { merge(children.keys.filter { !$0.isEmpty }.sorted()) }

    /// Makes one of some children.
    private mutating func merge(_ segments: [String]) {
        isMerged = true
        if open.isEmpty { open = [LearntPath()] }
        for segment in segments {
            guard let child = children.removeValue(forKey: segment) else { continue }
            values.add([PathTemplate.decoded(segment[...])])
            open[0].join(child)
        }
    }

    /// It with one open segment for those of its children that are too many and alike.
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

    /// What tells a resource from others: its methods, what they answer, and what comes after it.
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

    /// A segment as a template may have it: braces are none, and escaped in one way.
    private static func literal(_ segment: String) -> String {
        [("{", "%7B"), ("%7b", "%7B"), ("}", "%7D"), ("%7d", "%7D")].reduce(segment) { text, brace in
            text.replacing(brace.0, with: brace.1)
        }
    }

    /// A name that no parameter before it has: `id`, `id2`.
    private static func name(_ wanted: String, _ parameters: [JSONValue]) -> String {
        let taken = parameters.count { $0["name"]?.string?.hasPrefix(wanted) == true }
        return taken == 0 ? wanted : "\(wanted)\(taken + 1)"
    }
}
