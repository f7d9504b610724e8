package import Store
package import Traffic

/// What the page asks about rules that do not hold: a rule that is made from an exchange.
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

    /// Why there is no answer, as a sentence for the user that begins small and has no stop.
    package struct Refusal: Error, Sendable {
        let sentence: String

        package init(_ sentence: String) { self.sentence = sentence }
    }

    /// The rules file that an exchange makes, as YAML; throws `Refusal`, `StoreError`.
    let sketch: @Sendable (ExchangeID, Form, TrafficStore) throws -> String

    /// - Parameter sketch: returns the rules file that an exchange makes, on a thread that may wait; throws `Refusal`, `StoreError`.
    package init(sketch: @escaping @Sendable (ExchangeID, Form, TrafficStore) throws -> String) {
        self.sketch = sketch
    }
}
