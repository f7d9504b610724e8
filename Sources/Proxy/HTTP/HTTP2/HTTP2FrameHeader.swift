import NIOCore

/// The first nine bytes of an HTTP/2 frame (RFC 9113 §4.1).
struct HTTP2FrameHeader {
    static let byteCount = 9

    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let resetStream: UInt8 = 3
    static let settings: UInt8 = 4
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8
    static let continuation: UInt8 = 9

    /// Bytes of the payload.
    var length: Int
    var type: UInt8
    var flags: UInt8
    /// The stream's number with the reserved bit as it came.
    var stream: UInt32

    init(length: Int, type: UInt8, flags: UInt8, stream: UInt32) {
        self.length = length
        self.type = type
        self.flags = flags
        self.stream = stream
    }

    /// `nil` when the bytes do not reach that far.
    init?(_ bytes: ByteBuffer, at position: Int) {
        guard let first = bytes.getInteger(at: position, as: UInt64.self),
            let last = bytes.getInteger(at: position + 8, as: UInt8.self)
        else { return nil }
        length = Int(first >> 40)
        type = UInt8(truncatingIfNeeded: first >> 32)
        flags = UInt8(truncatingIfNeeded: first >> 24)
        stream = UInt32(truncatingIfNeeded: first) << 8 | UInt32(last)
    }

    /// The stream's number, without the reserved bit.
    var streamID: UInt32 { stream & 0x7FFF_FFFF }

    /// Whether DATA or HEADERS end their stream.
    var endsStream: Bool { flags & 1 == 1 }

    /// Whether it is HEADERS or CONTINUATION.
    var isOfFields: Bool { type == Self.headers || type == Self.continuation }

    /// Whether HEADERS or CONTINUATION end their field section.
    var endsFields: Bool { flags & 4 == 4 }

    /// Whether it is SETTINGS, and not an acknowledgement.
    var isSettings: Bool { type == Self.settings && flags & 1 == 0 }

    /// Whether it is a well-formed acknowledgement of settings.
    var isAcknowledgement: Bool { type == Self.settings && flags & 1 == 1 && length == 0 && stream == 0 }

    func write(to bytes: inout ByteBuffer) {
        bytes.writeInteger(UInt32(truncatingIfNeeded: length) << 8 | UInt32(type))
        bytes.writeMultipleIntegers(flags, stream)
    }
}
