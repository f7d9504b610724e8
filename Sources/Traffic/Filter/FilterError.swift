/// A filter that cannot be read, as one sentence for the user.
package struct FilterError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
