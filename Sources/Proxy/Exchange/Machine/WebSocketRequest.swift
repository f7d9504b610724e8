/// How a request asks for a WebSocket.
enum WebSocketRequest {
    /// By an Upgrade of the connection (RFC 6455 §4.1).
    case upgrade
    /// By an extended CONNECT on a stream of HTTP/2 (RFC 8441 §4).
    case extendedConnect
}
