import Foundation
import Traffic

/// A `format` that is checked; a text that does not have its format is a breach, as people who write one expect.
package enum SchemaFormat: String, Sendable, CaseIterable {
    case dateTime = "date-time"
    case date, time, duration, uuid, email, hostname, ipv4, ipv6, uri
    case uriReference = "uri-reference"
    case byte, int32, int64

    /// The formats that say how a value is meant and forbid nothing.
    static let annotations: Set<String> = ["password", "binary", "float", "double", "html", "markdown", "commonmark"]

    /// The formats of texts alone that are not checked (JSON Schema Validation §7.3).
    static let texts: Set<String> = [
        "idn-email", "idn-hostname", "iri", "iri-reference", "uri-template", "json-pointer", "relative-json-pointer",
        "regex",
    ]

    /// Whether the format is about numbers.
    var isNumeric: Bool { self == .int32 || self == .int64 }

    /// Whether a number is of the format.
    func holds(_ number: JSONValue) -> Bool {
        switch self {
        case .int32: SchemaFormat.isWhole(number, from: "-2147483648", through: "2147483647")
        case .int64: SchemaFormat.isWhole(number, from: "-9223372036854775808", through: "9223372036854775807")
        default: true
        }
    }

    private static func isWhole(_ number: JSONValue, from least: String, through most: String) -> Bool {
        guard let number = number.numeral, let least = Numeral(least), let most = Numeral(most) else { return false }
        return number.isInteger && least <= number && number <= most
    }

    /// Whether a text is of the format for certain.
    package func holds(_ text: String) -> Bool { verdict(on: text) == .holds }

    /// Whether a text is of the format; `unknown` where a host name has a label of which that cannot be told.
    func verdict(on text: String) -> SchemaVerdict {
        guard hasForm(text) else { return .fails }
        var verdict = SchemaVerdict.holds
        for label in aLabels(of: text) where verdict != .fails { verdict.meet(label.verdict) }
        return verdict
    }

    /// What checking a text costs, in characters that are compared in that time.
    func cost(of text: String) -> Int { text.utf8.count + aLabels(of: text).count * ALabel.cost }

    /// The labels of a host name, also of a mailbox's, that stand for others.
    private func aLabels(of text: String) -> [ALabel] {
        guard self == .hostname || self == .email else { return [] }
        let name = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text[...]
        guard name.utf8.count <= SchemaFormat.longestName else { return [] }
        return name.split(separator: ".").compactMap { ALabel($0) }
    }

    /// Whether a text has the form, whatever its labels stand for.
    func hasForm(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        switch self {
        case .dateTime:
            guard bytes.count >= 20, "Tt".utf8.contains(bytes[10]) else { return false }
            return SchemaFormat.isDate(bytes[..<10]) && SchemaFormat.isTime(bytes[11...])
        case .date: return SchemaFormat.isDate(bytes[...])
        case .time: return SchemaFormat.isTime(bytes[...])
        case .duration: return SchemaFormat.isDuration(text)
        case .uuid:
            return bytes.count == 36
                && bytes.indices.allSatisfy { index in
                    [8, 13, 18, 23].contains(index)
                        ? bytes[index] == UInt8(ascii: "-") : SchemaFormat.isHexadecimal(bytes[index])
                }
        case .email: return SchemaFormat.isEmail(text)
        case .hostname: return SchemaFormat.isHostname(bytes)
        case .ipv4: return SchemaFormat.isIPv4(text[...])
        case .ipv6: return SchemaFormat.isIPv6(text[...])
        case .uri: return SchemaFormat.isURI(bytes, needsScheme: true)
        case .uriReference: return SchemaFormat.isURI(bytes, needsScheme: false)
        case .byte: return Data(base64Encoded: text) != nil
        case .int32, .int64: return true
        }
    }

    // MARK: dates (RFC 3339 §5.6)

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    private static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
        let start = text.startIndex
        guard text.count == 10, text[start + 4] == UInt8(ascii: "-"), text[start + 7] == UInt8(ascii: "-"),
            let year = number(text[start..<start + 4]), let month = number(text[start + 5..<start + 7]),
            let day = number(text[start + 8..<start + 10]), year > 0, (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(day)
    }

    /// Hours, minutes, seconds with a fraction perhaps, and the offset, which is needed.
    ///
    /// A leap second stands at the end of a day of UTC.
    private static func isTime(_ text: ArraySlice<UInt8>) -> Bool {
        let start = text.startIndex
        guard text.count >= 9, text[start + 2] == colon, text[start + 5] == colon,
            let hour = number(text[start..<start + 2]), let minute = number(text[start + 3..<start + 5]),
            let second = number(text[start + 6..<start + 8]), hour < 24, minute < 60, second <= 60
        else { return false }
        var rest = text[(start + 8)...]
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !fraction.isEmpty else { return false }
            rest = rest[fraction.endIndex...]
        }
        // In minutes after midnight of UTC.
        func mayBe(_ ahead: Int) -> Bool { second < 60 || (hour * 60 + minute - ahead + 2 * 1440) % 1440 == 1439 }
        if rest.count == 1 { return "Zz".utf8.contains(rest[rest.startIndex]) && mayBe(0) }
        guard rest.count == 6, "+-".utf8.contains(rest[rest.startIndex]), rest[rest.startIndex + 3] == colon,
            let hours = number(rest[rest.startIndex + 1..<rest.startIndex + 3]),
            let minutes = number(rest[rest.startIndex + 4..<rest.startIndex + 6])
        else { return false }
        let ahead = (hours * 60 + minutes) * (rest.first == UInt8(ascii: "-") ? -1 : 1)
        return hours < 24 && minutes < 60 && mayBe(ahead)
    }

    static let colon = UInt8(ascii: ":")

    /// `P3Y6M4DT12H30M5S`, `P2W`, the weeks by themselves (RFC 3339 appendix A).
    private static func isDuration(_ text: String) -> Bool {
        guard text.first == "P", text.count > 1 else { return false }
        if text.hasSuffix("W") {
            return text.count > 2 && text.utf8.dropFirst().dropLast().allSatisfy { (0x30...0x39).contains($0) }
        }
        var units = Array("YMD")[...]
        var digits = 0
        var (inTime, isBegun) = (false, false)
        var last: Character = "P"
        for character in text.dropFirst() {
            if character.isASCII, character.isNumber {
                digits += 1
            } else if character == "T", !inTime, digits == 0 {
                (inTime, isBegun, units) = (true, false, Array("HMS")[...])
            } else if digits > 0, let place = units.firstIndex(of: character), !isBegun || place == units.startIndex {
                // What comes after a unit is the next smaller one.
                (digits, isBegun, units) = (0, true, units[(place + 1)...])
            } else {
                return false
            }
            last = character
        }
        return digits == 0 && last != "T" && last != "P"
    }

    // MARK: names and addresses

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// A local part and a domain round an `@` (RFC 5321 §4.1.2).
    private static func isEmail(_ text: String) -> Bool {
        guard let at = text.lastIndex(of: "@"), at > text.startIndex else { return false }
        let (local, domain) = (text[..<at], text[text.index(after: at)...])
        return (local.first == "\"" ? isQuoted(local) : isDotString(local))
            && (domain.first == "[" ? isAddressLiteral(domain) : isHostname(Array(domain.utf8)))
    }

    /// A text in quotes, in which a backslash stands before a quote (RFC 5321 §4.1.2).
    private static func isQuoted(_ text: Substring) -> Bool {
        guard text.utf8.count > 1, text.last == "\"", !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return false
        }
        var isEscaped = false
        for byte in text.utf8.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\""), !isEscaped { return false }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return !isEscaped
    }

    /// An address in brackets (RFC 5321 §4.1.3).
    private static func isAddressLiteral(_ text: Substring) -> Bool {
        guard text.last == "]" else { return false }
        let address = text.dropFirst().dropLast()
        return address.hasPrefix("IPv6:") ? isIPv6(address.dropFirst(5)) : isIPv4(address)
    }

    /// Words between single dots (RFC 5321 §4.1.2), without blanks.
    private static func isDotString(_ text: Substring) -> Bool {
        !text.unicodeScalars.contains { $0 == "@" || $0.properties.isWhitespace || $0.value < 0x20 }
            && !text.split(separator: ".", omittingEmptySubsequences: false).contains("")
    }

    /// The most bytes of a host name (RFC 1035 §2.3.4: 255 with the length of the first label and the root).
    private static let longestName = 253

    private static func isHostname(_ bytes: [UInt8]) -> Bool {
        guard (1...longestName).contains(bytes.count) else { return false }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
                }
        }
    }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && (part.utf8.count == 1 || part.first != "0")
                    && number(Array(part.utf8)[...]).map { $0 < 256 } == true
            }
    }

    /// RFC 4291 §2.2; no zone.
    static func isIPv6(_ text: Substring) -> Bool {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2, !text.contains(":::") else { return false }
        var groups = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            let parts = half.split(separator: ":", omittingEmptySubsequences: false)
            for (place, part) in parts.enumerated() {
                let isLast = index == halves.count - 1 && place == parts.count - 1
                if isLast, part.contains(".") {
                    guard isIPv4(part) else { return false }
                    groups += 2
                } else {
                    guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexadecimal) else { return false }
                    groups += 1
                }
            }
        }
        return halves.count == 2 ? groups <= 7 : groups == 8
    }
}
