/// What the record says of an exchange whose end nobody saw.
extension Cause {
    /// The process ended before the exchange did.
    package static let crash = Cause(rawValue: "crash")
    /// The store could not be written when the exchange ended.
    package static let unrecorded = Cause(rawValue: "unrecorded")
    /// An archive of another program has no response to the request, and does not say why.
    package static let unanswered = Cause(rawValue: "unanswered")
    /// A recording had no response to give again, and no failure that said why; stores of earlier versions hold the word.
    package static let recorded = Cause(rawValue: "recorded")
    /// Failures of many causes, counted as one where there are too many to count apart; no exchange has it.
    package static let other = Cause(rawValue: "other")
}
