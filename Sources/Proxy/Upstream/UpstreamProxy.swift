import NIOCore
import Traffic

/// The proxy through which every upstream is reached; it resolves their names.
package struct UpstreamProxy: Hashable, Sendable, CustomStringConvertible {
    /// What it speaks.
    package enum Kind: String, Hashable, Sendable {
        /// CONNECT (RFC 9110 §9.3.6), also for plain HTTP: so it can change nothing of what passes, and one way serves all.
        case http
        /// SOCKS 5 (RFC 1928) with names, not addresses.
        case socks5
    }

    package var kind: Kind
    package var endpoint: Endpoint
    /// What it asks for; `nil` for nothing.
    package var credentials: Credentials?

    package init(_ kind: Kind, _ endpoint: Endpoint, credentials: Credentials? = nil) {
        self.kind = kind
        self.endpoint = endpoint
        self.credentials = credentials
    }

    /// Without the credentials.
    package var description: String { "\(kind.rawValue)://\(endpoint)" }

    /// A failure that it is to blame for.
    func failure(_ cause: Cause, _ what: String) -> ExchangeFailure {
        ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: cause,
            message: "The upstream proxy \(self) \(what).",
            retry: true
        )
    }
}
