/// Secrets in XML, HTML and multipart forms.
extension SecretScanner {
    /// `<input name="csrf" value="…">`, `<meta content="…" name="csrf-token">`: the name stands beside the value, before or after it.
    ///
    /// A tag ends at the next `<` too, which no attribute holds unescaped, so that each byte is read once.
    mutating func tag(_ open: Int) -> Int? {
        guard form == .text, let first = at(open + 1), isWord(open + 1), first > 0x39 else { return nil }
        var index = end(open + 1) { !SecretScanner.isBase64URL($0) && $0 != ASCII.colon }
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
        if let label { for value in values { _ = add(value, label, "attribute") } }
        return nil
    }

    /// The value of an attribute that begins at an index, without its quotation marks; empty where those are escaped, which is an inner text's matter.
    private func attribute(_ start: Int) -> Range<Int> {
        if at(start) == UInt8(ascii: "\\") { return start..<start }
        guard let quote = at(start), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return start..<end(start) { $0 <= ASCII.space || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
        }
        return start + 1..<end(start + 1) { $0 == quote || $0 == UInt8(ascii: "<") }
    }

    /// `<name>value</…`, `<name attribute="…"><![CDATA[value]]></…`.
    mutating func element(_ close: Int) -> Int? {
        guard form == .text,
            let open = bytes[..<close].lastIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }),
            bytes[open] == UInt8(ascii: "<"), bytes[close - 1] != UInt8(ascii: "/"),
            case let name = bytes[open + 1..<close].prefix(while: { $0 > ASCII.space }),
            name.count <= SecretScanner.nameLimit, name.first != UInt8(ascii: "/"), name.first != UInt8(ascii: "!"),
            let label = Label(name)
        else { return nil }
        let start = end(close + 1) { $0 > ASCII.space }
        guard bytes[start...].starts(with: "<![CDATA[".utf8) else {
            return add(close + 1..<end(close + 1) { $0 == UInt8(ascii: "<") }, label, "element")
        }
        let inner = start + 9
        let end = bytes[inner...].firstRange(of: Array("]]>".utf8))?.lowerBound ?? bytes.count
        return add(inner..<end, label, "element")
    }

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
        var end = bytes[(lineFeed + 1)...].firstRange(of: Array("\n--".utf8))?.lowerBound ?? bytes.count
        if end > lineFeed + 1, end < bytes.count, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
        return add(lineFeed + 1..<end, label, "part")
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
