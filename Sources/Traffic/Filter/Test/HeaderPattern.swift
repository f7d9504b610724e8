/// A pattern for field lines: the name, and perhaps the value.
package struct HeaderPattern: Hashable, Sendable {
    /// The pattern of the name, or of the whole line where there is no `value`.
    package enum Name: Hashable, Sendable {
        /// This name ignoring case; `*` stands for anything.
        case named(TextPattern)
        /// A whole line `name: value` that matches.
        case line(TextPattern)
    }

    package let name: Name
    /// The pattern of the value; `nil` for any value.
    package let value: TextPattern?
}
