import Traffic

/// The option that has the proxy allow what it refused, or log in where it was refused.
struct RefusalRemedy {
    /// The option of `inspect start` with its value; words in capitals are the user's to fill in.
    let option: String

    /// The line for a shell that starts the proxy with the option.
    var command: String { "inspect start \(option)" }

    /// The line for a shell that helps against a failure; `nil` where no option does.
    static let words: @Sendable (ExchangeFailure) -> String? = { RefusalRemedy($0)?.command }

    /// What helps against a failure; `nil` where no option does.
    init?(_ failure: ExchangeFailure) {
        switch (failure.side, failure.phase, failure.cause) {
        case (.client, .connect, .notAllowed): option = "--allow-local"
        case (.client, _, .notAllowed): option = "--allow-client CIDR"
        case (.client, _, .host): option = "--allow-host NAME"
        case (.upstream, .connect, .proxyAuthentication):
            option = "--upstream-proxy \(RefusalRemedy.login(failure.message))"
        default: return nil
        }
    }

    /// The URL of the upstream proxy that a failure's sentence names, with room for a login; without a scheme of its own where none is named.
    private static func login(_ message: String) -> String {
        for word in message.split(separator: " ") {
            for scheme in ["http://", "socks5://"] where word.hasPrefix(scheme) {
                return ShellWord("\(scheme)USER:PASSWORD@\(word.dropFirst(scheme.count))").description
            }
        }
        return "SCHEME://USER:PASSWORD@HOST:PORT"
    }
}
