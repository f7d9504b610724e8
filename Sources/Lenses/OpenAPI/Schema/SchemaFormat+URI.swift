extension SchemaFormat {
    /// Whether a text is a URI, or a reference to one where it needs no scheme (RFC 3986 appendix A).
    static func isURI(_ bytes: [UInt8], needsScheme: Bool) -> Bool {
        guard hasCharacters(bytes) else { return false }
        var rest = bytes[...]
        if let end = rest.firstIndex(where: { ":/?#".utf8.contains($0) }), rest[end] == colon {
            // The first segment of a reference without a scheme has no colon.
            guard isScheme(rest[..<end]) else { return false }
            rest = rest[(end + 1)...]
        } else if needsScheme {
            return false
        }
        for mark in [UInt8(ascii: "#"), UInt8(ascii: "?")] {
            guard let start = rest.firstIndex(of: mark) else { continue }
            guard isPlain(rest[(start + 1)...]) else { return false }
            rest = rest[..<start]
        }
        if rest.starts(with: "//".utf8) {
            let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            guard isAuthority(authority) else { return false }
            rest = rest[authority.endIndex...]
        }
        return isPlain(rest)
    }

    /// Whether a text has only characters that a URI may have, and whole escapes.
    private static func hasCharacters(_ bytes: [UInt8]) -> Bool {
        bytes.indices.allSatisfy { index in
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                return index + 2 < bytes.count && isHexadecimal(bytes[index + 1]) && isHexadecimal(bytes[index + 2])
            }
            return byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
        }
    }

    /// Whether nothing stands in a part that only divides parts, or is round an address.
    private static func isPlain(_ text: ArraySlice<UInt8>) -> Bool { !text.contains { "#[]".utf8.contains($0) } }

    private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, isLetter(first) else { return false }
        return text.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Whether a text is a user, a host and a port (§3.2).
    private static func isAuthority(_ text: ArraySlice<UInt8>) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.last, parts.count == 1 || isPlain(parts[0]) else { return false }
        let port: ArraySlice<UInt8>
        if host.first == UInt8(ascii: "[") {
            guard let end = host.firstIndex(of: UInt8(ascii: "]")), isAddress(host[(host.startIndex + 1)..<end]) else {
                return false
            }
            port = host[(end + 1)...]
        } else {
            port = host.drop { $0 != colon }
            guard isPlain(host) else { return false }
        }
        return port.isEmpty || port.first == colon && port.dropFirst().allSatisfy(isDigit)
    }

    /// Whether a text in brackets is an address of version 6 or later.
    private static func isAddress(_ text: ArraySlice<UInt8>) -> Bool {
        if let first = text.first, first | 0x20 == UInt8(ascii: "v") {
            let version = text.dropFirst().prefix(while: isHexadecimal)
            return !version.isEmpty && text[version.endIndex...].first == UInt8(ascii: ".")
                && text.endIndex > version.endIndex + 1
        }
        return isIPv6(String(decoding: text, as: UTF8.self)[...])
    }
}
