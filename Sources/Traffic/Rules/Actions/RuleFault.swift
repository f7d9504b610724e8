/// Why an action could not be done on one exchange, as one sentence without its full stop: the exchange goes on as if the rule had not been.
package struct RuleFault: Error, Hashable, Sendable {
    package let sentence: String
    package init(_ sentence: String) { self.sentence = sentence }
}
