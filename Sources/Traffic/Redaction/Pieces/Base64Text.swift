/// The texts that stand in base64 (RFC 4648 §4 and §5) in another text.
enum Base64Text {
    /// The least bytes of a stretch that is decoded; shorter ones are words.
    private static let leastBytes = 24
    /// The least bytes of a line after which base64 may go on in the next line (RFC 2045 §6.8).
    private static let leastLineBytes = 60

    /// Gives each stretch of base64 that holds a text, with its padding, and that text in UTF-8.
    ///
    /// Of a stretch that is no text, as of a path's segments, each part between slashes is tried alone.
    static func each(in text: [UInt8], _ give: (Range<Int>, [UInt8]) -> Void) {
        var index = 0
        while index < text.count {
            guard digits[Int(text[index])] != noDigit else {
                index += 1
                continue
            }
            let end = end(of: text, index)
            if end - index >= leastBytes {
                let padding = text[end...].prefix(2).prefix { $0 == UInt8(ascii: "=") }
                if let inner = decoded(text[index..<end]) {
                    give(index..<padding.endIndex, inner)
                } else {
                    for part in text[index..<end].split(separator: UInt8(ascii: "/")) where part.count >= leastBytes {
                        guard part.count < end - index, let inner = decoded(part) else { continue }
                        give(part.startIndex..<(part.endIndex == end ? padding.endIndex : part.endIndex), inner)
                    }
                }
            }
            index = end
        }
    }

    /// The end of a stretch, which goes on behind the ends of long lines.
    private static func end(of text: [UInt8], _ start: Int) -> Int {
        var line = start
        while true {
            let end = text[line...].firstIndex { digits[Int($0)] == noDigit } ?? text.count
            let next = text[end...].prefix(2).prefix { $0 == ASCII.carriageReturn || $0 == ASCII.lineFeed }.endIndex
            // Two hyphens begin the delimiter behind a part of a form.
            guard end - line >= leastLineBytes, next > end, next < text.count, digits[Int(text[next])] != noDigit,
                !text[next...].starts(with: "--".utf8)
            else { return end }
            line = next
        }
    }

    /// The text in a stretch; `nil` where the bytes are no text, which mostly the first of them tell.
    private static func decoded(_ stretch: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for letter in stretch {
            let digit = digits[Int(letter)]
            guard digit != noDigit else { continue }
            bits = bits << 6 | UInt32(digit)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            let byte = UInt8(truncatingIfNeeded: bits >> UInt32(count))
            guard byte >= ASCII.space || (0x09...0x0D).contains(byte) else { return nil }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self) == nil ? nil : bytes
    }

    private static let noDigit: UInt8 = 0xFF

    /// The value of each letter of both alphabets.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: noDigit, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (digit, letter) in letters.utf8.enumerated() { digits[Int(letter)] = UInt8(digit) }
        (digits[Int(UInt8(ascii: "-"))], digits[Int(UInt8(ascii: "_"))]) = (62, 63)
        return digits
    }()
}
