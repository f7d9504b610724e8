/// A remark on something in What's Open data that is missing, wrong or odd; reading went on past it.
package struct DataWarning: Sendable, Equatable {
    /// The kind of what is wrong, by which a rule finds it.
    package enum Kind: String, Sendable, CaseIterable {
        /// A member that clients need is missing, or of another kind.
        case missing
        /// A weekday that is none of 0 (Monday) to 6 (Sunday).
        case day
        /// A time of day that is not HH:MM:SS.
        case time
        /// A special schedule without a usable window.
        case window
        /// A date with fractions of a second.
        case fraction
        /// A date that does not say its distance from UTC.
        case offset
        /// A schedule without opening times.
        case empty
        /// An entry that is open for more than a day.
        case long
        /// An entry whose day is one and whose end is before its start (flag J).
        case wrap
        /// An entry that starts and ends at the same time of the same day: closed all day (flag D).
        case closed
        /// A value that the API does not know.
        case unknown
        /// A classifier written as a list of its characters.
        case characters
        /// Coordinates the wrong way round, or far from Virginia.
        case place
        /// A special schedule or an alert whose time is past.
        case expired
        /// A slug that another facility of the list also has.
        case duplicate
        /// More than we read: no rule is broken, and nothing that depends on the rest is judged.
        case unread
    }

    package let kind: Kind
    /// The value's place in the body (RFC 6901).
    package let pointer: String
    /// The remark as one clause that names the value.
    package let text: String

    /// The warnings on one line: the first of each kind, and how many more of that kind there are.
    package static func summary(_ warnings: [DataWarning]) -> String {
        var kinds: [Kind] = []
        for warning in warnings where !kinds.contains(warning.kind) { kinds.append(warning.kind) }
        return kinds.map { kind in
            let alike = warnings.filter { $0.kind == kind }
            return (alike.first?.text ?? "") + (alike.count > 1 ? " (and \(alike.count - 1) more)" : "")
        }.joined(separator: "; ")
    }
}
