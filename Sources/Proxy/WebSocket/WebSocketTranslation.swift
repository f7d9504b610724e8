import Crypto
import Foundation
import NIOCore
import NIOHPACK
import Traffic

/// Translates the opening of a WebSocket from HTTP/1.1 into an extended CONNECT, and its answer back, for an upstream of HTTP/2 (RFC 8441 §5).
enum WebSocketTranslation {
    /// The field section of the CONNECT.
    static func request(_ head: RequestHead, route: RequestRoute) -> HPACKHeaders {
        let fields = head.fields
        let drops =
            HopByHop.dropped(fields, isRequest: true)
            + fields.indices.filter { fields.isNamed("sec-websocket-key", at: $0) }
        var out: HPACKHeaders = [":method": "CONNECT", ":protocol": "websocket"]
        out.add(name: ":scheme", value: route.scheme == .https || route.scheme == .wss ? "https" : "http")
        HTTP2Fields.add(":path", route.originTarget.map { ByteText.passed($0) } ?? head.passedTarget, to: &out)
        out.add(name: ":authority", value: route.host ?? fields.first("host") ?? route.endpoint.description)
        HTTP2Fields.copy(fields, dropping: drops, isRequest: true, into: &out)
        return out
    }

    /// The head of the 101 that answers the client.
    ///
    /// - Parameters:
    ///   - head: the upstream's head, with a code of 2xx.
    ///   - key: the client's Sec-WebSocket-Key.
    /// - Returns: the head with its empty line.
    static func response(_ head: ResponseHead, key: String) -> ByteBuffer {
        let drops = HopByHop.dropped(head.fields, isRequest: false)
        var out = ByteBufferAllocator().buffer(capacity: head.raw.readableBytes + 160)
        out.writeStaticString("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n")
        out.writeString("sec-websocket-accept: \(accept(key))\r\n")
        for position in head.fields.indices where !drops.contains(position) {
            // Fields about content mean nothing here, and the answer to the key is ours.
            let names: [StaticString] = ["content-length", "sec-websocket-accept"]
            if names.contains(where: { head.fields.isNamed($0, at: position) }) { continue }
            let field = head.fields[position]
            out.writeString("\(field.name): \(field.value)\r\n")
        }
        out.writeStaticString("\r\n")
        return out
    }

    /// The answer to a client's key, which proves that the request was understood as a WebSocket's (RFC 6455 §4.2.2).
    static func accept(_ key: String) -> String {
        let digest = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Data(digest).base64EncodedString()
    }
}
