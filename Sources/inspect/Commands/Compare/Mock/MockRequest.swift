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

    /// What it asks for of some content.
    var content: ContentRequest { ContentRequest(method: shape.method, fields: fields) }
}
