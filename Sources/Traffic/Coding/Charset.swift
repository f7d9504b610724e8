/// A character encoding of bodies that can be turned into UTF-8 (WHATWG Encoding §4.2 has the labels).
package enum Charset: String, Hashable, Sendable, CaseIterable {
    case utf8 = "utf-8"
    case latin1 = "iso-8859-1"
    case windows1252 = "windows-1252"
    /// By its byte order mark, else little-endian as nearly all of it is (WHATWG Encoding §14.4).
    case utf16 = "utf-16"
    case utf16LE = "utf-16le"
    case utf16BE = "utf-16be"

    /// The charset of a label, ignoring case; `nil` for one we cannot read.
    package init?(label: String) {
        switch label.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968": self = .utf8
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1": self = .latin1
        case "windows-1252", "cp1252", "cp-1252", "x-cp1252": self = .windows1252
        case "utf-16", "utf16": self = .utf16
        case "utf-16le": self = .utf16LE
        case "utf-16be": self = .utf16BE
        default: return nil
        }
    }

    /// The charset a body is read in: what its type names, else UTF-8; `nil` when the type names one we cannot read.
    package static func of(_ type: MediaType?) -> Charset? {
        guard let label = type?.charset else { return .utf8 }
        return Charset(label: label)
    }

    /// A whole text as a string; `nil` when the bytes are no text in this charset.
    package func text(_ bytes: [UInt8]) -> String? {
        var utf8: [UInt8] = []
        var decoder = TextDecoder(self)
        guard bytes.withUnsafeBytes({ decoder.decode($0, into: &utf8) }), decoder.isWhole else { return nil }
        return String(decoding: utf8, as: UTF8.self)
    }

    /// The scalar of a byte in Windows-1252; the five bytes it leaves open are the controls of that number, as in every browser.
    static func windows1252Scalar(_ byte: UInt8) -> UInt32 {
        (0x80...0x9F).contains(byte) ? upperControls[Int(byte) - 0x80] : UInt32(byte)
    }

    private static let upperControls: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
        0x017E, 0x0178,
    ]
}
