/// Percent-encoding as forms and queries have it (WHATWG URL §5.1).
enum PercentCoding {
    /// The bytes with `+` as a space and `%XX` as a byte; an escape that is none stays as it is.
    static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        let source = Array(text)
        var bytes: [UInt8] = []
        var index = 0
        while index < source.count {
            if source[index] == UInt8(ascii: "%"), index + 2 < source.count,
                let high = nibble(source[index + 1]), let low = nibble(source[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(source[index] == UInt8(ascii: "+") ? ASCII.space : source[index])
                index += 1
            }
        }
        return bytes
    }

    /// A name or value as a form has it: blanks as `+`, all but unreserved characters as `%XX`.
    static func form(_ text: String) -> String {
        var out: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F: out.append(byte)
            case ASCII.space: out.append(UInt8(ascii: "+"))
            default: out += [UInt8(ascii: "%")] + Hexadecimal.text([byte]).uppercased().utf8
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
