extension Facet {
    /// The word that people read, and may write, for the code facet's value `failed`: that value counts only failures without an answer.
    static let noAnswer = "no-answer"

    /// The word for a value where people read it; a query takes it too.
    package func label(_ value: String) -> String {
        self == .code && value == Outcome.failed.rawValue ? Facet.noAnswer : value
    }
}
