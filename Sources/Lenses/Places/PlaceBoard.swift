package import Traffic

/// The answer to a question to a place.
package protocol PlaceBoard: Sendable {
    /// Writes the answer as one object: the command prints it as JSON, and the page reads it.
    func write(to json: inout JSONWriter)
}
