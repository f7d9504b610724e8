extension PlaceAnswers {
    /// Why a place shows nothing, as a sentence for the user.
    package struct Problem: Error, Sendable {
        /// The kind of reason, which decides the status of the answer.
        package enum Kind: Sendable {
            /// The question makes no sense.
            case question
            /// The question names an article that is not there.
            case missing
            /// The captures hold nothing of it: an answer like any other.
            case absence
        }

        let sentence: String
        let kind: Kind

        package init(_ sentence: String, _ kind: Kind = .question) { (self.sentence, self.kind) = (sentence, kind) }
    }
}
