import Traffic

/// The common form of the values in the same place of captures: types, members, elements.
///
/// A learnt schema holds no values but a few words.
struct LearntSchema: Sendable {
    /// The most names of an object's members that are kept apart; an object with more is a map.
    private static let memberLimit = 300
    /// The most levels of values that are learnt; deeper values may be anything.
    private static let depthLimit = 40

    /// A member of an object.
    struct Member: Sendable {
        /// The count of objects that had the member.
        var count = 0
        var schema = LearntSchema()
    }

    /// The types that came.
    private(set) var kinds: JSONKind = []
    private(set) var text = LearntText()
    private(set) var objects = 0
    private(set) var members: [String: Member] = [:]
    /// Whether members are no longer kept apart.
    private var isMap = false
    /// The common form of the members whose names are values themselves, such as numbers, or of all members of a map: none or one.
    private(set) var others: [LearntSchema] = []
    /// The common form of the elements of lists: none or one.
    private(set) var elements: [LearntSchema] = []
    /// Whether anything may stand here, since there was no room to learn it.
    private(set) var isOpen = false

    init() {}

    /// Adds a value.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - room: how many more places may be learnt; counted down.
    ///   - depth: the value's level in a body.
    mutating func add(_ value: JSONValue, room: inout Int, depth: Int = 0) {
        guard depth < LearntSchema.depthLimit else {
            isOpen = true
            return
        }
        switch value {
        case .number(let number):
            kinds.formUnion(number == number.rounded() && number.isFinite ? .integer : [.number, .integer])
        case .string(let text):
            kinds.insert(.string)
            self.text.add(text)
        case .array(let list):
            kinds.insert(.array)
            if elements.isEmpty, !list.isEmpty { elements = place(&room) }
            for element in list where !elements.isEmpty { elements[0].add(element, room: &room, depth: depth + 1) }
        case .object(let list):
            kinds.insert(.object)
            objects += 1
            var seen: Set<String> = []
            for member in list { add(member, isFirst: seen.insert(member.name).inserted, room: &room, depth: depth) }
        case .null: kinds.insert(.null)
        case .boolean: kinds.insert(.boolean)
        }
    }

    private mutating func add(_ member: (name: String, value: JSONValue), isFirst: Bool, room: inout Int, depth: Int) {
        if isMap || members[member.name] == nil && EndpointTree.isIdentifier(member.name[...]) {
            if others.isEmpty { others = place(&room) }
            if !others.isEmpty { others[0].add(member.value, room: &room, depth: depth + 1) }
            return
        }
        if members[member.name] == nil {
            guard let schema = place(&room).first else { return }
            members[member.name] = Member(schema: schema)
        }
        members[member.name]?.schema.add(member.value, room: &room, depth: depth + 1)
        if isFirst { members[member.name]?.count += 1 }
        if members.count > LearntSchema.memberLimit { makeMap() }
    }

    /// Merges all members: their names are values themselves.
    private mutating func makeMap() {
        isMap = true
        if others.isEmpty { others = [LearntSchema()] }
        for (_, member) in members.sorted(by: { $0.key < $1.key }) { others[0].join(member.schema) }
        members = [:]
    }

    /// Takes room for one more place; empty where there is none, which leaves this place open.
    private mutating func place(_ room: inout Int) -> [LearntSchema] {
        guard room > 0 else {
            isOpen = true
            return []
        }
        room -= 1
        return [LearntSchema()]
    }

    /// Adds what was learnt in another place that is taken for the same.
    mutating func join(_ other: LearntSchema) {
        kinds.formUnion(other.kinds)
        text.join(other.text)
        isOpen = isOpen || other.isOpen
        objects += other.objects
        if let theirs = other.elements.first {
            if elements.isEmpty { elements = [theirs] } else { elements[0].join(theirs) }
        }
        if let theirs = other.others.first {
            if others.isEmpty { others = [theirs] } else { others[0].join(theirs) }
        }
        for (name, member) in other.members.sorted(by: { $0.key < $1.key }) {
            members[name, default: Member()].count += member.count
            members[name]?.schema.join(member.schema)
        }
        if isMap || other.isMap || members.count > LearntSchema.memberLimit { makeMap() }
    }
}
