import NIOCore
package import Traffic

/// The proxy through which every upstream is reached, and which resolves their names.
package struct UpstreamProxy: Hashable, Sendable, CustomStringConvertible {
    /// The protocol that the proxy speaks.
    package enum Kind: String, Hashable, Sendable {
        /// HTTP's CONNECT (RFC 9110 §9.3.6), for plain HTTP too: so the proxy changes nothing that passes, and one way serves all.
        case http
        /// SOCKS 5 (RFC 1928) with names, not addresses.
        case socks5
    }

    package var kind: Kind
    package var endpoint: Endpoint
    /// The login for the proxy; `nil` for none.
    package var credentials: Credentials?

    package init(_ kind: Kind, _ endpoint: Endpoint, credentials: Credentials? = nil) {
        self.kind = kind
        self.endpoint = endpoint
        self.credentials = credentials
    }

    /// Reads `http://HOST:PORT` or `socks5://HOST:PORT`; `nil` for anything else.
    init?(plain text: String) {
        guard let colon = text.firstRange(of: "://"), let kind = Kind(rawValue: String(text[..<colon.lowerBound]))
        else {
            return nil
        }
        let rest = text[colon.upperBound...]
        guard let endpoint = Endpoint(authority: rest.hasSuffix("/") ? rest.dropLast() : rest, defaultPort: nil) else {
            return nil
        }
        self.init(kind, endpoint)
    }

    /// The proxy's address as a URL, without the credentials.
    package var description: String { "\(kind.rawValue)://\(endpoint)" }

    /// A failure that the proxy caused; `what` follows its name in the message.
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
