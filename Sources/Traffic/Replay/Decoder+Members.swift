extension Decoder {
    /// Refuses an object with an unknown member: without it, the rest could do what nobody meant.
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
