import Traffic

/// The parts of a recorded exchange that are compared with requests; its bodies stay in the store.
struct Recording: Sendable, Equatable {
    let id: ExchangeID
    let method: String
    let scheme: Scheme?
    let host: String
    let port: Int
    let code: Int?
    let outcome: Outcome
    let requestBytes: Int64
    let shape: RequestShape

    init(_ summary: ExchangeSummary) {
        id = summary.id
        method = summary.method
        scheme = summary.scheme
        host = summary.host
        port = summary.port
        code = summary.code
        outcome = summary.outcome
        requestBytes = summary.requestBytes
        shape = RequestShape(method: summary.method, target: summary.target)
    }

    /// Whether it holds an exchange of a request and a response, or of a request that failed; a tunnel or a WebSocket does not.
    var isAnswerable: Bool {
        switch outcome {
        case .pending, .tunnelled: false
        case .completed, .failed, .cancelled: code != 101 && method != "CONNECT" && !method.isEmpty
        }
    }

    var authority: String { "\(Endpoint(host: host, port: port))" }

    /// The recorded URL, its query items sorted.
    var url: String {
        (scheme.map { "\($0.rawValue)://" } ?? "") + Endpoint(host: host, port: port).authority(of: scheme) + shape.path
            + (shape.items.isEmpty ? "" : "?" + shape.items.joined(separator: "&"))
    }
}
