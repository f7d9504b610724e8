/// A character encoding of bodies that can be turned into UTF-8 (WHATWG Encoding §4.2 has the labels).
package enum Charset: String, Hashable, Sendable, CaseIterable {
    case utf8 = "utf-8"
    /// By its byte order mark, else little-endian as nearly all of it is (WHATWG Encoding §14.4).
    case utf16 = "utf-16"
    case utf16LE = "utf-16le"
    case utf16BE = "utf-16be"
    /// The labels TIS-620 and ISO-8859-11 mean it too.
    case windows874 = "windows-874"
    case windows1250 = "windows-1250"
    case windows1251 = "windows-1251"
    /// The labels ISO-8859-1 and Latin-1 mean it too, as in every browser.
    case windows1252 = "windows-1252"
    case windows1253 = "windows-1253"
    case windows1254 = "windows-1254"
    case windows1255 = "windows-1255"
    case windows1256 = "windows-1256"
    case windows1257 = "windows-1257"
    case windows1258 = "windows-1258"
    case latin2 = "iso-8859-2"
    case cyrillic = "iso-8859-5"
    case greek = "iso-8859-7"
    case latin9 = "iso-8859-15"
    case koi8 = "koi8-r"
    case koi8U = "koi8-u"
    case shiftJIS = "shift_jis"
    /// JIS X 0208 and half-width katakana; JIS X 0212 is not read.
    case eucJP = "euc-jp"
    /// Read as windows-949, which contains it; the label KS C 5601 means it too.
    case eucKR = "euc-kr"
    /// With the characters that Hong Kong added.
    case big5
    /// The labels GBK and GB 2312 mean it too; it contains both.
    case gb18030

    /// The charset of a label, ignoring case; `nil` for one we cannot read.
    package init?(label: String) {
        switch label.lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii", "ansi_x3.4-1968": self = .utf8
        case "utf-16", "utf16": self = .utf16
        case "utf-16le": self = .utf16LE
        case "utf-16be": self = .utf16BE
        case "windows-874", "dos-874", "tis-620", "iso-8859-11", "iso8859-11", "iso885911": self = .windows874
        case "windows-1250", "cp1250", "x-cp1250": self = .windows1250
        case "windows-1251", "cp1251", "x-cp1251": self = .windows1251
        case "windows-1252", "cp1252", "cp-1252", "x-cp1252", "iso-8859-1", "iso8859-1", "iso88591", "iso_8859-1",
            "latin1", "latin-1", "l1", "cp819", "ibm819":
            self = .windows1252
        case "windows-1253", "cp1253", "x-cp1253": self = .windows1253
        case "windows-1254", "cp1254", "x-cp1254", "iso-8859-9", "iso8859-9", "iso_8859-9", "latin5", "l5":
            self = .windows1254
        case "windows-1255", "cp1255", "x-cp1255": self = .windows1255
        case "windows-1256", "cp1256", "x-cp1256": self = .windows1256
        case "windows-1257", "cp1257", "x-cp1257": self = .windows1257
        case "windows-1258", "cp1258", "x-cp1258": self = .windows1258
        case "iso-8859-2", "iso8859-2", "iso_8859-2", "latin2", "l2": self = .latin2
        case "iso-8859-5", "iso8859-5", "iso_8859-5", "cyrillic": self = .cyrillic
        case "iso-8859-7", "iso8859-7", "iso_8859-7", "greek": self = .greek
        case "iso-8859-15", "iso8859-15", "iso_8859-15", "l9": self = .latin9
        case "koi8-r", "koi8_r", "koi8", "koi", "cskoi8r": self = .koi8
        case "koi8-u", "koi8-ru": self = .koi8U
        case "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "ms932", "windows-31j", "csshiftjis":
            self = .shiftJIS
        case "euc-jp", "x-euc-jp", "cseucpkdfmtjapanese": self = .eucJP
        case "euc-kr", "cseuckr", "korean", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601", "csksc56011987",
            "iso-ir-149", "windows-949", "cp949":
            self = .eucKR
        case "big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5": self = .big5
        case "gb18030", "gbk", "x-gbk", "gb2312", "gb_2312", "gb_2312-80", "csgb2312", "chinese": self = .gb18030
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
}
