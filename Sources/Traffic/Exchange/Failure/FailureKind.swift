/// The ways in which an exchange goes wrong, with one word each, by which every count of failures goes.
///
/// An exchange that failed is one of the first two: `failed` is the sum of both wherever it is counted.
package enum FailureKind: String, CaseIterable, Sendable {
    /// It failed before a response.
    case noAnswer = "no answer"
    /// It failed within its response.
    case cutOff = "cut off"
    /// It was answered whole, with a code of 400 or more.
    case errorStatus = "error status"

    /// How an exchange went wrong; `nil` where it did not, and where it is open, was cancelled or passed through unread.
    package init?(_ outcome: Outcome, code: Int?) {
        switch outcome {
        case .failed: self = code == nil ? .noAnswer : .cutOff
        case .completed where (code ?? 0) >= 400: self = .errorStatus
        case .completed, .cancelled, .pending, .tunnelled: return nil
        }
    }

    /// Whether the exchange failed, and was not answered whole.
    package var isFailed: Bool { self != .errorStatus }
}

extension ExchangeSummary {
    /// How it went wrong; `nil` where it did not.
    package var failureKind: FailureKind? { FailureKind(outcome, code: code) }
}
