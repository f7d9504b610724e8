/// The kinds of exchanges that a strip of time counts apart: by outcome, and by the class of the answer's code.
package enum StripKind: Int, CaseIterable, Sendable {
    /// Answered with a code below 400, or completed without one.
    case completed
    /// Answered with 4xx.
    case clientError
    /// Answered with 5xx or what is above.
    case serverError
    case failed, cancelled, pending, tunnelled

    /// The kind of a completed exchange.
    package init(code: Int?) {
        switch code ?? 0 {
        case ..<400: self = .completed
        case ..<500: self = .clientError
        default: self = .serverError
        }
    }

    /// The kind of any exchange.
    package init(_ outcome: Outcome, code: Int?) {
        switch outcome {
        case .completed: self.init(code: code)
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        case .pending: self = .pending
        case .tunnelled: self = .tunnelled
        }
    }

    /// The member of the JSON.
    package var name: String { "\(self)" }
}
