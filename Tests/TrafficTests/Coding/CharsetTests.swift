import Foundation
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct CharsetTests {
    @Test(
        "Foundation's encoders and our decoders agree",
        arguments: [
            (Charset.utf8, String.Encoding.utf8), (.windows1252, .windowsCP1252), (.windows1251, .windowsCP1251),
            (.latin2, .isoLatin2), (.shiftJIS, .shiftJIS), (.gb18030, String.Encoding(rawValue: 0x8000_0632)),
            (.windows1255, String.Encoding(rawValue: 0x8000_0505)), (.eucKR, String.Encoding(rawValue: 0x8000_0422)),
            (.big5, String.Encoding(rawValue: 0x8000_0A06)), (.utf16LE, .utf16LittleEndian),
            (.utf16BE, .utf16BigEndian), (.utf16, .utf16),
        ]
    )
    func agrees(_ charset: Charset, _ encoding: String.Encoding) throws {
        let texts: [Charset: String] = [
            .windows1252: "Café – ½ ß", .windows1251: "Привет – №1", .latin2: "Łódź", .shiftJIS: "日本ソ表 ｶﾅ",
            .windows1255: "שלום – ₪1", .eucKR: "한글 똠방각하", .big5: "中文 許功蓋",
        ]
        let text = texts[charset] ?? "Café – 🫖 日本"
        let bytes = Array(try #require(text.data(using: encoding)))
        #expect(charset.text(bytes) == text)
        // Cut anywhere, it comes out whole.
        for cut in 0...bytes.count {
            var decoder = TextDecoder(charset)
            var found: [UInt8] = []
            for piece in [bytes[..<cut], bytes[cut...]] {
                #expect(Array(piece).withUnsafeBytes { decoder.decode($0, into: &found) })
            }
            #expect(decoder.isWhole && String(decoding: found, as: UTF8.self) == text)
        }
    }

    @Test("UTF-16 follows its byte order mark")
    func followsMark() {
        #expect(Charset.utf16.text([0xFE, 0xFF, 0x00, 0x41]) == "A")
        #expect(Charset.utf16.text([0xFF, 0xFE, 0x41, 0x00]) == "A")
        #expect(Charset.utf16.text([0x41, 0x00]) == "A")
    }

    @Test("What calls itself ISO-8859-1 is Windows-1252, as in browsers, and what that leaves open are controls")
    func knowsQuotes() {
        #expect(Charset(label: "Latin1")?.text([0x93, 0x80, 0x94, 0xE9]) == "“€”é")
        #expect(Charset.windows1252.text([0x81, 0x8D, 0x8F, 0x90, 0x9D]) == "\u{81}\u{8D}\u{8F}\u{90}\u{9D}")
    }

    @Test(
        "The labels of other charsets",
        arguments: [
            ("windows-1251", [0xCF, 0xF0], "Пр"), ("KOI8-R", [0xF0, 0xD2], "Пр"), ("iso-8859-5", [0xBF, 0xE0], "Пр"),
            ("cp1250", [0xA3], "Ł"), ("iso-8859-15", [0xA4], "€"), ("iso-8859-9", [0xFE], "ş"),
            ("iso-8859-7", [0xE1], "α"), ("windows-1253", [0xE1], "α"), ("x-sjis", [0x93, 0xFA, 0x5C], "日\\"),
            ("GBK", [0xC4, 0xE3, 0x41], "你A"), ("gb2312", [0xBA, 0xC3], "好"),
            ("gb18030", [0x81, 0x30, 0x81, 0x30], "\u{80}"), ("EUC-KR", [0xC7, 0xD1, 0x8C, 0x63, 0x41], "한똠A"),
            ("ks_c_5601-1987", [0xB1, 0xDB], "글"), ("Big5", [0xA4, 0xA4, 0xB3, 0x5C, 0x5C], "中許\\"),
            ("big5-hkscs", [0xA3, 0xE1], "€"), ("windows-874", [0xCA, 0xC7, 0x80], "สว€"), ("TIS-620", [0xA1], "ก"),
            ("windows-1255", [0xF9, 0xEC], "של"), ("windows-1256", [0xE3, 0xD1], "مر"), ("cp1257", [0xE0, 0xDE], "ąŽ"),
            ("windows-1258", [0xF0, 0xFE], "đ₫"), ("koi8-u", [0xF0, 0xA4, 0xAD], "Пєґ"),
            ("EUC-JP", [0xC6, 0xFC, 0xCB, 0xDC, 0x8E, 0xB6, 0x5C], "日本ｶ\\"),
            ("x-euc-jp", [0xA1, 0xA1, 0xF4, 0xA6], "　熙"),
        ] as [(String, [UInt8], String)]
    )
    func labels(label: String, bytes: [UInt8], text: String) {
        #expect(Charset(label: label)?.text(bytes) == text)
    }

    @Test(
        "Bytes that a charset does not have are passed over where that is asked for, cut anywhere",
        arguments: [
            (.utf8, [0x61, 0xFF, 0x62], "a\u{FFFD}b"), (.utf8, [0xE2, 0x82, 0x61], "\u{FFFD}a"),
            (.utf8, [0xC3, 0xC3, 0xA9], "\u{FFFD}é"), (.utf8, [0x61, 0xF0, 0x9F], "a\u{FFFD}"),
            (.utf16LE, [0x00, 0xDC, 0x61, 0x00], "\u{FFFD}a"), (.utf16LE, [0x00, 0xD8, 0x61, 0x00], "\u{FFFD}a"),
            (.utf16LE, [0x00, 0xD8, 0x3D, 0xD8, 0x00, 0xDE], "\u{FFFD}😀"), (.utf16LE, [0x61, 0x00, 0x62], "a\u{FFFD}"),
            (.shiftJIS, [0x61, 0xFF, 0x93, 0xFA], "a\u{FFFD}日"), (.shiftJIS, [0x93, 0xFA, 0x93], "日\u{FFFD}"),
            (.gb18030, [0xFF, 0xC4, 0xE3, 0x81, 0x30], "\u{FFFD}你\u{FFFD}"),
            (.windows1253, [0xFF, 0xE1], "\u{FFFD}α"), (.windows874, [0xDB, 0xA1], "\u{FFFD}ก"),
            (.eucKR, [0xFF, 0xC7, 0xD1, 0xC7], "\u{FFFD}한\u{FFFD}"), (.eucKR, [0xC9, 0xA1, 0x61], "\u{FFFD}a"),
            (.big5, [0xFF, 0xA4, 0xA4, 0x81, 0x40], "\u{FFFD}中\u{FFFD}"),
            (.eucJP, [0x8F, 0xB0, 0xA1, 0xC6, 0xFC, 0x8F, 0xB0], "\u{FFFD}日\u{FFFD}"),
            (.eucJP, [0x80, 0x61], "\u{FFFD}a"),
        ] as [(Charset, [UInt8], String)]
    )
    func passesOver(charset: Charset, bytes: [UInt8], text: String) {
        #expect(charset.text(bytes) == nil)
        for cut in 0...bytes.count {
            var decoder = TextDecoder(charset, .replacing)
            var found: [UInt8] = []
            for piece in [bytes[..<cut], bytes[cut...]] {
                #expect(Array(piece).withUnsafeBytes { decoder.decode($0, into: &found) })
            }
            decoder.finish(into: &found)
            #expect(String(decoding: found, as: UTF8.self) == text && decoder.strangeBytes > 0)
        }
    }

    @Test("A character that came before is not looked up again where each is read by itself")
    func repeats() throws {
        func time(_ text: [UInt8]) -> Double {
            ThreadTime.least {
                var decoder = TextDecoder(.shiftJIS, .replacing)
                var found: [UInt8] = []
                // The first byte is none, so that the rest is read one by one.
                #expect(([0xFF] + text).withUnsafeBytes { decoder.decode($0, into: &found) })
            }
        }
        // Kanji of the first level: 94 each by 16 rows.
        let many: [UInt8] = (0x90...0x97 as ClosedRange<UInt8>).flatMap { row in
            (0x80...0xFC as ClosedRange<UInt8>).flatMap { [row, $0] }
        }
        let one = (0..<many.count / 2).flatMap { _ in [0x93, 0xFA] as [UInt8] }
        _ = time(one)
        let (few, all) = (time(one), time(many))
        #expect(few * 2 < all, "\(few) \(all)")
    }

    @Test("Where no charset is named, bytes that are no UTF-8 are characters of Windows-1252, and the rest goes on")
    func guesses() {
        var decoder = TextDecoder(.utf8, .guessing)
        var found: [UInt8] = []
        let bytes: [UInt8] = [0x5A, 0xFC, 0x72, 0xC3, 0xA9, 0xE2, 0x82, 0x61, 0x93, 0xC3]
        #expect(bytes.withUnsafeBytes { decoder.decode($0, into: &found) })
        decoder.finish(into: &found)
        #expect(String(decoding: found, as: UTF8.self) == "Züréâ\u{201A}a\u{201C}Ã")
    }

    @Test(
        "Bytes that are no UTF-8 are noticed",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xC3],
            [0xE2, 0x82],
        ] as [[UInt8]]
    )
    func refusesBadUTF8(_ bytes: [UInt8]) {
        #expect(Charset.utf8.text(bytes) == nil)
        #expect(String(validating: bytes, as: UTF8.self) == nil)
    }

    @Test("Text cut anywhere between pieces comes out whole")
    func decodesPieces() {
        let text = "aé日🫖z"
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var decoder = TextDecoder(.utf8)
            var result: [UInt8] = []
            for piece in [bytes[..<cut], bytes[cut...]] {
                #expect(Array(piece).withUnsafeBytes { decoder.decode($0, into: &result) })
            }
            #expect(decoder.isWhole)
            #expect(String(decoding: result, as: UTF8.self) == text)
        }
    }

    @Test(
        "A lone half of a surrogate pair is no UTF-16",
        arguments: [[0x00, 0xDC], [0x00, 0xD8], [0x00, 0xD8, 0x41, 0x00]] as [[UInt8]]
    )
    func refusesLoneSurrogate(_ bytes: [UInt8]) {
        #expect(Charset.utf16LE.text(bytes) == nil)
    }

    @Test("A type's charset decides, UTF-8 where it names none, nothing where it is unknown")
    func choosesCharset() {
        #expect(Charset.of(MediaType("text/html; charset=ISO-8859-1")) == .windows1252)
        #expect(Charset.of(MediaType("text/html")) == .utf8)
        #expect(Charset.of(MediaType("text/html; charset=klingon")) == nil)
    }
}
