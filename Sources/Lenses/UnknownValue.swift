/// A value that something was asked for by, and that nothing captured has.
package struct UnknownValue: Sendable, Equatable {
    /// What kind of value: `campus`.
    package let name: String
    package let value: String
    /// The values that there are, in order, each once.
    package let known: [String]

    /// The first wanted value that no known one is as wanted by; `nil` where all are met, or nothing is known at all.
    ///
    /// - Parameters:
    ///   - name: what kind of value it is.
    ///   - wanted: what is asked for.
    ///   - known: what there is; empty texts are no values.
    ///   - isMet: whether a known value is as wanted.
    package init?(
        _ name: String,
        _ wanted: [String],
        among known: some Sequence<String>,
        _ isMet: (String, String) -> Bool
    ) {
        let known = Set(known).subtracting([""]).sorted()
        guard !known.isEmpty, let value = wanted.first(where: { want in !known.contains { isMet($0, want) } }) else {
            return nil
        }
        self.name = name
        self.value = value
        self.known = known
    }
}
