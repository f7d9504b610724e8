/// A regular expression as a tree.
indirect enum RegexNode: Hashable, Sendable {
    case empty
    /// One scalar of a set.
    case set(ScalarSet)
    case sequence([RegexNode])
    case choice([RegexNode])
    /// So many times; without end where there is no greatest.
    case repeated(RegexNode, least: Int, most: Int?)
    case assertion(Assertion)

    /// A place in the text that takes no scalar.
    enum Assertion: Hashable, Sendable {
        /// `^`, `$`: the two ends of the text.
        case start, end
        /// `\b`, `\B`: between a word's scalar and another, or not.
        case boundary, noBoundary
    }
}
