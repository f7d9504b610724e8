/// Secrets in XML, HTML and multipart forms.
extension SecretScanner {
    /// `<input name="csrf" value="…">`, `<meta content="…" name="csrf-token">`: the name stands beside the value, before or after it.
    ///
    /// A tag ends at the next `<` too, which no attribute holds unescaped, so that each byte is read once.
    mutating func tag(_ open: Int) -> Int? {
        guard form == .text, let first = at(open + 1), isWord(open + 1), first > 0x39 else { return nil }
        var index = end(open + 1) { !SecretScanner.isBase64URL($0) && $0 != ASCII.colon }
        let isSetting = SecretScanner.settings.contains(bytes[open + 1..<index].map(ASCII.lower))
        var label: Label?
        var values: [Range<Int>] = []
        while let byte = at(index), byte != UInt8(ascii: ">"), byte != UInt8(ascii: "<") {
            let name = index..<end(index) { $0 <= ASCII.space || "=<>/\"'".utf8.contains($0) }
            guard !name.isEmpty else {
                index += 1
                continue
            }
            index = end(name.upperBound) { $0 > ASCII.space }
            guard at(index) == UInt8(ascii: "=") else { continue }
            let value = attribute(end(index + 1) { $0 > ASCII.space })
            index = value.upperBound
            switch String(decoding: bytes[name].map(ASCII.lower), as: UTF8.self) {
            case "name", "id", "key", "property", "itemprop", "field", "http-equiv":
                label = label ?? Label(bytes[value])
            case "type" where bytes[value].map(ASCII.lower).elementsEqual("password".utf8):
                label = label ?? Label(bytes[value])
            case "value", "content", "data-value": values.append(value)
            default: break
            }
        }
        guard let label else { return nil }
        for value in values { _ = add(value, label, "attribute") }
        if isSetting, values.isEmpty, at(index) == UInt8(ascii: ">"), at(index - 1) != UInt8(ascii: "/") {
            _ = add(index + 1..<end(index + 1) { $0 == UInt8(ascii: "<") }, label, "element")
        }
        return nil
    }

    /// Elements whose text is the value of what an attribute names: `<entry key="password">…</entry>`.
    private static let settings = Set(
        [
            "string", "entry", "property", "param", "parameter", "field", "setting", "attribute", "item", "textarea",
        ].map { Array($0.utf8) }
    )

    /// The value of an attribute that begins at an index, without its quotation marks; empty where those are escaped: that is an inner text's matter.
    private func attribute(_ start: Int) -> Range<Int> {
        if at(start) == UInt8(ascii: "\\") { return start..<start }
        guard let quote = at(start), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return start..<end(start) { $0 <= ASCII.space || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
        }
        return start + 1..<end(start + 1) { $0 == quote || $0 == UInt8(ascii: "<") }
    }

    /// `<name>value</…`, `<name attribute="…"><![CDATA[value]]></…`, and `<key>name</key><string>value</…`.
    mutating func element(_ close: Int) -> Int? {
        guard form == .text, close > 0,
            let open = bytes[..<close].lastIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }),
            bytes[open] == UInt8(ascii: "<"), bytes[close - 1] != UInt8(ascii: "/"),
            case let name = bytes[open + 1..<close].prefix(while: { $0 > ASCII.space }),
            let first = name.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "!")
        else { return nil }
        if let next = valueElement(close, name) { return next }
        guard let label = Label(name) else { return nil }
        if let inner = section(end(close + 1) { $0 > ASCII.space }) { return add(inner, label, "element") }
        return add(close + 1..<end(close + 1) { $0 == UInt8(ascii: "<") }, label, "element")
    }

    /// What is in the CDATA section that begins at an index; `nil` where none does.
    private mutating func section(_ start: Int) -> Range<Int>? {
        guard bytes[start...].starts(with: "<![CDATA[".utf8) else { return nil }
        let inner = start + 9
        // The end is looked for again only behind the one found last, which may be that of the text.
        if inner > sectionEnd || sectionEnd == 0 {
            sectionEnd = bytes[inner...].firstRange(of: Array("]]>".utf8))?.lowerBound ?? bytes.count
        }
        return inner..<max(inner, sectionEnd)
    }

    /// The texts of the element that follows one whose text is the name of a secret, as in property lists: `<key>token</key><array><string>…`.
    private mutating func valueElement(_ close: Int, _ name: ArraySlice<UInt8>) -> Int? {
        guard SecretScanner.nameElements.contains(name.map(ASCII.lower)) else { return nil }
        let text = bytes[(close + 1)...].prefix(SecretKind.nameLimit).prefix { $0 != UInt8(ascii: "<") }
        guard bytes[text.endIndex...].starts(with: "</".utf8), let label = Label(text) else { return nil }
        var index = end(text.endIndex) { $0 == UInt8(ascii: ">") } + 1
        var depth = 0
        let limit = min(bytes.count, index + SecretScanner.valueLimitBytes)
        while index < limit {
            let next = end(index) { $0 == UInt8(ascii: "<") }
            if depth > 0 { _ = add(index..<next, label, "element") }
            if let after = placeholder(next) {
                index = after
                continue
            }
            if let inner = section(next) {
                if depth > 0 { _ = add(inner, label, "element") }
                index = inner.upperBound + 3
                continue
            }
            let close = end(next) { $0 == UInt8(ascii: ">") }
            index = close + 1
            // Comments and the like open nothing.
            guard let mark = at(next + 1), !"!?".utf8.contains(mark) else { continue }
            if mark == UInt8(ascii: "/") {
                depth -= 1
            } else if at(close - 1) != UInt8(ascii: "/") {
                depth += 1
            }
            if depth <= 0 { break }
        }
        return min(index, bytes.count)
    }

    /// Elements whose text may be the name of what the next one holds.
    private static let nameElements = Set(["key", "name", "id", "field", "property", "param"].map { Array($0.utf8) })
    /// Bytes behind such a name that may be its value.
    private static let valueLimitBytes = 64 << 10

    /// The value of a multipart form's part (RFC 7578 §4.2): what follows the empty line of one whose name is a secret's, a file too.
    mutating func part(_ lineFeed: Int) -> Int? {
        guard form == .text else { return nil }
        if at(lineFeed + 1) == UInt8(ascii: "-"), at(lineFeed + 2) == UInt8(ascii: "-") {
            partStart = lineFeed + 1
            return nil
        }
        let before = at(lineFeed - 1) == ASCII.carriageReturn ? lineFeed - 2 : lineFeed - 1
        guard at(before) == ASCII.lineFeed, let start = partStart else { return nil }
        partStart = nil
        guard lineFeed - start <= 4_096, let name = SecretScanner.partName(bytes[start..<lineFeed]),
            let label = Label(name)
        else { return nil }
        // What is no secret's for sure is looked at as far as it could be one.
        let limit = label.isDoubtful ? min(bytes.count, lineFeed + SecretKind.madeLimit) : bytes.count
        let rest = bytes[(lineFeed + 1)..<limit]
        var end = rest.firstRange(of: SecretScanner.delimiter(bytes[start..<lineFeed]))?.lowerBound ?? limit
        if end > lineFeed + 1, end < bytes.count, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
        return add(lineFeed + 1..<end, label, "part")
    }

    /// What ends a part: its first line on a line of its own; the value of a part may have lines that begin alike.
    private static func delimiter(_ head: ArraySlice<UInt8>) -> [UInt8] {
        let line = head.prefix { $0 > ASCII.space }
        // No boundary is longer (RFC 2046 §5.1.1).
        return [ASCII.lineFeed] + (line.count <= 72 ? line : line.prefix(2))
    }

    /// The parameter `name` of a part's head, in quotation marks or without; `filename` is another.
    private static func partName(_ head: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = head
        while let found = rest.firstRange(of: Array("name=".utf8)) {
            let before = found.lowerBound > head.startIndex ? head[found.lowerBound - 1] : ASCII.space
            let value = head[found.upperBound...]
            if before <= ASCII.space || before == UInt8(ascii: ";") {
                return value.first == UInt8(ascii: "\"")
                    ? value.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != ASCII.lineFeed }
                    : value.prefix { $0 > ASCII.space && $0 != UInt8(ascii: ";") }
            }
            rest = value
        }
        return nil
    }
}
