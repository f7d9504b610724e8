/// Bytes as offset, digits and characters, sixteen a line.
enum HexDump {
    /// The lines of a dump.
    static func lines(_ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            let row = bytes[start..<min(start + 16, bytes.count)]
            let octets = row.map { digits($0, width: 2) }.joined(separator: " ")
            let text = row.map { (0x20..<0x7F).contains($0) ? String(Unicode.Scalar($0)) : "." }.joined()
            return "\(digits(start, width: 8))  \(octets)\(String(repeating: " ", count: 47 - octets.count))  \(text)"
        }
    }

    private static func digits(_ value: some BinaryInteger, width: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
