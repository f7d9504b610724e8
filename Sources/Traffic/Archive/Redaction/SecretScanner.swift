/// Finds the secrets in a text of any kind, by the names they stand under and by the look of some, without knowing its grammar.
///
/// It reads bytes, so that a text that is cut, mixed or not even text is searched all the same: JSON (also inside of strings), forms and queries,
/// XML and HTML, `name: value` and `name = value` lines, multipart forms, JWTs, `Bearer …`, private keys, and passwords in URLs. Linear in the text's length.
struct SecretScanner {
    /// Where in the text a secret is, what it is and under which name it stands.
    struct Finding {
        var range: Range<Int>
        var kind: SecretKind
        var place: String
        /// What has to stand before and after the placeholder there (a JSON number becomes a string).
        var quote: [UInt8] = []
        /// Whether it is one by what stands beside it alone, so that the same value elsewhere may be a common word.
        var isLocal = false
    }

    /// How values end.
    enum Form {
        /// At white space, quotes, separators.
        case text
        /// At `&` only: a query or a form (WHATWG URL §5).
        case form
    }

    /// A name of secrets, and what it says of them.
    struct Label {
        let kind: SecretKind
        let name: ArraySlice<UInt8>
        /// Whether the value decides: the name stands for much else too.
        let isDoubtful: Bool

        /// - Returns: `nil` where the name, its escapes undone, is none of a secret.
        init?(_ name: ArraySlice<UInt8>) {
            let isEscaped = name.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") }
            let plain = isEscaped ? DecodedPiece.spellings(of: Array(name)).last ?? [] : Array(name)
            if let kind = SecretKind(name: plain) {
                (self.kind, isDoubtful) = (kind, false)
            } else if let kind = SecretKind(doubtful: plain) {
                (self.kind, isDoubtful) = (kind, true)
            } else {
                return nil
            }
            self.name = name
        }
    }

    /// Names longer than this are none.
    static let nameLimit = 64

    let bytes: [UInt8]
    let form: Form
    private(set) var findings: [Finding] = []
    /// Whether bytes are a placeholder, which hides nothing.
    private let isPlaceholder: ([UInt8]) -> Bool
    /// Where the head of a multipart form's part begins that has not ended.
    var partStart: Int?

    init(_ bytes: [UInt8], form: Form = .text, isPlaceholder: @escaping ([UInt8]) -> Bool = { _ in false }) {
        self.bytes = bytes
        self.form = form
        self.isPlaceholder = isPlaceholder
        partStart = bytes.starts(with: "--".utf8) ? 0 : nil
    }

    /// Finds all that stand in this text itself.
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
            case UInt8(ascii: "<"): next = placeholder(index) ?? tag(index)
            case UInt8(ascii: ">"): next = element(index)
            case ASCII.lineFeed: next = part(index)
            case UInt8(ascii: "A"), UInt8(ascii: "g"), UInt8(ascii: "s"), UInt8(ascii: "x"): next = prefixed(index)
            default: next = nil
            }
            index = max(index + 1, next ?? 0)
        }
        if form == .text {
            var pairs = JSONPairs(bytes)
            for pair in pairs.run() {
                let quote = pair.isNumber ? [UInt8(ascii: "\"")] : []
                _ = add(pair.range, pair.label, "json", quote: quote, isLocal: pair.isLocal)
            }
        }
        return findings
    }

    /// A placeholder is passed over as a whole: its kind is no name, and its digits are no value.
    private func placeholder(_ open: Int) -> Int? {
        guard let close = bytes[open...].prefix(48).firstIndex(of: UInt8(ascii: ">")),
            isPlaceholder(Array(bytes[open...close]))
        else { return nil }
        return close + 1
    }

    // MARK: by name

    /// `name=value`, `name="value"`, `name = value`.
    private mutating func pair(_ equals: Int) -> Int? {
        var nameEnd = equals
        while form == .text, nameEnd > 0, equals - nameEnd < 64, ASCII.isBlank(bytes[nameEnd - 1]) { nameEnd -= 1 }
        // With blanks before it, it may be a comparison.
        if nameEnd < equals, let next = at(equals + 1), "=>~".utf8.contains(next) { return nil }
        guard let name = name(before: nameEnd), let label = Label(name) else { return nil }
        let before = at(name.startIndex - 1)
        let inQuery = form == .form || before.map("?&#".utf8.contains) == true
        var start = equals + 1
        if form == .text {
            while let byte = at(start), ASCII.isBlank(byte) { start += 1 }
            if at(start) == UInt8(ascii: "\""), let end = quoteEnd(start, escaped: 0) {
                return add(start + 1..<end, label, "parameter", inQuery: inQuery)
            }
            if at(start) == UInt8(ascii: "'") || at(start) == UInt8(ascii: "`") { start += 1 }
        }
        let isEnd = form == .form ? { $0 == UInt8(ascii: "&") || $0 == ASCII.lineFeed } : SecretScanner.endsValue
        // A doubtful name may be none of a secret: only so much is looked at for it.
        let limit = label.isDoubtful && !inQuery ? min(bytes.count, start + 256) : bytes.count
        let end = bytes[start..<limit].firstIndex(where: isEnd) ?? limit
        if end == limit, limit < bytes.count { return nil }
        return add(start..<end, label, "parameter", inQuery: inQuery, isLocal: !inQuery && isCode(start..<end))
    }

    /// `"name": value`, also with escaped quotes, and `name: value`.
    private mutating func member(_ colon: Int) -> Int? {
        guard form == .text else { return nil }
        var last = colon - 1
        while last >= 0, bytes[last] == ASCII.space { last -= 1 }
        guard last >= 0 else { return nil }
        let quote = bytes[last]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            // What is escaped is an inner text's matter: `%3Ctoken:3f2a%3E` is a placeholder in a URL.
            guard let name = name(before: last + 1), !name.contains(UInt8(ascii: "%")), let label = Label(name) else {
                return nil
            }
            return value(after: colon, label)
        }
        var slashes = 0
        while last - 1 - slashes >= 0, bytes[last - 1 - slashes] == UInt8(ascii: "\\") { slashes += 1 }
        let end = last - slashes
        var start = end
        while start > 0, bytes[start - 1] != quote, end - start < SecretScanner.nameLimit { start -= 1 }
        guard start > 0, let label = Label(bytes[start..<end]) else { return nil }
        // Lists of keys and values are everywhere, and their keys are names.
        if bytes[start..<end].map(ASCII.lower).elementsEqual("key".utf8) { return nil }
        var next = colon + 1
        while let byte = at(next), ASCII.isBlank(byte) || byte == 0x0A || byte == 0x0D { next += 1 }
        switch at(next) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return label.isDoubtful ? nil : container(next, label)
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): return string(next, label)
        default: return scalar(next, label, slashes: slashes)
        }
    }

    private mutating func value(after colon: Int, _ label: Label) -> Int? {
        var start = colon + 1
        while at(start) == ASCII.space { start += 1 }
        if let end = string(start, label) { return end }
        if label.isDoubtful { return nil }
        start = afterScheme(start)
        var end = end(start) {
            $0 == 0x0A || $0 == 0x0D || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}")
                || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "<")
        }
        // The slashes of an escaped quotation mark are not the value's.
        while end > start, bytes[end - 1] == UInt8(ascii: "\\") || bytes[end - 1] == ASCII.space { end -= 1 }
        return add(start..<end, label, "value", isLocal: isCode(start..<end))
    }

    /// Whether a value without quotation marks may be a word of a program, such as `form.password` or `readToken()`.
    private func isCode(_ range: Range<Int>) -> Bool {
        bytes[range].allSatisfy { byte in
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "._$()[]!".utf8.contains(byte)
        }
    }

    /// Behind the scheme of credentials, as in `Authorization: Bearer …`; the same place where there is none.
    private func afterScheme(_ start: Int) -> Int {
        let word = bytes[min(start, bytes.count)...].prefix(17).prefix { $0 != ASCII.space }
        guard at(word.endIndex) == ASCII.space,
            ["basic", "bearer", "digest", "negotiate", "ntlm", "token", "aws4-hmac-sha256"].contains(where: {
                word.map(ASCII.lower).elementsEqual($0.utf8)
            })
        else { return start }
        return word.endIndex + 1
    }

    /// A string in quotation marks, which may be escaped; `nil` where none begins.
    private mutating func string(_ start: Int, _ label: Label) -> Int? {
        var slashes = 0
        while at(start + slashes) == UInt8(ascii: "\\") { slashes += 1 }
        let open = start + slashes
        guard at(open) == UInt8(ascii: "\"") || at(open) == UInt8(ascii: "'") else { return nil }
        let end = quoteEnd(open, escaped: slashes) ?? bytes.count
        return add(open + 1..<max(open + 1, end), label, "json") ?? end
    }

    private mutating func scalar(_ start: Int, _ label: Label, slashes: Int = 0) -> Int? {
        let end = end(start) { $0 <= ASCII.space || ",}]\\\"".utf8.contains($0) }
        guard start < end, !["null", "true", "false"].contains(where: { bytes[start..<end].elementsEqual($0.utf8) })
        else {
            return nil
        }
        // How many tokens a model took is a number under a name like that of tokens.
        if label.name.suffix(6).map(ASCII.lower).elementsEqual("tokens".utf8) { return nil }
        let isNumber = (0x30...0x39).contains(bytes[start]) || bytes[start] == UInt8(ascii: "-")
        let quote = [UInt8](repeating: UInt8(ascii: "\\"), count: slashes) + [UInt8(ascii: "\"")]
        return add(start..<end, label, "json", quote: isNumber ? quote : [])
    }

    /// All strings and numbers inside of an object or array that a secret's name stands before.
    private mutating func container(_ start: Int, _ label: Label) -> Int? {
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
                if at(after) != UInt8(ascii: ":") { _ = add(index + 1..<max(index + 1, end), label, "json") }
                index = max(index, end)
            case 0x30...0x39: index = max(index, (scalar(index, label) ?? index + 1) - 1)
            default: break
            }
            index += 1
        }
        return index
    }

    // MARK: steps

    /// Adds a finding, and says where it ends; `nil` where there is none.
    ///
    /// Under a doubtful name it is one in a query, and elsewhere only where its value says so.
    mutating func add(
        _ range: Range<Int>,
        _ label: Label,
        _ how: String,
        quote: [UInt8] = [],
        inQuery: Bool = false,
        isLocal: Bool = false
    ) -> Int? {
        if label.isDoubtful, !SecretKind.isMade(bytes[range], inQuery: inQuery) { return nil }
        let word = ByteText.lossless(label.name.filter { $0 > 0x20 && $0 < 0x7F }).lowercased()
        return add(range, label.kind, word.isEmpty ? how : "\(how) \(word)", quote: quote, isLocal: isLocal)
    }

    /// Adds a finding that has no name.
    mutating func add(
        _ range: Range<Int>,
        _ kind: SecretKind,
        _ place: String,
        quote: [UInt8] = [],
        isLocal: Bool = false
    ) -> Int? {
        guard bytes[range].contains(where: { $0 > ASCII.space }) else { return nil }
        findings.append(Finding(range: range, kind: kind, place: place, quote: quote, isLocal: isLocal))
        return range.upperBound
    }

    func at(_ index: Int) -> UInt8? { index >= 0 && index < bytes.count ? bytes[index] : nil }

    func end(_ start: Int, _ isEnd: (UInt8) -> Bool) -> Int {
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

    func isWord(_ index: Int) -> Bool { at(index).map { SecretScanner.isBase64URL($0) } ?? false }

    static func isBase64URL(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
            || byte == 0x5F
    }

    private static func isName(_ byte: UInt8) -> Bool { isBase64URL(byte) || ".[]%$".utf8.contains(byte) }

    private static func endsValue(_ byte: UInt8) -> Bool { byte <= ASCII.space || "&;\"'<>\\,)".utf8.contains(byte) }
}
