/// A field, by its name and perhaps its value.
package struct HeaderPattern: Hashable, Sendable {
    /// What its name is like, or its whole line where there is no `value`.
    package enum Name: Hashable, Sendable {
        /// This name ignoring case; `*` stands for anything.
        case named(TextPattern)
        /// A line `name: value` that is like this.
        case line(TextPattern)
    }

    package let name: Name
    /// What its value is like; `nil` for any.
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
