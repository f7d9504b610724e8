/// Finds secrets by how they look, whatever stands before them.
extension SecretScanner {
    /// `://user:password@`.
    mutating func userinfo(_ colon: Int) -> Int? {
        guard at(colon + 1) == UInt8(ascii: "/"), at(colon + 2) == UInt8(ascii: "/") else { return nil }
        let start = colon + 3
        let end = end(start) { $0 <= ASCII.space || "/?#\"'<>\\".utf8.contains($0) }
        guard start < end,
            let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) ?? lateAt(start, end), at > start
        else { return nil }
        return add(start..<at, .user, "userinfo")
    }

    /// The most bytes of a password with marks that should be escaped in a URL.
    private static let userinfoBytes = 256

    /// The at sign behind a password with one of the marks that end a URL's host; `nil` where a host and its port, or a stand-in, precede that mark.
    private func lateAt(_ start: Int, _ end: Int) -> Int? {
        guard let colon = bytes[start..<end].firstIndex(of: ASCII.colon), let mark = at(end),
            "/?#".utf8.contains(mark) || "'<>".utf8.contains(mark) && isWord(end + 1)
        else { return nil }
        let beginning = bytes[(colon + 1)..<end]
        guard !beginning.isEmpty, !beginning.allSatisfy({ (0x30...0x39).contains($0) }),
            !"$%{<[".utf8.contains(beginning[colon + 1]), bytes[start] != UInt8(ascii: "[")
        else { return nil }
        let near = bytes[end...].prefix(SecretScanner.userinfoBytes)
        let rest = near.prefix { $0 > ASCII.space && !"\"\\".utf8.contains($0) }
        // Another URL has a user of its own.
        guard let place = rest.lastIndex(of: UInt8(ascii: "@")), isWord(place + 1),
            rest[..<place].firstRange(of: Array("://".utf8)) == nil
        else { return nil }
        return place
    }

    /// A JSON Web Token: three parts of base64url, the first the beginning of an object (RFC 7519 §3).
    mutating func webToken(_ start: Int) -> Int? {
        guard bytes[start...].starts(with: "eyJ".utf8), !isWord(start - 1) else { return nil }
        let end = end(start) { !SecretScanner.isBase64URL($0) && $0 != UInt8(ascii: ".") }
        let token = bytes[start..<end]
        guard token.count >= 20, token.contains(UInt8(ascii: ".")) else { return nil }
        return add(start..<end, .token, "jwt")
    }

    /// `Bearer …` and `Basic …` outside of their field; what follows the same words in a sentence is a word.
    mutating func credentials(_ start: Int) -> Int? {
        guard !isWord(start - 1) else { return nil }
        for (scheme, kind, least) in [("bearer", SecretKind.token, 8), ("basic", .password, 12)]
        where bytes[start...].prefix(scheme.utf8.count).map(ASCII.lower).elementsEqual(scheme.utf8) {
            let blank = start + scheme.utf8.count
            guard at(blank) == ASCII.space else { return nil }
            let first = self.end(blank) { $0 != ASCII.space }
            let end = end(first) { !SecretScanner.isBase64URL($0) && !"+/=.~".utf8.contains($0) }
            return end - first >= least && !SecretKind.isWord(bytes[first..<end]) ? add(first..<end, kind, scheme) : nil
        }
        return nil
    }

    /// A private key in PEM (RFC 7468 §10), OpenPGP's armour too: the lines of base64 behind its first line.
    ///
    /// Programs mention that first line too, with no key after it.
    mutating func privateKey(_ start: Int) -> Int? {
        guard bytes[start...].starts(with: "-----BEGIN ".utf8) else { return nil }
        let line = bytes[start...].prefix(80)
        guard let label = line.firstRange(of: Array("PRIVATE KEY".utf8)),
            let begin = line[label.upperBound...].firstRange(of: Array("-----".utf8))
        else { return nil }
        var keyEnd = begin.upperBound
        // Escapes and quotation marks may stand between two lines, and a few fields before the first line.
        while let next = base64Line(near: keyEnd) { keyEnd = next }
        guard keyEnd > begin.upperBound else { return nil }
        // The last line is shorter, and a checksum may follow.
        let rest = bytes[keyEnd...].prefix(SecretScanner.lineGapBytes)
        if let end = rest.firstRange(of: Array("-----END ".utf8)) {
            keyEnd = end.lowerBound
        } else {
            keyEnd =
                rest.firstIndex { !SecretScanner.isBase64($0) && $0 > ASCII.space && $0 != UInt8(ascii: "\\") }
                ?? rest.endIndex
        }
        return add(begin.upperBound..<keyEnd, .key, "private key")
    }

    /// The most bytes between two lines of a key.
    private static let lineGapBytes = 256

    /// The end of the next stretch of base64 that is about as long as a key's line; `nil` where no such stretch begins near by.
    private func base64Line(near start: Int) -> Int? {
        var index = start
        while index < bytes.count, index - start <= SecretScanner.lineGapBytes {
            let end = end(index) { !SecretScanner.isBase64($0) }
            let line = bytes[index..<end]
            if line.count >= 40, line.contains(where: { (0x30...0x39).contains($0) }),
                line.contains(where: { (0x41...0x5A).contains($0) })
            {
                return end
            }
            if bytes[end...].starts(with: "-----END ".utf8) { return nil }
            index = end + 1
        }
        return nil
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        (0x2F...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2B
            || byte == 0x3D
    }

    /// Keys with the prefix of a well-known service; they have digits, while names that begin alike mostly have none.
    mutating func prefixed(_ start: Int) -> Int? {
        guard !isWord(start - 1) else { return nil }
        for (prefix, isPart) in SecretScanner.keyPrefixes[Int(bytes[start])]
        where bytes[start...].starts(with: prefix) {
            // Behind a slash, which is part of some keys, the same prefix begins anew within the same bytes.
            let hasSlash = isPart(UInt8(ascii: "/"))
            guard !hasSlash || start >= plainKeyEnd else { continue }
            let end = end(start + prefix.count) { !isPart($0) }
            guard end - start >= 20 else { continue }
            guard bytes[start..<end].contains(where: { (0x30...0x39).contains($0) }) else {
                if hasSlash { plainKeyEnd = end }
                continue
            }
            return add(start..<end, .key, "key by its look")
        }
        return nil
    }

    /// The prefixes of keys by their first letter, each with the bytes that may follow it.
    private static let keyPrefixes: [[(prefix: [UInt8], isPart: @Sendable (UInt8) -> Bool)]] = {
        let usual = [
            "AKIA", "ASIA", "AIza", "ghp_", "gho_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "glrt-",
            "sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk-", "xox", "xapp-", "ya29.", "shpat_", "hvs.",
            "dckr_pat_",
        ]
        var table = [[(prefix: [UInt8], isPart: @Sendable (UInt8) -> Bool)]](repeating: [], count: 256)
        func add(_ prefixes: [String], _ isPart: @escaping @Sendable (UInt8) -> Bool) {
            for prefix in prefixes.map({ Array($0.utf8) }) { table[Int(prefix[0])].append((prefix, isPart)) }
        }
        add(usual) { isBase64URL($0) }
        add(["whsec_"]) { isBase64($0) || isBase64URL($0) }
        // Names in programs begin so too, and go on behind a mark.
        add(["hf_", "npm_"]) { isBase64URL($0) && $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
        return table
    }()

    /// The private members of a JSON Web Key (RFC 7518 §6), which the type of the key tells; elsewhere these names say nothing.
    ///
    /// A key has no objects in it but the further primes of RSA, so all between two braces is looked through once.
    mutating func webKey(_ colon: Int) {
        guard let type = memberName(colon), type.elementsEqual("kty".utf8), colon >= webKeyEnd else { return }
        let start = (bytes[webKeyEnd..<colon].lastIndex { "{}".utf8.contains($0) } ?? webKeyEnd - 1) + 1
        webKeyEnd = end(colon) { "{}".utf8.contains($0) }
        for place in start..<webKeyEnd where bytes[place] == ASCII.colon {
            guard let name = memberName(place), SecretScanner.privateMembers.contains(Array(name)) else { continue }
            let open = end(place + 1) { $0 > ASCII.space }
            guard at(open) == UInt8(ascii: "\"") else { continue }
            let close = end(open + 1) { !SecretScanner.isBase64URL($0) && $0 != UInt8(ascii: "=") }
            _ = add(open + 1..<close, .key, "web key \(String(decoding: name, as: UTF8.self))")
        }
    }

    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "k"].map { Array($0.utf8) }

    /// The short name in quotation marks that a colon follows; `nil` where none does.
    private func memberName(_ colon: Int) -> ArraySlice<UInt8>? {
        let close = bytes[..<colon].suffix(16).lastIndex { $0 > ASCII.space }
        guard let close, bytes[close] == UInt8(ascii: "\""),
            let open = bytes[..<close].suffix(4).lastIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return bytes[(open + 1)..<close]
    }
}

extension SecretScanner {
    /// The secrets among the subprotocols of a Sec-WebSocket-Protocol field: browsers can send a token nowhere else with a handshake.
    ///
    /// A subprotocol is a short word (RFC 6455 §11.5). One that follows the name of a secret is its value, and one with a long part in mixed letters
    /// or with many digits was made by a machine.
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
