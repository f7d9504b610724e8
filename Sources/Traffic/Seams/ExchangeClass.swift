/// Which app sent an exchange, and which lens reads it.
package struct ExchangeClass: Hashable, Sendable {
    /// The app that sent it; `nil` when it is not known.
    package var client: String?
    /// The name of the lens that reads it; `nil` when none does.
    package var lens: String?

    package init(client: String? = nil, lens: String? = nil) {
        self.client = client
        self.lens = lens
    }
}
