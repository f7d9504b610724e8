import NIOCore
import Traffic

/// Reads a ClientHello out of TLS records, however it is split into records and reads; the caller keeps the bytes, and hands them on.
struct ClientHelloReader {
    /// The outcome of the last bytes.
    enum Reading: Equatable {
        /// More bytes are needed.
        case incomplete
        /// No TLS library accepts this; ours is to say why.
        case malformed
        /// The whole message is there.
        case whole(ClientHello)
    }

    /// Bytes of the longest message that is read: BoringSSL refuses one past 16 KiB.
    private static let limitBytes = 32 << 10

    /// Bytes of a record that is not complete.
    private var pending = ByteBuffer()
    /// The handshake message as far as its records have come.
    private var message = ByteBuffer()

    /// Takes the next bytes of the connection.
    mutating func take(_ bytes: ByteBuffer) -> Reading {
        pending.writeImmutableBuffer(bytes)
        // Once a read: after each record, the rest would be copied as often as there are records.
        defer { pending.discardReadBytes() }
        while let record = nextRecord() {
            guard record.type == 0x16, record.content.readableBytes > 0 else { return .malformed }
            message.writeImmutableBuffer(record.content)
            guard message.readableBytes <= Self.limitBytes else { return .malformed }
        }
        return read()
    }

    /// The next whole record (RFC 8446 §5.1).
    private mutating func nextRecord() -> (type: UInt8, content: ByteBuffer)? {
        var ahead = pending
        guard let type = ahead.readInteger(as: UInt8.self), ahead.readInteger(as: UInt16.self) != nil,
            let length = ahead.readInteger(as: UInt16.self), let content = ahead.readSlice(length: Int(length))
        else { return nil }
        pending = ahead
        return (type, content)
    }

    private func read() -> Reading {
        var message = message
        guard let type = message.readInteger(as: UInt8.self) else { return .incomplete }
        guard type == 1 else { return .malformed }
        guard let high = message.readInteger(as: UInt8.self), let low = message.readInteger(as: UInt16.self) else {
            return .incomplete
        }
        let length = Int(high) << 16 | Int(low)
        guard length <= Self.limitBytes else { return .malformed }
        guard var body = message.readSlice(length: length) else { return .incomplete }
        guard let version = body.readInteger(as: UInt16.self), body.readSlice(length: 32) != nil,
            body.skip(prefix: UInt8.self), let ciphers = body.readSlice(prefix: UInt16.self),
            body.skip(prefix: UInt8.self)
        else { return .malformed }
        var hello = ClientHello()
        hello.marks.version = version
        hello.marks.ciphers = Self.numbers(ciphers)
        guard body.readableBytes > 0 else { return .whole(hello) }
        guard var extensions = body.readSlice(prefix: UInt16.self) else { return .malformed }
        while extensions.readableBytes > 0 {
            guard let type = extensions.readInteger(as: UInt16.self),
                let content = extensions.readSlice(prefix: UInt16.self)
            else { return .malformed }
            hello.marks.extensions.append(type)
            switch type {
            case 13: hello.marks.signatures = Self.numbers(content.dropping(UInt16.self))
            case 43: hello.marks.versions = Self.numbers(content.dropping(UInt8.self))
            case 0: hello.serverName = Self.serverName(content)
            case 16: hello.applicationProtocols = Self.protocols(content)
            default: break
            }
        }
        return .whole(hello)
    }

    /// A list of two-byte numbers; a single byte at the end is left out.
    private static func numbers(_ content: ByteBuffer) -> [UInt16] {
        var content = content
        var numbers: [UInt16] = []
        while let number = content.readInteger(as: UInt16.self) { numbers.append(number) }
        return numbers
    }

    private static func serverName(_ content: ByteBuffer) -> String? {
        var content = content
        guard var list = content.readSlice(prefix: UInt16.self) else { return nil }
        while let type = list.readInteger(as: UInt8.self), let name = list.readSlice(prefix: UInt16.self) {
            if type == 0, name.readableBytes > 0 {
                return ByteText.utf8(name.readableBytesView).map { ASCII.lower($0) }
            }
        }
        return nil
    }

    private static func protocols(_ content: ByteBuffer) -> [String] {
        var content = content
        guard var list = content.readSlice(prefix: UInt16.self) else { return [] }
        var names: [String] = []
        while let name = list.readSlice(prefix: UInt8.self) { names.append(ByteText.lossless(name)) }
        return names
    }
}

extension ByteBuffer {
    /// Reads a count, and that many bytes.
    fileprivate mutating func readSlice<Length: FixedWidthInteger & UnsignedInteger>(prefix: Length.Type) -> ByteBuffer?
    {
        var ahead = self
        guard let length = ahead.readInteger(as: Length.self), let slice = ahead.readSlice(length: Int(length)) else {
            return nil
        }
        self = ahead
        return slice
    }

    /// The bytes behind a count, whose value is ignored.
    fileprivate func dropping<Length: FixedWidthInteger>(_ length: Length.Type) -> ByteBuffer {
        var rest = self
        return rest.readInteger(as: Length.self) == nil ? ByteBuffer() : rest
    }

    /// Steps over bytes whose count stands before them; false when they are not all there.
    fileprivate mutating func skip<Length: FixedWidthInteger & UnsignedInteger>(prefix: Length.Type) -> Bool {
        readSlice(prefix: prefix) != nil
    }
}
