import Testing
import Traffic

@Suite("Bytes are base64 and back", .timeLimit(.minutes(15)))
struct Base64Tests {
    @Test(
        "Bytes have the digits of the standard, and give themselves again",
        arguments: [
            ([], ""), (Array("f".utf8), "Zg=="), (Array("fo".utf8), "Zm8="), (Array("foo".utf8), "Zm9v"),
            (Array("foob".utf8), "Zm9vYg=="), (Array("fooba".utf8), "Zm9vYmE="), (Array("foobar".utf8), "Zm9vYmFy"),
            ([0xFB, 0xEF, 0xFF], "++//"), ([0xFF], "/w=="), ([0, 0, 0, 0], "AAAAAA=="),
        ]
    )
    func digits(_ bytes: [UInt8], _ text: String) {
        #expect(Base64Encoder.text(bytes) == text)
        #expect(Base64Decoder.bytes(text) == bytes)
    }

    @Test("Pieces of any size join to the digits of the whole")
    func pieces() {
        let bytes = (0...255).map { UInt8($0) }
        for size in 1...64 {
            var encoder = Base64Encoder()
            var text: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { encoder.encode($0, into: &text) }
                [UInt8]().withUnsafeBytes { encoder.encode($0, into: &text) }
            }
            encoder.finish(into: &text)
            #expect(String(decoding: text, as: UTF8.self) == Base64Encoder.text(bytes), "pieces of \(size)")
        }
    }

    @Test(
        "Line ends, blanks and missing padding pass; any other character does not",
        arguments: [
            ("Zm9v\r\nYmE", "fooba"), ("Zg", "f"), ("Zg=", "f"), (" Zm8 = ", "fo"), ("Zm9vY", nil), ("Zm9-", nil),
            ("Zm9v\tYg", nil), ("Zé9v", nil),
        ]
    )
    func reads(_ text: String, _ expected: String?) {
        #expect(Base64Decoder.bytes(text) == expected.map { Array($0.utf8) })
    }
}
