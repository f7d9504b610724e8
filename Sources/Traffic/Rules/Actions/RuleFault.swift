/// Why an action could not be done on one exchange, as a sentence without its full stop; the exchange goes on as if there were no such rule.
package struct RuleFault: Error, Hashable, Sendable {
    package let sentence: String
    package init(_ sentence: String) { self.sentence = sentence }
}
