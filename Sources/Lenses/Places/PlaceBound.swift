/// How much is read to answer a question to a place.
package enum PlaceBound {
    /// Answers of a server that are read, the newest first; what is told says so where there were more.
    package static let answers = 2_000
}
