import NIOCore
import Traffic

/// What of a request's head is recorded.
extension ClientConnection {
    /// A head as it is recorded: byte for byte, without the password that lets its client use this proxy.
    ///
    /// That one is no part of the traffic: the proxy takes it for itself, and whoever may read captures need not be let through.
    func recorded(_ head: ByteBuffer) -> ByteBuffer {
        guard case .explicit = route, loop.configuration.credentials != nil else { return head }
        return ClientConnection.withoutLogin(head)
    }

    /// A head in which each Proxy-Authorization field says its scheme, and nothing else; a line that continues it says nothing (RFC 9112 §5.2).
    static func withoutLogin(_ head: ByteBuffer) -> ByteBuffer {
        var out = ByteBufferAllocator().buffer(capacity: head.readableBytes + 32)
        var isLogin = false
        var rest = head.readableBytesView[...]
        while !rest.isEmpty {
            let line = rest[...(rest.firstIndex(of: ASCII.lineFeed) ?? rest.endIndex - 1)]
            rest = rest[line.endIndex...]
            if isLogin, line.first.map(ASCII.isBlank) == true { continue }
            let name = line.prefix { $0 != ASCII.colon && !ASCII.isBlank($0) }
            isLogin = name.count < line.count && name.map(ASCII.lower).elementsEqual("proxy-authorization".utf8)
            guard isLogin else {
                out.writeBytes(line)
                continue
            }
            let value = line.drop { $0 != ASCII.colon }.dropFirst().drop(while: ASCII.isBlank)
            let scheme = value.prefix(while: ASCII.isToken)
            out.writeBytes(name)
            out.writeStaticString(": ")
            if value.dropFirst(scheme.count).first.map(ASCII.isBlank) == true {
                out.writeBytes(scheme)
                out.writeStaticString(" ")
            }
            out.writeStaticString("(not recorded)\r\n")
        }
        return out
    }
}
