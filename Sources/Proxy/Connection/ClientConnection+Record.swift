import NIOCore
import Traffic

/// How a request's head is recorded.
extension ClientConnection {
    /// A head as it is recorded: byte for byte, without the password for this proxy.
    ///
    /// The password is no part of the traffic: the proxy keeps it to itself, and a reader of captures need not be able to use the proxy.
    func recorded(_ head: ByteBuffer) -> ByteBuffer {
        guard case .explicit = route, loop.configuration.credentials != nil else { return head }
        return ClientConnection.withoutLogin(head)
    }

    /// A head whose Proxy-Authorization fields keep only their scheme; the lines that continue them (RFC 9112 §5.2) are left out.
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
