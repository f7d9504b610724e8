import Traffic

extension ExchangeMarks {
    /// Reads marks from the members of an archive's object whose names begin with a prefix; an invalid mark is left out.
    init(_ value: JSONValue, prefix: String) {
        let tags = (value["\(prefix)tags"]?.elements ?? []).compactMap(\.string).compactMap { try? Tag.name($0) }
        let note = value["\(prefix)note"]?.string.map { String($0.prefix(Self.noteLimit)) }
        self.init(
            isFavourite: value["\(prefix)favourite"]?.boolean ?? false,
            tags: Array(Set(tags).sorted().prefix(Self.tagLimit)),
            note: note?.isEmpty == false ? note : nil
        )
    }
}
