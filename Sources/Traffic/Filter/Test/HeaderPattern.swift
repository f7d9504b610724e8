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

    func matches(_ field: HeaderList.Field) -> Bool {
        switch name {
        case .line(let pattern): pattern.matches("\(field.name): \(field.value)")
        case .named(let pattern):
            (pattern.form == .contains
                ? field.name.lowercased() == pattern.source.lowercased() : pattern.matches(field.name))
                && value?.matches(field.value) ?? true
        }
    }
}
