import NIOConcurrencyHelpers
package import Traffic

/// The rules that change traffic.
extension ProxyServer {
    /// The rules in force, with their counters; `nil` for none.
    package var rules: RuleList? { shared.ruling.withLockedValue { $0 } }

    /// Puts other rules in force, from the next request of every connection on; a request that was judged already keeps its rules.
    ///
    /// - Parameter list: the rules; `nil`, or an empty list, for none.
    package func setRules(_ list: RuleList?) {
        shared.ruling.withLockedValue { $0 = list.flatMap { $0.rules.isEmpty ? nil : $0 } }
    }
}
