package import Store
package import Traffic

/// What the page asks about rules that do not hold: a rule that is made from an exchange, and what rules would have done.
///
/// Web does not know the commands, so `inspect` fills the answers in.
package struct RuleBench: Sendable {
    /// What a rule that is made from an exchange does.
    package enum Form: String, Sendable, CaseIterable {
        /// It answers as the recorded response did.
        case stub
        /// It changes the response's head.
        case edit
    }

    /// A dry run that is wanted.
    package struct Trial: Sendable {
        /// The rules to try.
        package enum Tried: Sendable {
            /// A rules file that somebody typed: nobody is to read a file that it names.
            case yaml(String)
            /// Rules of the running proxy, as they are.
            case rules([Rule])
        }

        /// Touched exchanges that are told, the first that were tried.
        package static let rowLimit = 20

        package let tried: Tried
        /// The exchanges that are looked at, the newest stretch of them first; empty for all.
        package let filter: Filter
        /// How long exchanges are looked at; those that are left then are not.
        package let time: Duration
        /// The clock of that time.
        package let clock: TimeSource
    }

    /// Why there is no answer, as a sentence for the user that begins small and has no stop.
    package struct Refusal: Error, Sendable {
        let sentence: String

        package init(_ sentence: String) { self.sentence = sentence }
    }

    /// The rules file that an exchange makes, as YAML; throws `Refusal`, `StoreError`.
    let sketch: @Sendable (ExchangeID, Form, TrafficStore) throws -> String

    /// What rules would have done, as one JSON object; throws `StoreError`, `CancellationError`.
    let attempt: @Sendable (Trial, TrafficStore) throws -> [UInt8]

    /// - Parameters:
    ///   - sketch: returns the rules file that an exchange makes, on a thread that may wait; throws `Refusal`, `StoreError`.
    ///   - attempt: returns one JSON object of what rules would have done, on a thread that may wait; throws `StoreError`, `CancellationError`.
    package init(
        sketch: @escaping @Sendable (ExchangeID, Form, TrafficStore) throws -> String,
        attempt: @escaping @Sendable (Trial, TrafficStore) throws -> [UInt8]
    ) {
        (self.sketch, self.attempt) = (sketch, attempt)
    }
}
