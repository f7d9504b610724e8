/// An error of a lower target for which the command line knows options or commands that help.
protocol AdvisedError: Error, CustomStringConvertible {
    /// What follows on the error's own sentence, its punctuation first; empty where the sentence says all.
    var advice: String { get }
}

extension Error {
    /// The error as the command line says it: its own sentence, and the advice where there is some.
    var told: String {
        guard let error = self as? any AdvisedError else { return "\(self)" }
        return error.description + error.advice
    }
}
