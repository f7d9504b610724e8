import Testing

@testable import Traffic

/// Texts in as many layers of escapes as are undone.
@Suite("The texts inside a text are a fixed multiple of it", .timeLimit(.minutes(15)))
struct RedactionPiecesTests {
    /// A line whose end stands in five layers each of percent-encoding, of character references and of backslashes.
    private static let line =
        String(repeating: "x", count: 400) + " {'a':[['password','k'],['x1','y2']], 'b':'c' : "
        + "%25252525252541 &amp;amp;amp;amp;amp;lt; \(String(repeating: "\\", count: 32)) \n"

    @Test(
        "All pieces of a text in many layers have at most sixty-four times its bytes",
        arguments: ["", "data: ", "data:\r\ndata: "]
    )
    func isBounded(_ field: String) {
        for count in [10, 80] {
            let text = Array(String(repeating: field + Self.line, count: count).utf8)
            var pieces = 0
            DecodedPiece.each(in: text, form: .text, window: .standard) { pieces += $0.bytes.count }
            #expect(pieces > text.count && pieces <= text.count * 64, "\(pieces) \(text.count)")
        }
    }
}
