import NIOCore
import Traffic

/// The listener's half of a SOCKS 5 handshake (RFC 1928, RFC 1929): bytes in, steps out.
///
/// It is our own, since NIOSOCKS takes one message out of a read, leaves the next to the next read, and does not do the password's message.
struct SOCKS5Negotiation {
    /// What to do next.
    enum Step: Equatable {
        /// Wait for more bytes.
        case wait
        /// Send these and ask again.
        case send([UInt8])
        /// The client wants a connection to this endpoint; the bytes behind the request are its first ones.
        case connect(Endpoint)
        /// Send these, if any, and close: the client broke the rules or may not come in.
        case refuse([UInt8], cause: Cause, message: String)
    }

    /// The reply field of RFC 1928 §6.
    enum Reply: UInt8 {
        case succeeded = 0
        case failure = 1
        case notAllowed = 2
        case unreachable = 4
        case refused = 5
        case expired = 6
        case unknownCommand = 7
        case unknownAddress = 8
    }

    private enum State { case greeting, login, request, over }

    private let credentials: Credentials?
    private var state = State.greeting
    private var buffer = ByteBuffer()

    /// - Parameter credentials: the login that the client needs; `nil` for none.
    init(credentials: Credentials?) { self.credentials = credentials }

    /// Whether any byte has come.
    private(set) var hasBegun = false

    /// The bytes that were not understood, for the record; empty while they may hold a password.
    var unread: ByteBuffer { state == .login ? ByteBuffer() : buffer }

    /// Adds bytes that came.
    mutating func take(_ bytes: ByteBuffer) {
        hasBegun = hasBegun || bytes.readableBytes > 0
        buffer.writeImmutableBuffer(bytes)
    }

    /// The bytes behind the request.
    mutating func takeRest() -> ByteBuffer {
        defer { buffer = ByteBuffer() }
        return buffer
    }

    /// Reads the next message; a message is at most 513 bytes, so no more than that ever waits.
    mutating func next() -> Step {
        switch state {
        case .greeting: greeting()
        case .login: login()
        case .request: request()
        case .over: .wait
        }
    }

    /// A reply to the request; the bound address is left unspecified, since no client needs it after a CONNECT.
    static func reply(_ reply: Reply) -> [UInt8] { [5, reply.rawValue, 0, 1, 0, 0, 0, 0, 0, 0] }

    private mutating func greeting() -> Step {
        guard let version = byte(0) else { return .wait }
        guard version == 5 else {
            return refuse([5, 0xFF], .socksVersion, "The client did not begin with a SOCKS 5 greeting.")
        }
        guard let count = byte(1), let methods = bytes(at: 2, count: Int(count)) else { return .wait }
        let wanted: UInt8 = credentials == nil ? 0 : 2
        guard methods.contains(wanted) else {
            return refuse(
                [5, 0xFF],
                credentials == nil ? .socksMethod : .proxyAuthentication,
                credentials == nil
                    ? "The client offers no SOCKS login method that this listener takes: it asks for none."
                    : "The client does not offer to log in with a user and a password, which this listener asks for."
            )
        }
        skip(2 + Int(count))
        state = wanted == 2 ? .login : .request
        return .send([5, wanted])
    }

    private mutating func login() -> Step {
        guard let version = byte(0) else { return .wait }
        guard version == 1 else {
            return refuse([1, 1], .socksLogin, "The client's SOCKS login is not of version 1.")
        }
        guard let userCount = byte(1).map(Int.init), let user = bytes(at: 2, count: userCount),
            let passwordCount = byte(2 + userCount).map(Int.init),
            let password = bytes(at: 3 + userCount, count: passwordCount)
        else { return .wait }
        guard credentials?.match(user: user, password: password) == true else {
            return refuse([1, 1], .proxyAuthentication, "The client's SOCKS user or password is wrong.")
        }
        skip(3 + userCount + passwordCount)
        state = .request
        return .send([1, 0])
    }

    private mutating func request() -> Step {
        guard let version = byte(0) else { return .wait }
        guard version == 5 else {
            return refuse(Self.reply(.failure), .socksVersion, "The client's request is not of SOCKS 5.")
        }
        guard let command = byte(1) else { return .wait }
        guard command == 1 else {
            return refuse(
                Self.reply(.unknownCommand),
                .socksCommand,
                "The client asked SOCKS for something else than a connection; there is no BIND and no UDP here."
            )
        }
        guard let kind = byte(3) else { return .wait }
        let (start, count): (Int, Int)
        switch kind {
        case 1: (start, count) = (4, 4)
        case 3:
            guard let length = byte(4) else { return .wait }
            (start, count) = (5, Int(length))
        case 4: (start, count) = (4, 16)
        default:
            return refuse(
                Self.reply(.unknownAddress),
                .socksAddress,
                "The client gave SOCKS an address of an unknown type."
            )
        }
        guard let address = bytes(at: start, count: count), let high = byte(start + count),
            let low = byte(start + count + 1)
        else { return .wait }
        let port = Int(high) << 8 | Int(low)
        guard port > 0, let endpoint = Self.endpoint(kind: kind, address, port: port) else {
            return refuse(Self.reply(.failure), .socksAddress, "The client's SOCKS request names no host and port.")
        }
        skip(start + count + 2)
        state = .over
        return .connect(endpoint)
    }

    private static func endpoint(kind: UInt8, _ address: [UInt8], port: Int) -> Endpoint? {
        if kind == 3 {
            guard !address.isEmpty, address.allSatisfy({ $0 < 0x80 }) else { return nil }
            let name = ByteText.repaired(address)
            let authority = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
            guard let read = Endpoint(authority: "\(authority):\(port)", defaultPort: nil) else { return nil }
            return read
        }
        guard let packed = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: address), port: port),
            let host = packed.ipAddress
        else { return nil }
        return Endpoint(host: ASCII.lower(host), port: port)
    }

    private mutating func refuse(_ answer: [UInt8], _ cause: Cause, _ message: String) -> Step {
        let step = Step.refuse(answer, cause: cause, message: message)
        if state != .login { state = .over }
        return step
    }

    private func byte(_ offset: Int) -> UInt8? { buffer.getInteger(at: buffer.readerIndex + offset) }

    private func bytes(at offset: Int, count: Int) -> [UInt8]? {
        buffer.getBytes(at: buffer.readerIndex + offset, length: count)
    }

    private mutating func skip(_ count: Int) { buffer.moveReaderIndex(forwardBy: count) }
}
