/// The changes to the fields of a head or of a trailer section: remove, replace, set, add, in this order.
package struct FieldEdit: Hashable, Sendable {
    /// A field to write.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: Template
    }

    /// A text to replace within the values of a field.
    package struct Replacement: Hashable, Sendable {
        package var name: NameGlob
        /// What is replaced in each value, and what stands in its place.
        package var text: TextReplacement
    }

    package var remove: [NameGlob] = []
    package var replace: [Replacement] = []
    /// Each replaces the first of its name, several of one name all together; others of that name are removed.
    package var set: [Field] = []
    package var add: [Field] = []

    package init() {}

    package var isEmpty: Bool { self == FieldEdit() }

    /// Whether the request's body is needed first.
    var needsBody: Bool {
        (set + add).contains { $0.value.needsBody } || replace.contains { $0.text.with.needsBody }
    }

    /// Fields that say where a message ends, or that concern one connection: an edit that changed them would break the connection.
    static let framing: Set = [
        "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "upgrade", "trailer",
        "te",
    ]

    /// Edits lines.
    ///
    /// - Throws: `RuleFault` when a value cannot stand in a field.
    func apply(to lines: inout HeadLines, _ scope: inout TemplateScope) throws(RuleFault) -> [EditChange] {
        var changes: [EditChange] = []
        for pattern in remove { try removeAll(pattern, from: &lines, &scope.nameWork, &changes) }
        for replacement in replace { try apply(replacement, to: &lines, &scope, &changes) }
        for (name, fields) in FieldEdit.byName(set) {
            var values: [String] = []
            for field in fields { values.append(try FieldEdit.value(field, &scope)) }
            let before = lines.places(of: name).map(lines.value)
            guard !before.elementsEqual(values, by: { ExactText($0) == ExactText($1) }) else { continue }
            lines.set(name, values)
            let old = before.isEmpty ? nil : before.joined(separator: ", ")
            changes.append(EditChange(name, from: old, to: values.joined(separator: ", ")))
        }
        for field in add {
            let value = try FieldEdit.value(field, &scope)
            lines.add(field.name, value)
            changes.append(EditChange(field.name, from: nil, to: value))
        }
        return changes
    }

    /// The fields to set by their names, ignoring case, in the order in which the names first stand.
    private static func byName(_ fields: [Field]) -> [(name: String, fields: [Field])] {
        guard fields.count > 1 else { return fields.map { ($0.name, [$0]) } }
        var groups: [(name: String, fields: [Field])] = []
        var places: [String: Int] = [:]
        for field in fields {
            let place = places[ASCII.lower(field.name), default: groups.count]
            if place == groups.count {
                places[ASCII.lower(field.name)] = place
                groups.append((field.name, []))
            }
            groups[place].fields.append(field)
        }
        return groups
    }

    private func removeAll(
        _ pattern: NameGlob,
        from lines: inout HeadLines,
        _ work: inout EditWork,
        _ changes: inout [EditChange]
    ) throws(RuleFault) {
        var places: [Int] = []
        for index in 0..<lines.count {
            let name = lines.name(index)
            guard try pattern.matches(Array(name.utf8), &work) else { continue }
            // A pattern never matches a field that no edit may touch, nor Host, which says where a request goes.
            if !FieldEdit.framing.contains(ASCII.lower(name)), !ASCII.isSame(name, "host") { places.append(index) }
        }
        for place in places {
            changes.append(EditChange(lines.name(place), from: lines.value(place), to: nil))
        }
        lines.remove(places)
    }

    private func apply(
        _ replacement: Replacement,
        to lines: inout HeadLines,
        _ scope: inout TemplateScope,
        _ changes: inout [EditChange]
    ) throws(RuleFault) {
        let ready = replacement.text.ready(&scope)
        for index in 0..<lines.count {
            let (name, before) = (lines.name(index), lines.value(index))
            guard try replacement.name.matches(Array(name.utf8), &scope.nameWork) else { continue }
            guard !FieldEdit.framing.contains(ASCII.lower(name)) else { continue }
            let after = try ready.apply(to: before, &scope.work)
            guard ExactText(after) != ExactText(before) else { continue }
            try FieldEdit.check(after, of: name)
            lines.replace(index, with: after)
            changes.append(EditChange(name, from: before, to: after))
        }
    }

    private static func value(_ field: Field, _ scope: inout TemplateScope) throws(RuleFault) -> String {
        let value = scope.text(field.value)
        try check(value, of: field.name)
        return value
    }

    /// A value taken from the exchange may contain line ends, which would make more fields of it (RFC 9110 §5.5).
    private static func check(_ value: String, of name: String) throws(RuleFault) {
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == ASCII.tab }) else {
            throw RuleFault("the value of \(name) would hold a line end or another control character")
        }
    }
}
