import Foundation
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct CharsetTests {
    @Test(
        "Foundation's encoders and our decoders agree",
        arguments: [
            (Charset.utf8, String.Encoding.utf8), (.latin1, .isoLatin1), (.windows1252, .windowsCP1252),
            (.utf16LE, .utf16LittleEndian), (.utf16BE, .utf16BigEndian), (.utf16, .utf16),
        ]
    )
    func agrees(_ charset: Charset, _ encoding: String.Encoding) throws {
        let texts: [Charset: String] = [.latin1: "Café - ½ ß", .windows1252: "Café – ½ ß"]
        let text = texts[charset] ?? "Café – 🫖 日本"
        let bytes = try #require(text.data(using: encoding))
        #expect(charset.text(Array(bytes)) == text)
    }

    @Test("UTF-16 follows its byte order mark")
    func followsMark() {
        #expect(Charset.utf16.text([0xFE, 0xFF, 0x00, 0x41]) == "A")
        #expect(Charset.utf16.text([0xFF, 0xFE, 0x41, 0x00]) == "A")
        #expect(Charset.utf16.text([0x41, 0x00]) == "A")
    }

    @Test("Windows-1252 has its own characters where Latin-1 has controls")
    func knowsQuotes() {
        #expect(Charset.windows1252.text([0x93, 0x80, 0x94]) == "“€”")
        #expect(Charset.latin1.text([0xE9]) == "é")
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
        #expect(Charset.of(MediaType("text/html; charset=ISO-8859-1")) == .latin1)
        #expect(Charset.of(MediaType("text/html")) == .utf8)
        #expect(Charset.of(MediaType("text/html; charset=klingon")) == nil)
    }
}
