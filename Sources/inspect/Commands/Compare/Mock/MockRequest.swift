import NIOCore
import Proxy
import Traffic

/// A request to the mock, for which a recording is looked up.
struct MockRequest: Sendable {
    let shape: RequestShape
    let scheme: Scheme
    let host: String
    let port: Int
    /// Whether it was sent to the mock as to its server.
    let isAddressedHere: Bool
    let target: String
    let fields: HeaderList
    let body: [UInt8]
    let asksForWebSocket: Bool
    /// Whether the client runs on this machine; other machines learn nothing of what was recorded.
    let isFromThisMachine: Bool

    init(_ asked: AskedRequest) {
        shape = RequestShape(method: asked.method, target: asked.target)
        scheme = asked.scheme
        host = asked.endpoint.host
        port = asked.endpoint.port
        isAddressedHere = asked.isAddressedHere
        target = asked.target
        fields = asked.fields
        body = Array(asked.body.readableBytesView)
        asksForWebSocket = asked.asksForWebSocket
        isFromThisMachine = asked.isFromThisMachine
    }

    var authority: String { "\(Endpoint(host: host, port: port))" }

    /// The requested URL.
    var url: String { "\(scheme.rawValue)://\(Endpoint(host: host, port: port).authority(of: scheme))\(target)" }

    /// Whether the host is this machine: then it is the mock's own address, and says nothing of what was recorded.
    var isHostLocal: Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.") || host.hasSuffix(".localhost")
    }

    /// Whether the client can undo a content coding, named in lower case.
    ///
    /// A client without Accept-Encoding accepts none, where the recorded client had sent that field (`wasSaid`).
    func accepts(_ coding: String, wasSaid: Bool) -> Bool {
        let given: [Substring] = fields.values("accept-encoding").flatMap { $0.lowercased().split(separator: ",") }
        guard !given.isEmpty else { return !wasSaid }
        var isAny = false
        for item in given {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let isRefused = parts.dropFirst().contains {
                $0.hasPrefix("q=0") && !$0.contains(where: { ("1"..."9").contains($0) })
            }
            if parts.first == coding || (parts.first == "x-gzip" && coding == "gzip") { return !isRefused }
            if parts.first == "*" { isAny = !isRefused }
        }
        return isAny
    }
}
