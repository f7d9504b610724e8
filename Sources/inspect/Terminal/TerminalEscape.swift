import Traffic

/// Makes bytes safe for a terminal, which takes some characters for commands.
enum TerminalEscape {
    /// The text with every scalar that does not show itself written as JSON writes it (`\u009b`), so that JSON stays JSON; line feeds, tabs and the
    /// colours of `Style` stay.
    ///
    /// What a peer, an archive or a user wrote is made visible where it is put into a line (`VisibleText`); this is for JSON, whose texts must stay as
    /// they are for programs, and for what was forgotten.
    static func visible(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.allSatisfy({ 0x20..<0x7F ~= $0 || $0 == ASCII.lineFeed || $0 == ASCII.tab }) { return bytes }
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        var result = String.UnicodeScalarView()
        while let scalar = rest.first {
            let colour = scalar != "\u{1B}" ? nil : Style.sequences.first { rest.starts(with: $0.unicodeScalars) }
            if let colour {
                result.append(contentsOf: colour.unicodeScalars)
            } else if scalar == "\n" || scalar == "\t" || VisibleText.isVisible(scalar) {
                result.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    let zeros = String(repeating: "0", count: 4 - digits.count)
                    result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
                }
            }
            rest = rest.dropFirst(colour?.unicodeScalars.count ?? 1)
        }
        return Array(String(result).utf8)
    }

    /// How many of the bytes are whole scalars: all, except the first bytes of a scalar that the end cuts.
    static func wholeCount(_ bytes: [UInt8]) -> Int {
        for length in 1...3 where length <= bytes.count {
            let byte = bytes[bytes.count - length]
            if byte < 0x80 { break }
            guard byte >= 0xC0 else { continue }
            let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            return needed > length ? bytes.count - length : bytes.count
        }
        return bytes.count
    }
}
