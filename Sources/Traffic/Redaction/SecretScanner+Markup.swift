/// Finds secrets in XML, HTML and multipart forms.
extension SecretScanner {
    /// `<input name="csrf" value="…">`, `<meta content="…" name="csrf-token">`: the name stands beside the value, before or after it.
    ///
    /// A tag ends at the next `<` too, which no attribute holds unescaped, so that each byte is read once.
    mutating func tag(_ open: Int) -> Int? {
        guard form == .text, let first = at(open + 1), isWord(open + 1), first > 0x39 else { return nil }
        var index = end(open + 1) { !SecretScanner.isBase64URL($0) && $0 != ASCII.colon }
        let element = bytes[open + 1..<index]
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
        if !values.isEmpty {
            let labels = [label, Label(element), open < textEnd ? textLabel : nil].compactMap { $0 }
            if let label = labels.first(where: { !$0.isDoubtful }) {
                for value in values { _ = add(value, label, "attribute") }
            } else if let label = open < broadTextEnd ? broadTextLabel : nil {
                for value in values { addInner(value, label, "attribute", hasName: true) }
            } else if let label = labels.first {
                for value in values { _ = add(value, label, "attribute") }
            }
        }
        if let label, SecretScanner.settings.contains(SecretScanner.localName(element)),
            at(index) == UInt8(ascii: ">"), at(index - 1) != UInt8(ascii: "/")
        {
            if values.allSatisfy(\.isEmpty) {
                texts(index + 1, depth: 1, label)
            } else {
                _ = add(trimmed(index + 1..<end(index + 1) { $0 == UInt8(ascii: "<") }), label, "element")
            }
        }
        return nil
    }

    /// The name of an element in lower case without its namespace's prefix.
    private static func localName(_ name: ArraySlice<UInt8>) -> [UInt8] {
        name[(name.lastIndex(of: ASCII.colon).map { $0 + 1 } ?? name.startIndex)...].map(ASCII.lower)
    }

    /// Elements whose text is the value of a setting that an attribute names: `<entry key="password">…</entry>`.
    private static let settings = Set(
        [
            "string", "entry", "property", "param", "parameter", "field", "setting", "attribute", "item", "textarea",
        ].map { Array($0.utf8) }
    )

    /// The value of an attribute that begins at an index, without its quotation marks; empty where these are escaped, because an inner text is
    /// searched by itself.
    private func attribute(_ start: Int) -> Range<Int> {
        if at(start) == UInt8(ascii: "\\") { return start..<start }
        guard let quote = at(start), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return start..<end(start) { $0 <= ASCII.space || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
        }
        return start + 1..<end(start + 1) { $0 == quote || $0 == UInt8(ascii: "<") }
    }

    /// `<name>value</…`, `<name attribute="…"><![CDATA[value]]></…`, `<name><a>value</a></name>`, and `<key>name</key><string>value</…`.
    ///
    /// The content of an element is searched all the same: the element's name may be doubtful, and tags inside it have attributes.
    mutating func element(_ close: Int) -> Int? {
        guard form == .text, close > 0,
            let open = bytes[..<close].lastIndex(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }),
            bytes[open] == UInt8(ascii: "<"), bytes[close - 1] != UInt8(ascii: "/"),
            case let name = bytes[open + 1..<close].prefix(while: { $0 > ASCII.space }),
            let first = name.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "!")
        else { return nil }
        if let (label, next) = elementName(close, name) {
            texts(next, depth: 0, label)
            return nil
        }
        guard let label = Label(name) else { return nil }
        let start = end(close + 1) { $0 > ASCII.space }
        // Help texts write `<token>` as a stand-in: it is an element only where it has an end tag, or where another element begins in it.
        if !label.isDoubtful, at(start) == UInt8(ascii: "<") || endTag(name) > close {
            texts(close + 1, depth: 1, label)
            return nil
        }
        if let inner = cdata(start) { return add(inner, label, "element") }
        return add(trimmed(start..<end(start) { $0 == UInt8(ascii: "<") }), label, "element")
    }

    /// The name of a secret that is all of an element's text, and where the element ends.
    private mutating func elementName(_ close: Int, _ name: ArraySlice<UInt8>) -> (label: Label, end: Int)? {
        guard SecretScanner.nameElements.contains(SecretScanner.localName(name)) else { return nil }
        var text = close + 1..<end(close + 1) { $0 == UInt8(ascii: "<") }
        var next = text.upperBound
        if let inner = cdata(next) { (text, next) = (inner, min(inner.upperBound + 3, bytes.count)) }
        guard bytes[next...].starts(with: "</".utf8), let label = Label(bytes[text]) else { return nil }
        return (label, min(end(next) { $0 == UInt8(ascii: ">") } + 1, bytes.count))
    }

    /// The content of the CDATA section that begins at an index; `nil` where none does.
    private mutating func cdata(_ start: Int) -> Range<Int>? {
        guard bytes[start...].starts(with: "<![CDATA[".utf8) else { return nil }
        let inner = start + 9
        return inner..<SecretScanner.end("]]>", inner, bytes, &section)
    }

    /// The place of the next such mark, or the end of the text; `known` is a stretch that was searched before, up to the mark that ends it.
    private static func end(_ mark: StaticString, _ start: Int, _ bytes: [UInt8], _ known: inout Range<Int>) -> Int {
        if !known.contains(start) {
            let mark = mark.withUTF8Buffer { Array($0) }
            known = start..<(bytes[start...].firstRange(of: mark)?.lowerBound ?? bytes.count)
        }
        return known.upperBound
    }

    /// Adds the texts that follow: at a depth of 1 those of the rest of an element, at a depth of 0 those of the next element.
    ///
    /// An element inside another is read with the outer element, so that each byte is read once for certain names, once for broad names and once for
    /// doubtful names.
    private mutating func texts(_ start: Int, depth: Int, _ label: Label) {
        let broadEnd = label.isBroad || label.isDoubtful ? max(textEnd, broadTextEnd) : textEnd
        guard start >= (label.isDoubtful ? max(broadEnd, plainTextEnd) : broadEnd) else { return }
        var (index, depth) = (start, depth)
        while index < bytes.count {
            let next = end(index) { $0 == UInt8(ascii: "<") }
            text(trimmed(index..<next), depth: depth, label)
            if let after = placeholder(next) {
                index = after
                continue
            }
            if let inner = cdata(next) {
                text(inner, depth: depth, label)
                index = min(inner.upperBound + 3, bytes.count)
                continue
            }
            if bytes[next...].starts(with: "<!--".utf8),
                case let end = SecretScanner.end("-->", next + 4, bytes, &comment), end < bytes.count
            {
                index = end + 3
                continue
            }
            let close = end(next) { $0 == UInt8(ascii: ">") }
            index = min(close + 1, bytes.count)
            // Declarations and comments open no element.
            guard let mark = at(next + 1), !"!?".utf8.contains(mark) else { continue }
            if mark == UInt8(ascii: "/") {
                depth -= 1
            } else if at(close - 1) != UInt8(ascii: "/") {
                depth += 1
            }
            if depth <= 0 { break }
        }
        if label.isDoubtful {
            plainTextEnd = index
        } else if label.isBroad {
            (broadTextEnd, broadTextLabel) = (index, label)
        } else {
            (textEnd, textLabel) = (index, label)
        }
    }

    /// Adds a text of an element with a secret's name, or of an element inside it.
    private mutating func text(_ text: Range<Int>, depth: Int, _ label: Label) {
        if depth == 1 { _ = add(text, label, "element") }
        if depth > 1 { addInner(text, label, "element", hasName: true) }
    }

    /// A text without the blanks round it.
    func trimmed(_ text: Range<Int>) -> Range<Int> {
        let start = bytes[text].firstIndex { $0 > ASCII.space } ?? text.upperBound
        var end = text.upperBound
        while end > start, bytes[end - 1] <= ASCII.space { end -= 1 }
        return start..<end
    }

    /// The place of a name's last end tag, -1 for none.
    private mutating func endTag(_ name: ArraySlice<UInt8>) -> Int {
        let tags = endTags ?? SecretScanner.endTags(bytes)
        endTags = tags
        return tags[name.suffix(SecretKind.nameLimit).map(ASCII.lower)] ?? -1
    }

    private static func endTags(_ bytes: [UInt8]) -> [[UInt8]: Int] {
        var tags: [[UInt8]: Int] = [:]
        var index = 0
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            guard index < bytes.count, bytes[index] == UInt8(ascii: "/") else { continue }
            let name = bytes[(index + 1)...].prefix { $0 > ASCII.space && !"<>".utf8.contains($0) }
            tags[name.suffix(SecretKind.nameLimit).map(ASCII.lower)] = open
            index = name.endIndex
        }
        return tags
    }

    /// Elements whose text may be the name for the value in the next element.
    private static let nameElements = Set(["key", "name", "id", "field", "property", "param"].map { Array($0.utf8) })

    /// The value of a part of a multipart form (RFC 7578 §4.2) whose name is a secret's: everything after its empty line, a file too.
    ///
    /// A part may be a table, which is looked through unless it begins inside another table.
    mutating func part(_ lineFeed: Int) -> Int? {
        guard form == .text else { return nil }
        if at(lineFeed + 1) == UInt8(ascii: "-"), at(lineFeed + 2) == UInt8(ascii: "-") {
            partStart = lineFeed + 1
            return nil
        }
        let before = at(lineFeed - 1) == ASCII.carriageReturn ? lineFeed - 2 : lineFeed - 1
        guard at(before) == ASCII.lineFeed, let start = partStart else { return nil }
        partStart = nil
        guard lineFeed - start <= SecretScanner.partHeadBytes else { return nil }
        let head = bytes[start..<lineFeed]
        let named = SecretScanner.partName(head).flatMap { Label($0) }
        if named?.isDoubtful != false, lineFeed >= tablePlace.upperBound, SecretScanner.partForm(head) == .table {
            table(lineFeed + 1..<partEnd(head, bytes.count))
        }
        guard let label = named else { return nil }
        // A value under a doubtful name is read only as far as it could be a secret.
        let limit = label.isDoubtful ? min(bytes.count, lineFeed + SecretKind.madeLimit) : bytes.count
        return add(lineFeed + 1..<partEnd(head, limit), label, "part")
    }

    /// The most bytes of a part's head.
    private static let partHeadBytes = 64 << 10

    /// The end of the part with this head; a limit at the latest.
    private func partEnd(_ head: ArraySlice<UInt8>, _ limit: Int) -> Int {
        let start = head.endIndex + 1
        var end = bytes[start..<limit].firstRange(of: SecretScanner.delimiter(head))?.lowerBound ?? limit
        if end > start, end < bytes.count, bytes[end - 1] == ASCII.carriageReturn { end -= 1 }
        return end
    }

    /// The form in which a part is read, by the type and the file name in its head.
    private static func partForm(_ head: ArraySlice<UInt8>) -> Form {
        let lines = head.split(separator: ASCII.lineFeed)
        func field(_ name: String) -> MediaType? {
            let line = lines.first { $0.prefix(name.utf8.count).map(ASCII.lower).elementsEqual(name.utf8) }
            return MediaType(line.map { String(decoding: $0.dropFirst(name.utf8.count), as: UTF8.self) })
        }
        return Form(of: field("content-type:"), field("content-disposition:"))
    }

    /// The delimiter that ends a part: the part's first line, on a line of its own; the value may have lines that begin alike.
    private static func delimiter(_ head: ArraySlice<UInt8>) -> [UInt8] {
        let line = head.prefix { $0 > ASCII.space }
        // No boundary is longer (RFC 2046 §5.1.1).
        return [ASCII.lineFeed] + (line.count <= 72 ? line : line.prefix(2))
    }

    /// The parameter `name` of a part's head in any case (RFC 2183 §2), in quotation marks or without; `filename` is another.
    private static func partName(_ head: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let lower = head.map(ASCII.lower)
        var start = 0
        while let found = lower[start...].firstRange(of: Array("name=".utf8)) {
            let before = found.lowerBound > 0 ? lower[found.lowerBound - 1] : ASCII.space
            let value = head[(head.startIndex + found.upperBound)...]
            if before <= ASCII.space || before == UInt8(ascii: ";") {
                return value.first == UInt8(ascii: "\"")
                    ? value.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != ASCII.lineFeed }
                    : value.prefix { $0 > ASCII.space && $0 != UInt8(ascii: ";") }
            }
            start = found.upperBound
        }
        return nil
    }
}
