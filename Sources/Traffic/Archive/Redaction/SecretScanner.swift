/// Finds the secrets in a text of any kind, by the names they stand under and by the look of some, without knowing its grammar.
///
/// It reads bytes, so that a text that is cut, mixed or not even text is searched all the same: JSON (also inside of strings), forms and queries,
/// XML, `name: value` lines, multipart forms, JWTs, `Bearer …`, private keys, and passwords in URLs. Linear in the text's length.
struct SecretScanner {
    /// Where in the text a secret is, what it is and under which name it stands.
    struct Finding {
        var range: Range<Int>
        var kind: SecretKind
        var place: String
        /// Whether the placeholder needs quotes to stand there (a JSON number).
        var needsQuotes = false
    }

    /// How values end.
    enum Form {
        /// At white space, quotes, separators.
        case text
        /// At `&` only: a query or a form (WHATWG URL §5).
        case form
    }

    /// Names longer than this are none.
    private static let nameLimit = 64

    let bytes: [UInt8]
    let form: Form
    private(set) var findings: [Finding] = []

    init(_ bytes: [UInt8], form: Form = .text) {
        self.bytes = bytes
        self.form = form
    }

    /// Finds all, in order, none inside of another.
    mutating func run() -> [Finding] {
        var index = 0
        while index < bytes.count {
            let next: Int?
            switch bytes[index] {
            case UInt8(ascii: "="): next = pair(index)
            case UInt8(ascii: ":"): next = userinfo(index) ?? member(index)
            case UInt8(ascii: "e"): next = webToken(index)
            case UInt8(ascii: "b"), UInt8(ascii: "B"): next = credentials(index)
            case UInt8(ascii: "-"): next = privateKey(index)
            case UInt8(ascii: ">"): next = element(index)
            case ASCII.lineFeed: next = part(index)
            case UInt8(ascii: "A"), UInt8(ascii: "g"), UInt8(ascii: "s"), UInt8(ascii: "x"): next = prefixed(index)
            default: next = nil
            }
            index = max(index + 1, next ?? 0)
        }
        return findings
    }

    // MARK: by name

    /// `name=value`, `name="value"`.
    private mutating func pair(_ equals: Int) -> Int? {
        guard let name = name(before: equals), let kind = SecretKind(name: PercentCoding.decoded(name)) else {
            return nil
        }
        var start = equals + 1
        if form == .text, at(start) == UInt8(ascii: "\""), let end = quoteEnd(start, escaped: 0) {
            return add(start + 1..<end, kind, "parameter", name)
        }
        if form == .text { while at(start) == ASCII.space { start += 1 } }
        let isEnd = form == .form ? { $0 == UInt8(ascii: "&") || $0 == ASCII.lineFeed } : SecretScanner.endsValue
        return add(start..<end(start, isEnd), kind, "parameter", name)
    }

    /// `"name": value`, also with escaped quotes, and `name: value`.
    private mutating func member(_ colon: Int) -> Int? {
        guard form == .text else { return nil }
        var last = colon - 1
        while last >= 0, bytes[last] == ASCII.space { last -= 1 }
        guard last >= 0 else { return nil }
        let quote = bytes[last]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            guard let name = name(before: last + 1), let kind = SecretKind(name: name) else { return nil }
            return value(after: colon, kind, name)
        }
        var slashes = 0
        while last - 1 - slashes >= 0, bytes[last - 1 - slashes] == UInt8(ascii: "\\") { slashes += 1 }
        let end = last - slashes
        var start = end
        while start > 0, bytes[start - 1] != quote, end - start < SecretScanner.nameLimit { start -= 1 }
        guard start > 0, let kind = SecretKind(name: bytes[start..<end]) else { return nil }
        // Lists of keys and values are everywhere, and their keys are names.
        if bytes[start..<end].map(ASCII.lower).elementsEqual("key".utf8) { return nil }
        var next = colon + 1
        while let byte = at(next), ASCII.isBlank(byte) || byte == 0x0A || byte == 0x0D { next += 1 }
        switch at(next) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return container(next, kind, bytes[start..<end])
        case quote, UInt8(ascii: "\\"): return string(next, kind, bytes[start..<end])
        default: return scalar(next, kind, bytes[start..<end])
        }
    }

    private mutating func value(after colon: Int, _ kind: SecretKind, _ name: ArraySlice<UInt8>) -> Int? {
        var start = colon + 1
        while at(start) == ASCII.space { start += 1 }
        if at(start) == UInt8(ascii: "\"") || at(start) == UInt8(ascii: "'") { return string(start, kind, name) }
        let end = end(start) {
            $0 == 0x0A || $0 == 0x0D || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}")
                || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "<")
        }
        return add(start..<end, kind, "value", name)
    }

    private mutating func string(_ start: Int, _ kind: SecretKind, _ name: ArraySlice<UInt8>) -> Int? {
        var slashes = 0
        while at(start + slashes) == UInt8(ascii: "\\") { slashes += 1 }
        let open = start + slashes
        guard at(open) == UInt8(ascii: "\"") || at(open) == UInt8(ascii: "'") else { return nil }
        return add(open + 1..<(quoteEnd(open, escaped: slashes) ?? bytes.count), kind, "json", name)
    }

    private mutating func scalar(_ start: Int, _ kind: SecretKind, _ name: ArraySlice<UInt8>) -> Int? {
        let end = end(start) { $0 <= ASCII.space || ",}]\\\"".utf8.contains($0) }
        guard start < end, !["null", "true", "false"].contains(where: { bytes[start..<end].elementsEqual($0.utf8) })
        else {
            return nil
        }
        // How many tokens a model took is a number under a name like that of tokens.
        if name.suffix(6).map(ASCII.lower).elementsEqual("tokens".utf8) { return nil }
        let isNumber = (0x30...0x39).contains(bytes[start]) || bytes[start] == UInt8(ascii: "-")
        return add(start..<end, kind, "json", name, needsQuotes: isNumber)
    }

    /// All strings and numbers inside of an object or array that a secret's name stands before.
    private mutating func container(_ start: Int, _ kind: SecretKind, _ name: ArraySlice<UInt8>) -> Int? {
        var depth = 0
        var index = start
        while let byte = at(index) {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: "\""):
                let end = quoteEnd(index, escaped: 0) ?? bytes.count
                var after = end + 1
                while let byte = at(after), byte <= ASCII.space { after += 1 }
                if at(after) != UInt8(ascii: ":") { _ = add(index + 1..<end, kind, "json", name) }
                index = max(index, end)
            case 0x30...0x39: index = max(index, (scalar(index, kind, name) ?? index + 1) - 1)
            default: break
            }
            index += 1
        }
        return index
    }

    /// `<name>value</…`.
    private mutating func element(_ close: Int) -> Int? {
        guard form == .text,
            let open = bytes[max(0, close - SecretScanner.nameLimit)..<close].lastIndex(of: UInt8(ascii: "<")),
            case let name = bytes[open + 1..<close].prefix(while: { $0 != ASCII.space }),
            name.first != UInt8(ascii: "/"),
            let kind = SecretKind(name: name)
        else { return nil }
        return add(close + 1..<end(close + 1) { $0 == UInt8(ascii: "<") }, kind, "element", name)
    }

    /// The value of a multipart form's field (RFC 7578 §4.2): after the empty line of a part whose name is a secret's.
    private mutating func part(_ lineFeed: Int) -> Int? {
        guard form == .text, lineFeed >= 3, bytes[lineFeed - 1] == 0x0D, bytes[lineFeed - 2] == 0x0A else { return nil }
        let head = bytes[max(0, lineFeed - 512)..<lineFeed]
        guard let label = head.lastRange(of: Array("name=\"".utf8)),
            !head[label.upperBound...].contains(Array("\r\n--".utf8)),
            case let name = head[label.upperBound...].prefix(while: { $0 != UInt8(ascii: "\"") }),
            let kind = SecretKind(name: name)
        else { return nil }
        let end = bytes[(lineFeed + 1)...].firstRange(of: Array("\r\n--".utf8))?.lowerBound ?? bytes.count
        return add(lineFeed + 1..<end, kind, "part", name)
    }

    // MARK: by look

    /// `://user:password@`.
    private mutating func userinfo(_ colon: Int) -> Int? {
        guard at(colon + 1) == UInt8(ascii: "/"), at(colon + 2) == UInt8(ascii: "/") else { return nil }
        let start = colon + 3
        let end = end(start) { $0 <= ASCII.space || "/?#\"'<>\\".utf8.contains($0) }
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")), at > start else { return nil }
        return add(start..<at, .user, "userinfo", [])
    }

    /// A JSON Web Token: three parts of base64url, the first the beginning of an object (RFC 7519 §3).
    private mutating func webToken(_ start: Int) -> Int? {
        guard bytes[start...].starts(with: "eyJ".utf8), !isWord(start - 1) else { return nil }
        let end = end(start) { !SecretScanner.isBase64URL($0) && $0 != UInt8(ascii: ".") }
        let token = bytes[start..<end]
        guard token.count >= 20, token.contains(UInt8(ascii: ".")) else { return nil }
        return add(start..<end, .token, "jwt", [])
    }

    /// `Bearer …` and `Basic …` outside of their field.
    private mutating func credentials(_ start: Int) -> Int? {
        guard !isWord(start - 1) else { return nil }
        for scheme in ["bearer ", "basic "]
        where bytes[start...].prefix(scheme.utf8.count).map(ASCII.lower).elementsEqual(scheme.utf8) {
            let first = start + scheme.utf8.count
            let end = end(first) { !SecretScanner.isBase64URL($0) && !"+/=.~".utf8.contains($0) }
            guard end - first >= 8, scheme == "bearer " || end - first >= 12 else { return nil }
            return add(first..<end, scheme == "basic " ? .password : .token, scheme.trimmingBlank, [])
        }
        return nil
    }

    private mutating func privateKey(_ start: Int) -> Int? {
        guard bytes[start...].starts(with: "-----BEGIN ".utf8) else { return nil }
        let line = bytes[start...].prefix(64)
        guard let label = line.firstRange(of: Array("PRIVATE KEY-----".utf8)) else { return nil }
        let end = bytes[label.upperBound...].firstRange(of: Array("-----END ".utf8))?.lowerBound ?? bytes.count
        return add(label.upperBound..<end, .key, "private key", [])
    }

    /// Keys that begin as those of well-known services do.
    private mutating func prefixed(_ start: Int) -> Int? {
        guard !isWord(start - 1) else { return nil }
        for prefix in [
            "AKIA", "ASIA", "AIza", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "sk_live_", "sk-", "xox",
        ]
        where bytes[start...].starts(with: prefix.utf8) {
            let end = end(start) { !SecretScanner.isBase64URL($0) }
            guard end - start >= 20 else { continue }
            return add(start..<end, .key, "key by its look", [])
        }
        return nil
    }

    // MARK: steps

    private mutating func add(
        _ range: Range<Int>,
        _ kind: SecretKind,
        _ how: String,
        _ name: ArraySlice<UInt8>,
        needsQuotes: Bool = false
    ) -> Int? {
        guard !range.isEmpty else { return nil }
        let word = ByteText.lossless(name.filter { $0 > 0x20 && $0 < 0x7F }).lowercased()
        let place = word.isEmpty ? how : "\(how) \(word)"
        findings.append(Finding(range: range, kind: kind, place: place, needsQuotes: needsQuotes))
        return range.upperBound
    }

    private func at(_ index: Int) -> UInt8? { index >= 0 && index < bytes.count ? bytes[index] : nil }

    private func end(_ start: Int, _ isEnd: (UInt8) -> Bool) -> Int {
        guard start < bytes.count else { return bytes.count }
        return bytes[start...].firstIndex(where: isEnd) ?? bytes.count
    }

    /// The name that ends right before an index; `nil` when there is none, or one too long.
    private func name(before end: Int) -> ArraySlice<UInt8>? {
        var start = end
        while start > 0, end - start <= SecretScanner.nameLimit, SecretScanner.isName(bytes[start - 1]) { start -= 1 }
        return start < end && end - start <= SecretScanner.nameLimit ? bytes[start..<end] : nil
    }

    /// The quote that ends the string begun at `open`, whose quotes have so many backslashes before them.
    private func quoteEnd(_ open: Int, escaped: Int) -> Int? {
        var index = open + 1
        var slashes = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                slashes += 1
            } else {
                if bytes[index] == bytes[open], escaped == 0 ? slashes % 2 == 0 : slashes <= escaped {
                    return index - (escaped == 0 ? 0 : slashes)
                }
                slashes = 0
            }
            index += 1
        }
        return nil
    }

    private func isWord(_ index: Int) -> Bool { at(index).map { SecretScanner.isBase64URL($0) } ?? false }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
            || byte == 0x5F
    }

    private static func isName(_ byte: UInt8) -> Bool { isBase64URL(byte) || ".[]%$".utf8.contains(byte) }

    private static func endsValue(_ byte: UInt8) -> Bool { byte <= ASCII.space || "&;\"'<>\\,)".utf8.contains(byte) }
}

extension String {
    fileprivate var trimmingBlank: String { hasSuffix(" ") ? String(dropLast()) : self }
}

extension ArraySlice<UInt8> {
    /// Where these bytes stand last.
    fileprivate func lastRange(of needle: [UInt8]) -> Range<Int>? {
        var index = endIndex - needle.count
        while index >= startIndex {
            if self[index...].starts(with: needle) { return index..<index + needle.count }
            index -= 1
        }
        return nil
    }

    fileprivate func contains(_ needle: [UInt8]) -> Bool { firstRange(of: needle) != nil }
}
