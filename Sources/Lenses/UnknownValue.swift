/// A value of a selection that nothing captured has.
package struct UnknownValue: Sendable, Equatable {
    /// The kind of value, such as `campus`.
    package let name: String
    package let value: String
    /// The values that are captured, in order, each once.
    package let known: [String]

    /// Finds the first wanted value that no known value meets; `nil` where each is met, or nothing is known at all.
    ///
    /// - Parameters:
    ///   - name: the kind of value.
    ///   - wanted: the values that are asked for.
    ///   - known: the values that are captured; empty texts are no values.
    ///   - isMet: whether a known value, the first argument, meets a wanted value.
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
