import NIOCore
import Traffic

/// Whether a handshake is a WebSocket's (RFC 6455 §4); any other upgrade ends at the proxy, like all fields of one connection.
extension RequestHead {
    /// Whether the request asks for a WebSocket and for nothing else.
    var asksForWebSocket: Bool {
        version == .http11 && method == "GET" && framing == .none && HopByHop.namesWebSocket(fields)
    }

    /// How the request asks for a WebSocket; `nil` where it asks for none.
    var webSocketRequest: WebSocketRequest? {
        if extendedProtocol == "websocket" { .extendedConnect } else { asksForWebSocket ? .upgrade : nil }
    }
}

extension ResponseHead {
    /// Whether the response turns the connection into a WebSocket.
    var opensWebSocket: Bool { code == 101 && version == .http11 && HopByHop.namesWebSocket(fields) }

    /// The same head, with everything after it as its content.
    var switched: ResponseHead {
        ResponseHead(raw: raw, code: code, version: version, fields: fields, framing: .untilClose)
    }
}

extension HopByHop {
    /// Whether the fields ask to go on as a WebSocket, and as nothing else.
    fileprivate static func namesWebSocket(_ fields: HeaderList) -> Bool {
        guard fields.contains("upgrade") else { return false }
        let protocols = fields.indices.filter { fields.isNamed("upgrade", at: $0) }.flatMap(fields.members)
        guard protocols == ["websocket"] else { return false }
        return fields.indices.contains {
            fields.isNamed("connection", at: $0) && options(fields, $0).contains("upgrade")
        }
    }
}
