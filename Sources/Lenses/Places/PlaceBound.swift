/// The bounds on what is read to answer a question to a place; what was found says in `isWhole` whether one was reached.
package enum PlaceBound {
    /// Answers of the place's own that are read, the newest first.
    package static let answers = 2_000
    /// Exchanges that are read and turn out to hold nothing for the place: one line of an exchange does not tell what its body holds.
    package static let others = 10_000
}
