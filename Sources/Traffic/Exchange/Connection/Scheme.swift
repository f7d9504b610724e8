/// The scheme of the URL a client asked for, as far as it is known (RFC 9110 §4.2, RFC 6455 §3).
package enum Scheme: String, Hashable, Sendable, Codable, CaseIterable {
    case http, https, ws, wss

    /// The port that a URL of this scheme leaves out.
    package var defaultPort: Int {
        switch self {
        case .http, .ws: 80
        case .https, .wss: 443
        }
    }

    /// The scheme of a WebSocket on a connection of this scheme.
    package var webSocket: Scheme {
        switch self {
        case .http, .ws: .ws
        case .https, .wss: .wss
        }
    }
}
