extension Decoder {
    /// Refuses an object with a member that is not known: one that is passed over would do what nobody meant.
    ///
    /// - Throws: `DecodingError` naming the member.
    func refuseMembers(but known: some Collection<String>) throws {
        let members = try container(keyedBy: MemberName.self)
        for name in members.allKeys where !known.contains(name.stringValue) {
            throw DecodingError.dataCorruptedError(forKey: name, in: members, debugDescription: "unknown member")
        }
    }
}

/// Any name of a member.
private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
