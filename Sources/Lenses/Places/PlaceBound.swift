/// The bounds on what is read to answer a question to a place.
package enum PlaceBound {
    /// Answers of the place's own that are read, the newest first; a board tells of more in `isWhole` of what was found.
    package static let answers = 2_000
    /// Exchanges that are read and turn out to hold nothing for the place: one line of an exchange does not tell what its body holds.
    package static let others = 10_000
}
