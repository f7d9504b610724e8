/// The protocol version spoken on one side of an exchange; the raw value is the text of the listing.
package enum HTTPVersion: String, Hashable, Sendable, Codable, CaseIterable {
    case http10 = "HTTP/1.0"
    case http11 = "HTTP/1.1"
    case http2 = "HTTP/2"
    /// Only exchanges out of archives have it; the proxy does not speak it.
    case http3 = "HTTP/3"
    case webSocket = "WebSocket"
}
