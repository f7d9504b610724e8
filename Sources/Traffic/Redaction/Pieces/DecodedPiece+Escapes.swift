extension DecodedPiece {
    /// The spellings of a value: as it is, and with its layers undone, the plainest last.
    static func spellings(of value: [UInt8]) -> [[UInt8]] {
        var spellings = [value]
        for coding in [Coding.doubled, .slashes, .entities, .form] {
            guard let last = spellings.last else { break }
            let plain = DecodedPiece(last[...], coding, in: Layers(.standard)) { UInt32(truncatingIfNeeded: $0) }.bytes
            if plain != last { spellings.append(plain) }
        }
        return spellings
    }

    /// The bytes that an escape at the beginning of a text stands for, and its length; `nil` where there is no escape.
    static func escape(_ rest: ArraySlice<UInt8>, _ coding: Coding) -> (decoded: [UInt8], count: Int)? {
        switch (coding, rest[rest.startIndex]) {
        case (.slashes, UInt8(ascii: "\\")): slash(rest.prefix(6))
        case (.doubled, UInt8(ascii: "\"")) where rest.dropFirst().first == UInt8(ascii: "\""):
            ([UInt8(ascii: "\"")], 2)
        case (.entities, UInt8(ascii: "&")): entity(rest.prefix(12))
        case (.form, UInt8(ascii: "+")): ([ASCII.space], 1)
        case (.form, UInt8(ascii: "%")), (.percent, UInt8(ascii: "%")):
            PercentCoding.byte(at: 0, in: Array(rest.prefix(3))).map { ([$0], 3) }
        default: nil
        }
    }

    /// A byte as a layer spells it.
    static func escaped(_ byte: UInt8, _ coding: Coding) -> [UInt8] {
        let isQuote = byte == UInt8(ascii: "\"")
        return switch coding {
        case .slashes: isQuote || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : [byte]
        case .doubled: isQuote ? [byte, byte] : [byte]
        case .event, .plain: [byte]
        case .entities: isQuote ? Array("&quot;".utf8) : byte == UInt8(ascii: "&") ? Array("&amp;".utf8) : [byte]
        case .form, .percent:
            SecretScanner.isBase64URL(byte) ? [byte] : Array("%\(Hexadecimal.text([byte]))".utf8)
        }
    }

    /// What an escape of a backslash stands for, and its length.
    static func slash(_ text: ArraySlice<UInt8>) -> (decoded: [UInt8], count: Int)? {
        guard let letter = text.dropFirst().first else { return nil }
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"): return ([letter], 2)
        case UInt8(ascii: "n"): return ([ASCII.lineFeed], 2)
        case UInt8(ascii: "r"): return ([ASCII.carriageReturn], 2)
        case UInt8(ascii: "t"): return ([ASCII.tab], 2)
        case UInt8(ascii: "b"), UInt8(ascii: "f"): return ([ASCII.space], 2)
        case UInt8(ascii: "u"): return number(text.dropFirst(2).prefix(4), count: 4).map { ($0, 6) }
        case UInt8(ascii: "x"): return number(text.dropFirst(2).prefix(2), count: 2).map { ($0, 4) }
        default: return nil
        }
    }

    /// A character by its number in hexadecimal; half of a surrogate pair is U+FFFD.
    private static func number(_ digits: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
        let values = digits.compactMap(Hexadecimal.digit)
        guard values.count == count else { return nil }
        return character(values.reduce(0) { $0 << 4 | UInt32($1) })
    }

    private static func character(_ number: UInt32) -> [UInt8] {
        Array(String(Character(Unicode.Scalar(number) ?? "\u{FFFD}")).utf8)
    }

    private static let names: [String: UInt8] = [
        "quot": UInt8(ascii: "\""), "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
        "apos": UInt8(ascii: "'"), "equals": UInt8(ascii: "="), "colon": UInt8(ascii: ":"),
    ]

    /// What a character reference stands for, and its length.
    static func entity(_ text: ArraySlice<UInt8>) -> (decoded: [UInt8], count: Int)? {
        guard let end = text.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = text[text.startIndex + 1..<end]
        let count = end - text.startIndex + 1
        guard name.first == UInt8(ascii: "#") else {
            return names[String(decoding: name, as: UTF8.self)].map { ([$0], count) }
        }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first.map(ASCII.lower) == UInt8(ascii: "x")
        let text = String(decoding: isHexadecimal ? digits.dropFirst() : digits, as: UTF8.self)
        return UInt32(text, radix: isHexadecimal ? 16 : 10).map { (character($0), count) }
    }
}
