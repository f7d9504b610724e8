/// Compares two JSON values member by member; the order of members means nothing.
struct JSONDiff {
    /// Members beyond which names are looked up in a table.
    private static let tableSize = 8
    /// Bytes of names that the path to a difference shows; of longer names only the beginnings.
    private static let namesLimit = 4_000

    let side: MessageSide
    private(set) var found: CaptureDifference
    private var path: [JSONPath.Step] = []
    private var subjects: [String] = []
    /// Comparisons of elements that may still be made, in all lists of both bodies together.
    var work = SequenceAlignment.sumLimit

    /// - Parameters:
    ///   - side: whose bodies they are.
    ///   - found: the differences so far; more are added to it.
    init(_ side: MessageSide, adding found: CaptureDifference) {
        self.side = side
        self.found = found
    }

    /// Compares two values with all that is in them.
    mutating func compare(_ left: JSONValue, _ right: JSONValue, _ noise: NoiseTrail) {
        switch (left, right) {
        case (.object(let left), .object(let right)): members(left, right, noise)
        case (.array(let left), .array(let right)): elements(left, right, noise)
        default:
            if !JSONDiff.isSame(left, right) { add(.changed, left: left, right: right) }
        }
    }

    private mutating func members(
        _ left: [(name: String, value: JSONValue)],
        _ right: [(name: String, value: JSONValue)],
        _ noise: NoiseTrail
    ) {
        let (leftNames, rightNames) = (JSONDiff.last(left), JSONDiff.last(right))
        for (index, member) in left.enumerated() where leftNames[ExactText(member.name)] == index {
            below(.name(member.name), noise.member(member.name)) { diff, noise in
                if let other = rightNames[ExactText(member.name)] {
                    diff.compare(member.value, right[other].value, noise)
                } else {
                    diff.add(.removed, left: member.value)
                }
            } unless: {
                rightNames[ExactText(member.name)].map { JSONDiff.isEqual(member.value, right[$0].value) } ?? false
            }
        }
        for (index, member) in right.enumerated()
        where leftNames[ExactText(member.name)] == nil && rightNames[ExactText(member.name)] == index {
            below(.name(member.name), noise.member(member.name)) { diff, _ in
                diff.add(.added, right: member.value)
            } unless: {
                false
            }
        }
    }

    /// Compares what is one step down, or counts it as ignored noise.
    ///
    /// - Parameters:
    ///   - step: the step.
    ///   - trail: the ignored paths that the step meets.
    ///   - subject: what identifies the element.
    ///   - body: the comparison below.
    ///   - isEqual: whether nothing differs there; equal noise is not counted.
    mutating func below(
        _ step: JSONPath.Step,
        _ trail: NoiseTrail.Step,
        subject: String? = nil,
        _ body: (inout JSONDiff, NoiseTrail) -> Void,
        unless isEqual: () -> Bool
    ) {
        switch trail {
        case .ends(let path): if !isEqual() { found.ignore("json:\(path.text)") }
        case .goesOn(let noise):
            path.append(step)
            if let subject { subjects.append(subject) }
            body(&self, noise)
            if subject != nil { subjects.removeLast() }
            path.removeLast()
        }
    }

    /// Adds a difference at the place that was reached.
    mutating func add(_ change: Difference.Change, left: JSONValue? = nil, right: JSONValue? = nil) {
        guard !found.isFull else { return found.addUnmade() }
        add(change, left: left.map(JSONGist.text), right: right.map(JSONGist.text))
    }

    /// Adds a difference at the place that was reached, with its values as text.
    mutating func add(_ change: Difference.Change, left: String?, right: String?) {
        guard !found.isFull else { return found.addUnmade() }
        let isLong = path.reduce(0) { $0 + JSONDiff.length($1) } > JSONDiff.namesLimit
        let place = JSONPath(steps: isLong ? path.map(JSONDiff.shortened) : path).text
        var difference = Difference(side, .json, place, change, left: left, right: right)
        difference.subject = subjects.last
        // Each difference below a long name would repeat all of it.
        if !isLong {
            difference.pointer = pointer
            difference.general = general(change)
        }
        found.add(difference)
    }

    /// The place that was reached, as a pointer.
    private var pointer: String {
        path.reduce(into: "") { pointer, step in
            switch step {
            case .name(let name): pointer = JSONPointer.child(name, of: pointer)
            case .index(let index): pointer = JSONPointer.child(index, of: pointer)
            case .any, .below: break
            }
        }
    }

    /// The place that was reached with its indices left open; `nil` for a place that is no member, where it would mean a list or the text as a whole.
    private func general(_ change: Difference.Change) -> String? {
        guard case .name = path.last, change != .reordered else { return nil }
        return JSONPath(steps: path.map { step in if case .index = step { .any } else { step } }).text
    }

    private static func length(_ step: JSONPath.Step) -> Int {
        if case .name(let name) = step { name.utf8.count } else { 0 }
    }

    private static func shortened(_ step: JSONPath.Step) -> JSONPath.Step {
        if case .name(let name) = step { .name(Difference.shortened(name)) } else { step }
    }

    /// Whether two values that are no objects and no lists are the same.
    static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)):
            // JSON compares strings by their scalars; canonical equivalence is no equality there.
            left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }

    /// Whether two values are the same with all that is in them.
    static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.object(let left), .object(let right)):
            let (leftNames, rightNames) = (last(left), last(right))
            return leftNames.count == rightNames.count
                && leftNames.allSatisfy { name, index in
                    rightNames[name].map { isEqual(left[index].value, right[$0].value) } ?? false
                }
        case (.array(let left), .array(let right)):
            return left.count == right.count && zip(left, right).allSatisfy { isEqual($0, $1) }
        default: return isSame(left, right)
        }
    }

    /// Where the last member of each name stands: the one that readers take.
    private static func last(_ members: [(name: String, value: JSONValue)]) -> [ExactText: Int] {
        Dictionary(members.enumerated().map { (ExactText($1.name), $0) }) { _, last in last }
    }
}
