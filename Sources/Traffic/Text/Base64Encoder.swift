/// Encodes bytes as base64 piece by piece (RFC 4648 §4), with padding at the end.
package struct Base64Encoder: Sendable {
    /// Bytes that do not fill a group of three yet; at most 2.
    private var rest: [UInt8] = []
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package init() {}

    /// Appends the digits of the next bytes.
    package mutating func encode(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) {
        var index = 0
        while !rest.isEmpty, rest.count < 3, index < bytes.count {
            rest.append(bytes[index])
            index += 1
        }
        if rest.count == 3 {
            Base64Encoder.append(rest[0], rest[1], rest[2], to: &text)
            rest.removeAll(keepingCapacity: true)
        }
        guard rest.isEmpty else { return }
        text.reserveCapacity(text.count + (bytes.count - index) / 3 * 4 + 4)
        while index + 3 <= bytes.count {
            Base64Encoder.append(bytes[index], bytes[index + 1], bytes[index + 2], to: &text)
            index += 3
        }
        rest.append(contentsOf: bytes[index...])
    }

    /// Appends the last group with its padding.
    package mutating func finish(into text: inout [UInt8]) {
        guard let first = rest.first else { return }
        let second = rest.dropFirst().first
        Base64Encoder.append(first, second ?? 0, 0, to: &text)
        for padding in 1...(second == nil ? 2 : 1) { text[text.count - padding] = UInt8(ascii: "=") }
        rest.removeAll()
    }

    /// All of some bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        var encoder = Base64Encoder()
        var text: [UInt8] = []
        bytes.withUnsafeBytes { encoder.encode($0, into: &text) }
        encoder.finish(into: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ first: UInt8, _ second: UInt8, _ third: UInt8, to text: inout [UInt8]) {
        text.append(digits[Int(first >> 2)])
        text.append(digits[Int((first & 0x03) << 4 | second >> 4)])
        text.append(digits[Int((second & 0x0F) << 2 | third >> 6)])
        text.append(digits[Int(third & 0x3F)])
    }
}
