/// Why a host is not passed through, as a sentence for the user.
package struct PassThroughError: Error, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
