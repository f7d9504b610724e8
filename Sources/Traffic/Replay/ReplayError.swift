/// Why a replay could not be sent, as a sentence for the user.
package struct ReplayError: Error, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
