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

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
