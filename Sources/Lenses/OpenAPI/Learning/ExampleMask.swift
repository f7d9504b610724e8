import Traffic

/// A mask for captured values in a document that others read: it shortens values, and hides those that the redactor takes for secrets.
struct ExampleMask {
    /// The most characters of a string, elements of a list, members of an object and levels that an example shows.
    private static let (characters, elements, members, levels) = (120, 1, 40, 6)

    let redactor: Redactor

    /// A value of the member of this name, shortened and masked; `nil` where none of it can be shown.
    func example(_ value: JSONValue, under name: String? = nil) -> JSONValue? {
        let whole: JSONValue =
            name.map { .object([(name: $0, value: ExampleMask.cut(value, 0))]) } ?? ExampleMask.cut(value, 0)
        var json = JSONWriter()
        json.value(nil, whole)
        let masked = redactor.masked(String(decoding: json.take(), as: UTF8.self))
        guard let read = try? JSONReader.value(Array(masked.utf8)) else { return nil }
        return name.map { read[$0] } ?? read
    }

    /// The values of an enumeration; `nil` where the name or a value looks like a secret.
    func enumeration(_ values: [String]?, under name: String?) -> [String]? {
        guard let values else { return nil }
        if let name, SecretKind(name: name.utf8) != nil { return nil }
        let isDoubtful = name.flatMap { SecretKind(doubtful: $0.utf8) } != nil
        if isDoubtful, values.contains(where: { SecretKind.isMade($0.utf8, inQuery: false) }) { return nil }
        let isPlain = values.allSatisfy { example(.string($0), under: name ?? "value")?.string == $0 }
        return isPlain ? values : nil
    }

    /// Splits named things into those whose names cannot be shown, and the others.
    func parted<Thing>(_ things: [String: Thing]) -> (hidden: [String: Thing], shown: [String: Thing]) {
        let hidden = things.filter { redactor.masked($0.key) != $0.key }
        return (hidden, hidden.isEmpty ? things : things.filter { hidden[$0.key] == nil })
    }

    private static func cut(_ value: JSONValue, _ level: Int) -> JSONValue {
        switch value {
        case .string(let text): .string(text.count > characters ? text.prefix(characters) + "…" : text)
        case .array(let list): .array(level < levels ? list.prefix(elements).map { cut($0, level + 1) } : [])
        case .object(let list):
            .object(level < levels ? list.prefix(members).map { (name: $0.name, value: cut($0.value, level + 1)) } : [])
        default: value
        }
    }
}
