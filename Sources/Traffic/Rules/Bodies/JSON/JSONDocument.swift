/// A JSON body while it is edited: only the bytes of what changes are replaced.
struct JSONDocument {
    /// Bytes of the edited text.
    private static let lengthLimit = 32 << 20
    /// Bytes that are read in the time in which an operation of a patch, or a member, is begun.
    private static let operationWork = 256
    /// Bytes that are read in the time in which a byte of a member's name is written into the record.
    private static let nameShare = 4

    private var spans: JSONSpans
    /// Changes that are not made yet: values that took the place of others, and changed no other's place.
    private var waiting = JSONSplices()
    /// The work that is left: each change that moves others has the text read anew.
    private(set) var work: EditWork

    /// Reads a text.
    ///
    /// - Throws: `RuleFault` where it is no JSON.
    init(_ bytes: [UInt8], _ charset: Charset = .utf8, _ work: EditWork = EditWork()) throws(RuleFault) {
        self.work = work
        spans = try JSONDocument.read(bytes, charset)
    }

    /// Whether escapes stand for all characters outside ASCII in what is written.
    private var isASCII: Bool { spans.charset != .utf8 }

    private static func read(_ bytes: [UInt8], _ charset: Charset) throws(RuleFault) -> JSONSpans {
        do throws(JSONSpans.Problem) { return try JSONSpans(bytes, charset) } catch {
            throw RuleFault("the body \(error.sentence)")
        }
    }

    /// The text with all changes made.
    mutating func finished() throws(RuleFault) -> [UInt8] {
        try checkLength()
        let bytes = waiting.isEmpty ? spans.bytes : waiting.applied(to: spans.bytes)
        guard bytes.count <= JSONDocument.lengthLimit else { throw JSONDocument.tooMuch }
        return bytes
    }

    // MARK: By paths

    /// Sets the values that a path leads to, or adds the member that it names where it is missing.
    mutating func set(_ path: JSONPath, _ value: FilledJSON, _ changes: inout BodyChanges) throws(RuleFault) {
        var found = try places(path.steps)
        if waiting.isAround(found.map { spans.nodes[$0].range }) {
            try settle()
            found = try places(path.steps)
        }
        let text = value.bytes(isASCII: isASCII)
        var count = 0
        var end = 0
        for node in found.sorted() {
            // What lies within a value that is set goes with it.
            guard node >= end else { continue }
            end = Int(spans.nodes[node].next)
            guard !spans.bytes[spans.nodes[node].range].elementsEqual(text) else { continue }
            waiting.replace(spans.nodes[node].range, with: text)
            count += 1
        }
        changes.add(path.text, count)
        if !value.isScalar { try settle() }
        guard case .name(let name)? = path.steps.last else { return }
        try add(name, text, at: path, &changes)
    }

    /// Adds a member to the objects that have none of its name.
    private mutating func add(
        _ name: String,
        _ text: [UInt8],
        at path: JSONPath,
        _ changes: inout BodyChanges
    ) throws(RuleFault) {
        let parents = try places(path.steps.dropLast())
        var lacking: [Int] = []
        for parent in parents where spans.nodes[parent].kind == .object {
            if try member(name, of: parent) == nil { lacking.append(parent) }
        }
        guard !lacking.isEmpty else { return }
        guard waiting.isEmpty else {
            try settle()
            return try add(name, text, at: path, &changes)
        }
        for node in lacking { try insert(name, text, into: node) }
        changes.add("\(path.text) added", lacking.count)
        try settle()
    }

    private mutating func insert(_ name: String, _ text: [UInt8], into node: Int) throws(RuleFault) {
        try checkLength()
        guard work.read(JSONDocument.operationWork) else { throw JSONDocument.tooMuch }
        let member = self.member(name, text, of: node)
        waiting.rewrite(node, of: spans, removing: [], inserting: [(Int.max, member)])
    }

    private func member(_ name: String, _ text: [UInt8], of node: Int) -> [UInt8] {
        FilledJSON.quoted(name, isASCII: isASCII) + JSONStyle(of: node, in: spans).colon + text
    }

    /// Inserts an element before the one that a path names, or a member where there is none of its name.
    mutating func insert(_ path: JSONPath, _ value: FilledJSON, _ changes: inout BodyChanges) throws(RuleFault) {
        try settle()
        let text = value.bytes(isASCII: isASCII)
        switch path.steps.last {
        case .name(let name): try add(name, text, at: path, &changes)
        case .index(let index):
            var count = 0
            for node in try places(path.steps.dropLast()) where spans.nodes[node].kind == .array {
                let length = spans.children(of: node).count
                let place = index < 0 ? length + 1 + index : index
                guard (0...length).contains(place) else { continue }
                try checkLength()
                guard work.read(JSONDocument.operationWork) else { throw JSONDocument.tooMuch }
                waiting.rewrite(node, of: spans, removing: [], inserting: [(place, text)])
                count += 1
            }
            changes.add("\(path.text) added", count)
            try settle()
        default: return
        }
    }

    /// Removes the values that a path leads to.
    mutating func remove(_ path: JSONPath, _ changes: inout BodyChanges) throws(RuleFault) {
        try settle()
        let found = Set(try places(path.steps))
        guard !found.isEmpty else { return }
        var open: [Int] = []
        var removed: [Int: Set<Int>] = [:]
        for node in spans.nodes.indices {
            while let last = open.last, node >= spans.nodes[last].next { open.removeLast() }
            if found.contains(node), let parent = open.last { removed[parent, default: []].insert(node) }
            if spans.nodes[node].kind == .object || spans.nodes[node].kind == .array { open.append(node) }
        }
        for (parent, children) in removed { waiting.rewrite(parent, of: spans, removing: children) }
        changes.add("\(path.text) removed", removed.reduce(0) { $0 + $1.value.count })
        try settle()
    }

    private mutating func places(_ steps: some Sequence<JSONPath.Step>) throws(RuleFault) -> [Int] {
        try look(at: spans.nodes.count)
        var found: [Int] = []
        for root in spans.roots {
            guard let places = spans.places(of: steps, from: root) else { throw JSONDocument.tooMuch }
            found += places
        }
        return found
    }

    // MARK: By a merge

    /// Merges members into each text (RFC 7396).
    mutating func merge(_ value: FilledJSON, _ changes: inout BodyChanges) throws(RuleFault) {
        try settle()
        for root in spans.roots { try merge(value, into: root, JSONPath(steps: []), &changes) }
        try settle()
    }

    private mutating func merge(
        _ value: FilledJSON,
        into node: Int,
        _ path: JSONPath,
        _ changes: inout BodyChanges
    ) throws(RuleFault) {
        try checkLength()
        guard case .object(let members) = value, spans.nodes[node].kind == .object else {
            let text = value.withoutNulls.bytes(isASCII: isASCII)
            guard !spans.bytes[spans.nodes[node].range].elementsEqual(text) else { return }
            waiting.replace(spans.nodes[node].range, with: text)
            return changes.add(path.text)
        }
        var removed: Set<Int> = []
        var added: [(place: Int, text: [UInt8])] = []
        for member in members {
            // The record names those above it, too.
            let above = path.steps.reduce(0) { if case .name(let name) = $1 { $0 + name.utf8.count } else { $0 } }
            let nameWork = (above + member.name.utf8.count) * JSONDocument.nameShare
            guard work.read(JSONDocument.operationWork + nameWork) else { throw JSONDocument.tooMuch }
            let path = JSONPath(steps: path.steps + [.name(member.name)])
            if member.value.isNull {
                let gone = try self.members(member.name, of: node)
                removed.formUnion(gone)
                if !gone.isEmpty { changes.add("\(path.text) removed", gone.count) }
            } else if let child = try self.member(member.name, of: node) {
                try merge(member.value, into: child, path, &changes)
            } else {
                let text = member.value.withoutNulls.bytes(isASCII: isASCII)
                added.append((Int.max, self.member(member.name, text, of: node)))
                changes.add("\(path.text) added")
            }
        }
        guard !removed.isEmpty || !added.isEmpty else { return }
        waiting.rewrite(node, of: spans, removing: removed, inserting: added)
    }

    // MARK: By a patch

    /// Does the operations of a patch on each text.
    ///
    /// - Throws: `RuleFault` where one cannot be done, or a test fails; nothing of the whole edit is done then.
    mutating func patch(_ operations: [ReadyJSONEdit.Operation], _ changes: inout BodyChanges) throws(RuleFault) {
        guard !operations.isEmpty else { return }
        try settle()
        guard spans.roots.count > 1 else {
            for operation in operations { try apply(operation, &changes) }
            return
        }
        // Each by itself: a change of one has no other read anew.
        for root in spans.roots {
            let range = spans.nodes[root].range
            var text = try JSONDocument(Array(spans.bytes[range]), spans.charset, work)
            // Also where it fails: what was done was done.
            defer { work = text.work }
            // Texts may be short, and many.
            guard text.work.read(JSONDocument.operationWork * operations.count) else { throw JSONDocument.tooMuch }
            try text.patch(operations, &changes)
            waiting.replace(range, with: try text.finished())
        }
        try settle()
    }

    /// Does one operation of a patch on the only text.
    private mutating func apply(_ ready: ReadyJSONEdit.Operation, _ changes: inout BodyChanges) throws(RuleFault) {
        let operation = ready.operation
        let value = ready.value?.bytes(isASCII: isASCII) ?? []
        switch operation.kind {
        case .add: try add(value, at: operation.path)
        case .remove: try remove(operation.path)
        case .replace: waiting.replace(spans.nodes[try node(operation.path)].range, with: value)
        case .test:
            let range = spans.nodes[try node(operation.path)].range
            guard work.read(range.count) else { throw JSONDocument.tooMuch }
            guard JSONValue.isSame(spans.utf8(range), value) else {
                throw RuleFault("the test of \(JSONDocument.text(operation.path)) fails")
            }
            return
        case .move, .copy:
            let from = operation.from ?? []
            let text = Array(spans.bytes[spans.nodes[try node(from)].range])
            guard operation.kind == .copy || from != operation.path else { return }
            if operation.kind == .move {
                try remove(from)
                try settle()
            }
            try add(text, at: operation.path)
        }
        try settle()
        changes.add("\(operation.kind.rawValue) \(JSONDocument.text(operation.path))")
    }

    private mutating func add(_ text: [UInt8], at path: [String]) throws(RuleFault) {
        guard let last = path.last else { return waiting.replace(spans.nodes[try node([])].range, with: text) }
        let parent = try node(Array(path.dropLast()))
        switch spans.nodes[parent].kind {
        case .object:
            if let child = try member(last, of: parent) {
                waiting.replace(spans.nodes[child].range, with: text)
            } else {
                try insert(last, text, into: parent)
            }
        case .array:
            let length = spans.children(of: parent).count
            guard let place = last == "-" ? length : JSONDocument.index(last), place <= length else {
                throw JSONDocument.missing(path)
            }
            waiting.rewrite(parent, of: spans, removing: [], inserting: [(place, text)])
        case .string, .other: throw JSONDocument.missing(path)
        }
    }

    private mutating func remove(_ path: [String]) throws(RuleFault) {
        let child = try node(path)
        let parent = try node(Array(path.dropLast()))
        var removed: Set<Int> = [child]
        // A name that stands twice would be there still.
        if let name = path.last, spans.nodes[parent].kind == .object {
            removed.formUnion(try members(name, of: parent))
        }
        waiting.rewrite(parent, of: spans, removing: removed)
    }

    /// The value that a pointer names.
    private mutating func node(_ path: [String]) throws(RuleFault) -> Int {
        guard var node = spans.roots.first else { throw JSONDocument.missing(path) }
        for name in path {
            var child: Int?
            switch spans.nodes[node].kind {
            case .object: child = try member(name, of: node)
            case .array:
                try look(at: Int(spans.nodes[node].next) - node)
                let elements = spans.children(of: node)
                if let index = JSONDocument.index(name), elements.indices.contains(index) { child = elements[index] }
            case .string, .other: break
            }
            guard let child else { throw JSONDocument.missing(path) }
            node = child
        }
        return node
    }

    /// The number of an element as a pointer has it (RFC 6901 §4).
    private static func index(_ text: String) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text == "0" || text.utf8.first != 0x30
        else { return nil }
        return Int(text)
    }

    private static func text(_ path: [String]) -> String {
        path.isEmpty ? "the whole text" : path.reduce("") { JSONPointer.child($1, of: $0) }
    }

    private static func missing(_ path: [String]) -> RuleFault {
        RuleFault("the patch finds no \(text(path)) in the body")
    }

    // MARK: Looking for names

    /// The last member of an object under a name; `nil` where there is none.
    private mutating func member(_ name: String, of node: Int) throws(RuleFault) -> Int? {
        try look(at: Int(spans.nodes[node].next) - node)
        return spans.member(name, of: node)
    }

    /// All members of an object under a name.
    private mutating func members(_ name: String, of node: Int) throws(RuleFault) -> [Int] {
        try look(at: Int(spans.nodes[node].next) - node)
        return spans.children(of: node).filter { spans.isNamed($0, name) }
    }

    /// Counts that so many values are looked at.
    private mutating func look(at count: Int) throws(RuleFault) {
        guard work.look(at: count, of: spans) else { throw JSONDocument.tooMuch }
    }

    // MARK: Making changes

    static let tooMuch = RuleFault("the edit takes too much work on this body")

    /// Checks that no more is put in than may be.
    private func checkLength() throws(RuleFault) {
        guard !waiting.isTooLong else { throw JSONDocument.tooMuch }
    }

    /// Makes the changes that wait, and reads the text anew.
    private mutating func settle() throws(RuleFault) {
        guard !waiting.isEmpty else { return }
        let bytes = try finished()
        guard work.read(bytes.count) else { throw JSONDocument.tooMuch }
        waiting = JSONSplices()
        spans = try JSONDocument.read(bytes, spans.charset)
    }
}
