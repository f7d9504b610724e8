/// A request of a demonstration with what came back, as the store must hold it.
struct DemoAnswer: Hashable, Sendable {
    /// The app that sent it.
    var client: String
    var method: String
    /// `http` or `https`; `none` for the tunnel.
    var scheme: String
    /// The path and query as written, `host:port` for the tunnel.
    var target: String
    /// The status that came; `nil` for the tunnel.
    var status: Int?
    /// Bytes of the response's body, or of what came back through the tunnel.
    var bodyBytes: Int
}
