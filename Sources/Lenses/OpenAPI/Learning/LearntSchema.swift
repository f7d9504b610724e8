import Traffic

/// What the values have in common that stand in the same place of captures: types, members, elements.
///
/// It holds no value but a few words.
struct LearntSchema: Sendable {
    /// Names of an object's members that are kept apart; an object with more is a map.
    private static let memberLimit = 300
    /// Values within values that are learnt; deeper ones may be anything.
    private static let depthLimit = 40

    /// A member of an object.
    struct Member: Sendable {
        /// Objects that had it.
        var count = 0
        var schema = LearntSchema()
    }

    /// The types that came.
    private(set) var kinds: JSONKind = []
    private(set) var text = LearntText()
    private(set) var objects = 0
    private(set) var members: [String: Member] = [:]
    /// Whether no member is kept apart any more.
    private var isMap = false
    /// What the members have in common whose names are numbers and the like, or all members of a map: none or one.
    private(set) var others: [LearntSchema] = []
    /// What elements of lists have in common: none or one.
    private(set) var elements: [LearntSchema] = []
    /// Whether anything may stand here: there was no room to learn it.
    private(set) var isOpen = false

    init() {}

    /// Adds a value.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - room: how many more places may be learnt; counted down.
    ///   - depth: how deep in a body it stands.
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

    /// Takes all members for alike: their names are values themselves.
    private mutating func makeMap() {
        isMap = true
        if others.isEmpty { others = [LearntSchema()] }
        for (_, member) in members.sorted(by: { $0.key < $1.key }) { others[0].join(member.schema) }
        members = [:]
    }

    /// Room for one more place; none where there is no more, which leaves this one open.
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
