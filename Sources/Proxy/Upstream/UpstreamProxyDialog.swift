import CNIOLinux
import NIOCore
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The dialog with an upstream proxy until it has connected us: bytes in, steps out, no channels.
struct UpstreamProxyDialog {
    /// What to do next.
    enum Step: Equatable {
        case wait
        case send(ByteBuffer)
        /// The connection is made; the rest of the bytes comes from the upstream.
        case done
    }

    private enum State { case connecting, choosing, login, requesting, over }

    private let proxy: UpstreamProxy
    private let target: Endpoint
    private let limits: HeadLimits
    private let interimLimitCount: Int
    private var interimCount = 0
    private var state: State

    /// - Parameters:
    ///   - proxy: the proxy to talk to.
    ///   - target: the endpoint to be connected to.
    ///   - limits: the limits of the head that answers a CONNECT.
    ///   - interimLimitCount: how many interim responses may come before it.
    init(_ proxy: UpstreamProxy, target: Endpoint, limits: HeadLimits, interimLimitCount: Int) {
        self.proxy = proxy
        self.target = target
        self.limits = limits
        self.interimLimitCount = interimLimitCount
        state = proxy.kind == .http ? .connecting : .choosing
    }

    /// The first bytes to send.
    var opening: ByteBuffer {
        var out = ByteBuffer()
        switch proxy.kind {
        case .http:
            out.writeString("CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n")
            if let credentials = proxy.credentials {
                out.writeString("Proxy-Authorization: \(credentials.basic)\r\n")
            }
            out.writeStaticString("\r\n")
        case .socks5: out.writeBytes(proxy.credentials == nil ? [5, 1, 0] : [5, 2, 0, 2])
        }
        return out
    }

    /// Reads the next answer and removes it from the bytes.
    ///
    /// - Throws: why there is no connection: the proxy refuses, or answers with something else.
    mutating func next(_ bytes: inout ByteBuffer) throws(ExchangeFailure) -> Step {
        switch state {
        case .connecting: try readResponse(&bytes)
        case .choosing: try readMethod(&bytes)
        case .login: try readLogin(&bytes)
        case .requesting: try readReply(&bytes)
        case .over: .wait
        }
    }

    // MARK: CONNECT

    private mutating func readResponse(_ bytes: inout ByteBuffer) throws(ExchangeFailure) -> Step {
        while let head = try readHead(&bytes) {
            switch head.code {
            case _ where head.isInterim:
                interimCount += 1
                guard interimCount <= interimLimitCount else {
                    throw proxy.failure(.interimFlood, "sent more than \(interimLimitCount) interim responses")
                }
            case 200..<300:
                state = .over
                return .done
            case 407: throw unauthorized
            case 504: throw proxy.failure(.timeout, "could not reach \(target) in time (it answered 504)")
            default: throw proxy.failure(.proxyRefused, "answered \(head.code) when asked to connect to \(target)")
            }
        }
        return .wait
    }

    /// Reads the next head and removes it from the bytes; `nil` while it is not whole.
    private func readHead(_ bytes: inout ByteBuffer) throws(ExchangeFailure) -> ResponseHead? {
        let end: Int? = bytes.withUnsafeReadableBytes { HTTP1HeadParser.endOfHead($0, from: 0) }
        guard let end, let raw = bytes.getSlice(at: bytes.readerIndex, length: end) else {
            guard bytes.readableBytes < limits.headBytes else { throw nonsense }
            return nil
        }
        let head: ResponseHead
        do throws(MessageProblem) {
            head = try HTTP1HeadParser.response(raw, to: "CONNECT", limits: limits)
        } catch {
            throw nonsense
        }
        bytes.moveReaderIndex(forwardBy: end)
        return head
    }

    // MARK: SOCKS

    private mutating func readMethod(_ bytes: inout ByteBuffer) throws(ExchangeFailure) -> Step {
        guard bytes.readableBytes >= 2 else { return .wait }
        guard bytes.readInteger(as: UInt8.self) == 5 else { throw nonsense }
        switch (bytes.readInteger(as: UInt8.self), proxy.credentials) {
        case (0, _): return request()
        case (2, .some(let credentials)):
            state = .login
            var out = ByteBuffer(bytes: [1, UInt8(clamping: credentials.user.utf8.count)])
            out.writeString(credentials.user)
            out.writeInteger(UInt8(clamping: credentials.password.utf8.count))
            out.writeString(credentials.password)
            return .send(out)
        default: throw unauthorized
        }
    }

    private mutating func readLogin(_ bytes: inout ByteBuffer) throws(ExchangeFailure) -> Step {
        guard bytes.readableBytes >= 2 else { return .wait }
        bytes.moveReaderIndex(forwardBy: 1)
        guard bytes.readInteger(as: UInt8.self) == 0 else { throw unauthorized }
        return request()
    }

    private mutating func request() -> Step {
        state = .requesting
        var out = ByteBuffer(bytes: [5, 1, 0])
        switch try? SocketAddress(ipAddress: target.host, port: target.port) {
        case .v4(let address):
            out.writeInteger(UInt8(1))
            withUnsafeBytes(of: address.address.sin_addr) { _ = out.writeBytes($0) }
        case .v6(let address):
            out.writeInteger(UInt8(4))
            withUnsafeBytes(of: address.address.sin6_addr) { _ = out.writeBytes($0) }
        default:
            out.writeInteger(UInt8(3))
            let name = target.host.utf8.prefix(255)
            out.writeInteger(UInt8(clamping: name.count))
            out.writeBytes(name)
        }
        out.writeInteger(UInt16(clamping: target.port))
        return .send(out)
    }

    private mutating func readReply(_ bytes: inout ByteBuffer) throws(ExchangeFailure) -> Step {
        let start = bytes.readerIndex
        guard let version = bytes.getInteger(at: start, as: UInt8.self),
            let reply = bytes.getInteger(at: start + 1, as: UInt8.self)
        else { return .wait }
        guard version == 5 else { throw nonsense }
        guard reply == 0 else { throw refusal(reply) }
        guard let kind = bytes.getInteger(at: start + 3, as: UInt8.self),
            let first = bytes.getInteger(at: start + 4, as: UInt8.self)
        else { return .wait }
        let length: Int
        switch kind {
        case 1: length = 4
        case 3: length = 1 + Int(first)
        case 4: length = 16
        default: throw nonsense
        }
        guard bytes.readableBytes >= 6 + length else { return .wait }
        bytes.moveReaderIndex(forwardBy: 6 + length)
        state = .over
        return .done
    }

    // MARK: What goes wrong

    private var nonsense: ExchangeFailure {
        proxy.failure(.wrongProtocol, "answered with something that is not \(proxy.kind == .http ? "HTTP" : "SOCKS 5")")
    }

    private var unauthorized: ExchangeFailure {
        proxy.failure(
            .proxyAuthentication,
            proxy.credentials == nil
                ? "asks for a user and a password, and was given none"
                : "refused the user and password that it was given"
        )
    }

    /// The failure for a reply of RFC 1928 §6.
    private func refusal(_ reply: UInt8) -> ExchangeFailure {
        switch reply {
        case 2: proxy.failure(.proxyRefused, "does not allow a connection to \(target)")
        case 3, 4: proxy.failure(.unreachable, "cannot reach \(target)")
        case 5: proxy.failure(.refused, "says that \(target) refused the connection")
        case 6: proxy.failure(.timeout, "could not reach \(target) in time")
        default: proxy.failure(.proxyRefused, "could not connect to \(target) (SOCKS reply \(reply))")
        }
    }
}
