/// A regular expression as a tree.
indirect enum RegexNode: Hashable, Sendable {
    case empty
    /// One scalar of a set.
    case set(ScalarSet)
    case sequence([RegexNode])
    case choice([RegexNode])
    /// A node repeated so many times; without a greatest number, any number from the least on; as often as possible, or as seldom.
    case repeated(RegexNode, least: Int, most: Int?, isLazy: Bool = false)
    /// A node whose text is remembered under a number from 1.
    case group(RegexNode, Int)
    case assertion(Assertion)

    /// An assertion about a place in the text; it takes no scalar.
    enum Assertion: Hashable, Sendable {
        /// `^`, `$`: the two ends of the text.
        case start, end
        /// `\b`, `\B`: between a word's scalar and another, or not.
        case boundary, noBoundary
    }
}
