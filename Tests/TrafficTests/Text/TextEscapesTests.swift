import Testing
import Traffic

@Suite("Escapes in texts that are searched", .timeLimit(.minutes(15)))
struct TextEscapesTests {
    @Test(
        "What stands for a character beyond ASCII is that character, cut anywhere; all else stays",
        arguments: [
            (#"Z\u00fcrich \u00DC"#, "Zürich Ü"), (#"\ud83d\ude00!"#, "😀!"), (#"\\u00fc"#, #"\\u00fc"#),
            (#"\\\u00fc"#, #"\\ü"#), (#"\u0041\u0022\u003c"#, #"\u0041\u0022\u003c"#), (#"\ud83d\u00fc"#, #"\ud83dü"#),
            (#"\ud83dx \ude00"#, #"\ud83dx \ude00"#), (#"\u00f"#, #"\u00f"#), (#"\u00gc\n\"#, #"\u00gc\n\"#),
            (#"\ud83d\u"#, #"\ud83d\u"#), (#"\ud83d\ud83d\ude00"#, #"\ud83d😀"#), (#"C:\éa"#, #"C:\éa"#), ("", ""),
        ]
    )
    func reads(text: String, decoded: String) {
        #expect(TextEscapes.decoded(text) == decoded)
        for cut in text.unicodeScalars.indices {
            var escapes = TextEscapes()
            var found: [UInt8] = []
            for piece in [text[..<cut], text[cut...]] { escapes.decode(Array(piece.utf8), into: &found) }
            escapes.finish(into: &found)
            #expect(String(decoding: found, as: UTF8.self) == decoded, "\(text)")
        }
    }
}
