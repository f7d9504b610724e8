import Traffic

/// An object of a body that is read member by member: a member that is missing or of another kind becomes a warning, and reading goes on.
struct WireObject {
    private let value: JSONValue
    /// The object's place in the body (RFC 6901).
    let pointer: String
    /// The warnings so far.
    var warnings: [DataWarning] = []

    init(_ value: JSONValue, at pointer: String) {
        (self.value, self.pointer) = (value, pointer)
    }

    /// A member's value; `nil` where it is absent or null.
    subscript(name: String) -> JSONValue? {
        guard let member = value[name], !member.isNull else { return nil }
        return member
    }

    /// The pointer of a member.
    func place(_ name: String) -> String { JSONPointer.child(name, of: pointer) }

    /// A text as it is; a number in its place is read as text.
    mutating func text(_ name: String, isNeeded: Bool = false) -> String? {
        guard let member = self[name] else {
            if isNeeded { warn(.missing, name, "\(name) is missing") }
            return nil
        }
        if let text = member.string {
            if isNeeded, text.isEmpty { warn(.missing, name, "\(name) is empty") }
            return text
        }
        warn(isNeeded ? .missing : .unknown, name, "\(name) is \(member.kind), not a text")
        return member.integer.map { String($0) }
    }

    /// A whole number.
    mutating func integer(_ name: String) -> Int? {
        guard let member = self[name] else { return nil }
        guard let number = member.integer else {
            warn(.unknown, name, "\(name) is \(member.kind), not a whole number")
            return nil
        }
        return Int(number)
    }

    /// A truth value; `false` where the member is none.
    mutating func boolean(_ name: String) -> Bool {
        guard let member = self[name] else { return false }
        if member.boolean == nil { warn(.unknown, name, "\(name) is \(member.kind), not true or false") }
        return member.boolean ?? false
    }

    /// The texts of a list; elements of another kind are left out.
    mutating func texts(_ name: String) -> [String] {
        guard let member = self[name] else { return [] }
        guard let elements = member.elements else {
            warn(.unknown, name, "\(name) is \(member.kind), not a list")
            return []
        }
        return elements.compactMap(\.string)
    }

    /// A date with its text; `nil` where it is absent or null.
    mutating func date(_ name: String) -> WireDate? {
        guard let member = self[name] else { return nil }
        guard let text = member.string else {
            warn(.unknown, name, "\(name) is \(member.kind), not a date")
            return nil
        }
        let date = WireDate(text)
        if !text.isEmpty, date.date == nil { warn(.unknown, name, "\(name) “\(text)” is no date") }
        if date.date != nil {
            if date.hasFraction { warn(.fraction, name, "\(name) “\(text)” has fractions of a second") }
            if !date.hasOffset { warn(.offset, name, "\(name) “\(text)” does not say its zone") }
        }
        return date
    }

    /// Checks whether a date that nothing else reads has an offset.
    mutating func stamp(_ name: String) {
        guard let text = self[name]?.string, !text.isEmpty, !WireDate(text).hasOffset else { return }
        warn(.offset, name, "\(name) “\(text)” does not say its zone")
    }

    /// Notes what is wrong with a member.
    mutating func warn(_ kind: DataWarning.Kind, _ name: String, _ text: String) {
        warnings.append(DataWarning(kind: kind, pointer: place(name), text: text))
    }
}
