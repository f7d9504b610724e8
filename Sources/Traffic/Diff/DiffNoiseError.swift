/// Why something cannot be ignored, as a sentence for the user.
package struct DiffNoiseError: Error, Sendable, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
