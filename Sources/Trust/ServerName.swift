import Foundation
import Traffic

/// The host a client wants to reach, in the one spelling under which a certificate is minted, cached and checked.
///
/// DNS names are lower-cased, in their ASCII form (`xn--…`) and without the root's trailing dot; addresses are in the
/// form `inet_ntop` prints, without brackets and without a zone. Equal names therefore mean equal certificates.
package struct ServerName: Hashable, Sendable, CustomStringConvertible {
    /// What a certificate calls the name: RFC 5280 §4.2.1.6 `dNSName` or `iPAddress`.
    package enum Kind: Hashable, Sendable {
        case dns
        /// Four bytes (IPv4) or sixteen (IPv6), in network order.
        case address([UInt8])
    }

    /// The canonical spelling.
    package let text: String
    /// Whether the name is a DNS name or an address.
    package let kind: Kind

    package var description: String { text }

    /// Reads a name as it came from an SNI, a CONNECT target or a URL; an IPv6 address may be in brackets.
    ///
    /// Throws `TrustError.invalidName` for what no certificate should hold: wildcards, white space, control characters,
    /// empty or over-long labels, more than 253 bytes, a number as the last label that is not part of an IPv4 address.
    package init(_ name: String) throws(TrustError) {
        func refused(_ problem: String) -> TrustError { .invalidName(name, problem) }

        guard !name.isEmpty else { throw refused("it is empty") }
        if let address = try Self.ipv6Address(name) {
            (text, kind) = try Self.canonical(address, name)
            return
        }
        let ascii = try Self.lowercasedASCII(name)
        if let address = Self.address(ascii, family: AF_INET) {
            (text, kind) = try Self.canonical(address, name)
            return
        }
        var labels = ascii.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        for label in labels {
            if label.isEmpty { throw refused("it has an empty label") }
            if label.utf8.count > Self.labelLimitBytes { throw refused("a label is longer than 63 bytes") }
        }
        if let last = labels.last, last.utf8.allSatisfy(Self.isDigit) {
            throw refused("it ends in a number but is no IPv4 address")
        }
        text = labels.joined(separator: ".")
        kind = .dns
        if text.utf8.count > Self.nameLimitBytes { throw refused("it is longer than 253 bytes") }
    }

    /// RFC 1035 §2.3.4: a label is at most 63 octets.
    private static let labelLimitBytes = 63
    /// RFC 1035 §2.3.4: 255 octets on the wire are 253 as text.
    private static let nameLimitBytes = 253

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// The name in ASCII and lower case, refused when a character in it cannot be part of a host name.
    ///
    /// Underscores are let through: RFC 1123 has none, real hosts do, and no verifier minds.
    private static func lowercasedASCII(_ name: String) throws(TrustError) -> String {
        try checkCharacters(of: name, original: name)
        guard name.utf8.contains(where: { $0 >= 0x80 }) else { return ASCII.lower(name) }
        // Foundation maps internationalised names as browsers do (UTS 46).
        guard let mapped = URLComponents(string: "https://\(name)/")?.encodedHost,
            mapped.utf8.allSatisfy({ $0 < 0x80 })
        else { throw .invalidName(name, "it has no ASCII form") }
        try checkCharacters(of: mapped, original: name)
        return ASCII.lower(mapped)
    }

    private static func checkCharacters(of name: String, original: String) throws(TrustError) {
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                0x80...:
                continue
            default:
                throw .invalidName(original, "it has a character no host name may have")
            }
        }
    }

    /// The IPv6 address, in brackets (RFC 3986 §3.2.2) or bare; `nil` when the name has no colon, which no other name may have.
    ///
    /// A zone (`%eth0`, RFC 6874) names an interface of the client's machine; certificates cannot hold it.
    private static func ipv6Address(_ name: String) throws(TrustError) -> [UInt8]? {
        guard name.contains(":") else { return nil }
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        let inner = isBracketed ? name.dropFirst().dropLast() : name[...]
        guard let address = address(String(inner.prefix { $0 != "%" }), family: AF_INET6) else {
            throw .invalidName(name, "it has a colon but is no IPv6 address")
        }
        return address
    }

    /// The bytes of an address in its strict textual form; `nil` for any other text.
    private static func address(_ text: String, family: Int32) -> [UInt8]? {
        // inet_pton stops at a NUL, which would make "127.0.0.1\0.example" an address.
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: family == AF_INET ? 4 : 16)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }

    private static func canonical(_ address: [UInt8], _ original: String) throws(TrustError) -> (String, Kind) {
        var characters = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, address, &characters, socklen_t(characters.count)) != nil else {
            throw .invalidName(original, "its address cannot be printed")
        }
        let text = characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return (String(decoding: text, as: UTF8.self), .address(address))
    }
}
