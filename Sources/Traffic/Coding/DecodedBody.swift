/// The decoded bytes of a body, and why they are not the whole body.
package struct DecodedBody: Hashable, Sendable {
    /// The decoded bytes; as sent where the outermost coding is unknown or nothing of it could be undone.
    package var bytes: [UInt8]
    /// One sentence when the body was cut short, damaged, too long or coded in an unknown way; else `nil`.
    package var problem: String?

    package init(bytes: [UInt8], problem: String?) {
        self.bytes = bytes
        self.problem = problem
    }
}
