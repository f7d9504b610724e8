import Traffic

/// The one command that has the proxy allow what it refused, or log in where it was refused.
struct RefusalRemedy {
    /// A line for a shell; words in capitals are the user's to fill in.
    let command: String

    /// What helps against a failure; `nil` where no option does.
    init?(_ failure: ExchangeFailure) {
        switch (failure.side, failure.phase, failure.cause) {
        case (.client, .connect, .notAllowed): command = "inspect start --allow-local"
        case (.client, _, .notAllowed): command = "inspect start --allow-client CIDR"
        case (.client, _, .host): command = "inspect start --allow-host NAME"
        case (.upstream, .connect, .proxyAuthentication):
            command = "inspect start --upstream-proxy http://USER:PASSWORD@HOST:PORT"
        default: return nil
        }
    }
}
