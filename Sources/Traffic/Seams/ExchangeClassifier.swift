/// Names an exchange's client, once, when the exchange ends; the store keeps the answer as a column.
package protocol ExchangeClassifier: Sendable {
    /// The app that sent it; `nil` when it is not known. Called on the store's writing queue: microseconds, no I/O.
    func clientName(of exchange: Exchange) -> String?
}
