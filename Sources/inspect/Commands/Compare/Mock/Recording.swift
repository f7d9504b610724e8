import Foundation
import Traffic

/// One recorded exchange as far as it is compared with requests; bodies stay in the store.
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
        case .completed, .failed: code != 101 && method != "CONNECT" && !method.isEmpty
        }
    }

    var authority: String { "\(Endpoint(host: host, port: port))" }

    /// The URL that was asked for, its query in the order of its names.
    var url: String {
        (scheme.map { "\($0.rawValue)://" } ?? "") + Authority.text(host, port, scheme) + shape.path
            + (shape.items.isEmpty ? "" : "?" + shape.items.joined(separator: "&"))
    }
}

/// What has to be the same for a recording to answer a request, host and body aside; the order of the query's items is not part of it.
struct RequestShape: Hashable, Sendable {
    let method: String
    /// As sent, without the query.
    let path: String
    /// The query's items, decoded, in their own order.
    let items: [String]

    init(method: String, target: String) {
        self.method = method
        path = String(target.prefix { $0 != "?" && $0 != "#" })
        items = QueryString.items(target).map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }.sorted()
    }

    private init(method: String, path: String, items: [String]) {
        (self.method, self.path, self.items) = (method, path, items)
    }

    /// The same asked for with another method.
    func asked(by method: String) -> RequestShape { RequestShape(method: method, path: path, items: items) }
}
