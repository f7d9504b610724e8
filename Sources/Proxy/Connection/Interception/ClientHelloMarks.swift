import Crypto
import Traffic

/// The features of a ClientHello that tell programs apart: what it offers, in its order, as registered numbers.
struct ClientHelloMarks: Hashable {
    /// The version in the message's `legacy_version` field.
    var version: UInt16 = 0
    var ciphers: [UInt16] = []
    /// The types of its extensions.
    var extensions: [UInt16] = []
    /// The versions in the extension `supported_versions` (RFC 8446 §4.2.1).
    var versions: [UInt16] = []
    var signatures: [UInt16] = []

    /// Whether a number is one of those that mean nothing and only test that servers ignore unknown ones (GREASE, RFC 8701).
    static func isGrease(_ number: UInt16) -> Bool { number & 0x0F0F == 0x0A0A && number >> 8 == number & 0xFF }

    private var isGreased: Bool { (ciphers + extensions).contains(where: ClientHelloMarks.isGrease) }

    /// The fingerprint by the method of JA4: kind and counts, then digests of what is offered, sorted.
    ///
    /// - Parameters:
    ///   - hasName: whether a server name was sent.
    ///   - protocols: the application protocols offered.
    /// - Returns: 36 characters.
    func fingerprint(hasName: Bool, protocols: [String]) -> String {
        let ciphers = ciphers.filter { !ClientHelloMarks.isGrease($0) }
        let extensions = extensions.filter { !ClientHelloMarks.isGrease($0) }
        let best = versions.filter { !ClientHelloMarks.isGrease($0) }.max() ?? version
        let names: [UInt16: String] = [0x0304: "13", 0x0303: "12", 0x0302: "11", 0x0301: "10", 0x0300: "s3"]
        let start =
            "t\(names[best] ?? "00")\(hasName ? "d" : "i")\(Self.twoDigits(ciphers.count))"
            + "\(Self.twoDigits(extensions.count))\(Self.ends(of: protocols.first))"
        let others = extensions.filter { $0 != 0 && $0 != 16 }.sorted().map(Self.hex).joined(separator: ",")
        let signatures = signatures.filter { !ClientHelloMarks.isGrease($0) }.map(Self.hex).joined(separator: ",")
        let second = others.isEmpty ? "" : signatures.isEmpty ? others : "\(others)_\(signatures)"
        return "\(start)_\(Self.digest(ciphers.sorted().map(Self.hex).joined(separator: ",")))_\(Self.digest(second))"
    }

    /// The TLS library that sent it, as far as its habits tell; `nil` where none is recognised.
    ///
    /// Each does something that no other common library does: Go asks for certificate timestamps and lists its TLS 1.3 suites last, Java asks for a
    /// second kind of status, Firefox takes delegated credentials, Chromium and Apple's library send numbers that mean nothing, OpenSSL takes
    /// encrypt-then-MAC, GnuTLS limits the sizes of records, rustls lists the signalling suite after those of TLS 1.3.
    var runtime: ClientRuntime? {
        func has(_ type: UInt16) -> Bool { extensions.contains(type) }
        if isGreased { return has(27) && has(17_513) || has(17_613) || has(0xFE0D) ? .chromium : .apple }
        if has(17) { return .java }
        if has(34) { return .firefox }
        let offersSignal = ciphers.contains(0x00FF)
        if has(28) { return .gnutls }
        if has(22) { return .openssl }
        if has(18), !offersSignal, ciphers.first.map({ $0 >> 8 != 0x13 }) == true { return .go }
        if offersSignal, ciphers.first.map({ $0 >> 8 == 0x13 }) == true { return .rust }
        return nil
    }

    private static func twoDigits(_ count: Int) -> String { count < 10 ? "0\(count)" : "\(min(count, 99))" }

    /// The first and the last character of a protocol's name.
    private static func ends(of name: String?) -> String {
        guard let bytes = name.map({ Array($0.utf8) }), let first = bytes.first, let last = bytes.last else {
            return "00"
        }
        func isPlain(_ byte: UInt8) -> Bool {
            ASCII.isToken(byte) && Character(UnicodeScalar(byte)).isLetter || (0x30...0x39).contains(byte)
        }
        if isPlain(first), isPlain(last) { return ByteText.repaired([first, last]) }
        let (start, end) = (hex(UInt16(first)).dropFirst(2), hex(UInt16(last)).dropFirst(2))
        return "\(start.prefix(1))\(end.suffix(1))"
    }

    private static func hex(_ number: UInt16) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// The first twelve hexadecimal digits of a text's SHA-256; zeros for an empty text.
    private static func digest(_ text: String) -> String {
        guard !text.isEmpty else { return "000000000000" }
        return String(Hexadecimal.text(Array(SHA256.hash(data: Array(text.utf8)).prefix(6))))
    }
}
