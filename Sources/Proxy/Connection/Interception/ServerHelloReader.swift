import NIOCore

/// Reads the cipher suite out of a ServerHello, which is always in the clear (RFC 8446 §4.1.3): the TLS library does not tell it.
struct ServerHelloReader {
    /// Bytes to the end of the cipher suite, which follows a session number of at most 32 bytes.
    private static let neededBytes = 5 + 4 + 2 + 32 + 1 + 32 + 2

    /// The registered name of the suite; `nil` until it was read.
    private(set) var cipher: String?
    /// Whether nothing more is to be read.
    private(set) var isDone = false
    private var start = ByteBuffer()

    /// Takes the next bytes that a server sends.
    mutating func take(_ bytes: ByteBuffer) {
        guard !isDone else { return }
        var bytes = bytes
        let missing = min(ServerHelloReader.neededBytes - start.readableBytes, bytes.readableBytes)
        if var piece = bytes.readSlice(length: missing) { start.writeBuffer(&piece) }
        var hello = start
        // A record of the handshake, and in it the message.
        guard let type = hello.readInteger(as: UInt8.self), hello.readSlice(length: 4) != nil,
            let message = hello.readInteger(as: UInt8.self), hello.readSlice(length: 3 + 2 + 32) != nil,
            let session = hello.readInteger(as: UInt8.self), hello.readSlice(length: Int(session)) != nil,
            let number = hello.readInteger(as: UInt16.self)
        else {
            isDone = start.readableBytes >= ServerHelloReader.neededBytes || start.readableBytes > 0 && !isHandshake
            return
        }
        isDone = true
        if type == 0x16, message == 2 { cipher = ServerHelloReader.name(number) }
    }

    private var isHandshake: Bool { start.getInteger(at: start.readerIndex, as: UInt8.self) == 0x16 }

    /// The registered name of a suite; its number in hexadecimal where it is none of the TLS library's.
    static func name(_ number: UInt16) -> String {
        names[number] ?? "0x" + String(number, radix: 16, uppercase: true)
    }

    /// The names of the suites that the TLS library has.
    private static let names: [UInt16: String] = [
        0x000A: "TLS_RSA_WITH_3DES_EDE_CBC_SHA", 0x002F: "TLS_RSA_WITH_AES_128_CBC_SHA",
        0x0035: "TLS_RSA_WITH_AES_256_CBC_SHA", 0x009C: "TLS_RSA_WITH_AES_128_GCM_SHA256",
        0x009D: "TLS_RSA_WITH_AES_256_GCM_SHA384", 0x1301: "TLS_AES_128_GCM_SHA256",
        0x1302: "TLS_AES_256_GCM_SHA384", 0x1303: "TLS_CHACHA20_POLY1305_SHA256",
        0xC009: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", 0xC00A: "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
        0xC013: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", 0xC014: "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
        0xC027: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256", 0xC02B: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        0xC02C: "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", 0xC02F: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        0xC030: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", 0xCCA8: "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        0xCCA9: "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    ]
}
