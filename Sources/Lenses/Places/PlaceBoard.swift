import Traffic

/// What answers a question to a place.
package protocol PlaceBoard: Sendable {
    /// Writes it as one object, which is what the command's `--json` prints and what the page reads.
    func write(to json: inout JSONWriter)
}
