/// Secrets that are known by how they look, whatever stands before them.
extension SecretScanner {
    /// `://user:password@`.
    mutating func userinfo(_ colon: Int) -> Int? {
        guard at(colon + 1) == UInt8(ascii: "/"), at(colon + 2) == UInt8(ascii: "/") else { return nil }
        let start = colon + 3
        let end = end(start) { $0 <= ASCII.space || "/?#\"'<>\\".utf8.contains($0) }
        guard start < end, let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")), at > start else { return nil }
        return add(start..<at, .user, "userinfo")
    }

    /// A JSON Web Token: three parts of base64url, the first the beginning of an object (RFC 7519 §3).
    mutating func webToken(_ start: Int) -> Int? {
        guard bytes[start...].starts(with: "eyJ".utf8), !isWord(start - 1) else { return nil }
        let end = end(start) { !SecretScanner.isBase64URL($0) && $0 != UInt8(ascii: ".") }
        let token = bytes[start..<end]
        guard token.count >= 20, token.contains(UInt8(ascii: ".")) else { return nil }
        return add(start..<end, .token, "jwt")
    }

    /// `Bearer …` and `Basic …` outside of their field.
    mutating func credentials(_ start: Int) -> Int? {
        guard !isWord(start - 1) else { return nil }
        for (scheme, kind, least) in [("bearer", SecretKind.token, 8), ("basic", .password, 12)]
        where bytes[start...].prefix(scheme.utf8.count).map(ASCII.lower).elementsEqual(scheme.utf8) {
            let blank = start + scheme.utf8.count
            guard at(blank) == ASCII.space else { return nil }
            let end = end(blank + 1) { !SecretScanner.isBase64URL($0) && !"+/=.~".utf8.contains($0) }
            return end - blank > least ? add(blank + 1..<end, kind, scheme) : nil
        }
        return nil
    }

    mutating func privateKey(_ start: Int) -> Int? {
        guard bytes[start...].starts(with: "-----BEGIN ".utf8) else { return nil }
        let line = bytes[start...].prefix(64)
        guard let label = line.firstRange(of: Array("PRIVATE KEY-----".utf8)) else { return nil }
        let end = bytes[label.upperBound...].firstRange(of: Array("-----END ".utf8))?.lowerBound ?? bytes.count
        return add(label.upperBound..<end, .key, "private key")
    }

    /// Keys that begin as those of well-known services do.
    mutating func prefixed(_ start: Int) -> Int? {
        guard !isWord(start - 1) else { return nil }
        for prefix in [
            "AKIA", "ASIA", "AIza", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "sk_live_", "sk-", "xox",
        ]
        where bytes[start...].starts(with: prefix.utf8) {
            let end = end(start) { !SecretScanner.isBase64URL($0) }
            guard end - start >= 20 else { continue }
            return add(start..<end, .key, "key by its look")
        }
        return nil
    }
}

extension SecretScanner {
    /// The secrets among the subprotocols of a Sec-WebSocket-Protocol field: browsers can send a token nowhere else with a handshake.
    ///
    /// A subprotocol is a short word (RFC 6455 §11.5). One that follows the name of a secret is its value, and one with a long part in mixed letters or
    /// with many digits was made by a machine.
    static func subprotocols(_ value: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var isNamed = false
        for entry in value.split(separator: ASCII.comma) {
            guard let start = entry.firstIndex(where: { !ASCII.isBlank($0) }),
                let last = entry.lastIndex(where: { !ASCII.isBlank($0) })
            else { continue }
            let word = value[start...last]
            let isMade = word.split(separator: UInt8(ascii: ".")).contains { part in
                let isMixed =
                    part.contains { (0x41...0x5A).contains($0) } && part.contains { (0x61...0x7A).contains($0) }
                return part.count >= 16 && (isMixed || part.count { (0x30...0x39).contains($0) } >= 3)
            }
            if isNamed || isMade { found.append(start..<last + 1) }
            isNamed = !isMade && SecretKind(name: word) != nil
        }
        return found
    }
}
