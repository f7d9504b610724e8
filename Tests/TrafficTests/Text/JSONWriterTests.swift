import Foundation
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct JSONWriterTests {
    @Test("Members come in the order they are written, slashes stay as they are")
    func keepsOrder() {
        var json = JSONWriter()
        json.object { json in
            json.string("z", "a/b")
            json.integer("a", 1)
            json.array("list") { json in
                json.null()
                json.boolean(nil, true)
                json.object { _ in }
            }
            json.string("none", nil)
            json.integer("no", nil as Int?)
        }
        #expect(
            String(decoding: json.take(), as: UTF8.self)
                == #"{"z":"a/b","a":1,"list":[null,true,{}],"none":null,"no":null}"#
        )
    }

    @Test("Any text comes back from a parser as it went in")
    func escapes() throws {
        let text = "\u{0}\u{1F}\"\\/\n\r\t\u{8}\u{C}\u{7F}\u{2028} Café 🫖"
        var json = JSONWriter()
        json.array { $0.string(nil, text) }
        let read = try JSONDecoder().decode([String].self, from: Data(json.take()))
        #expect(read == [text])
    }

    @Test(
        "Microseconds are written as milliseconds without a rounding error",
        arguments: [
            (0, "0"), (12_400, "12.4"), (1, "0.001"), (10, "0.01"), (999, "0.999"), (1_000, "1"), (-1_000, "-1"),
            (-1, "-0.001"), (1_001_050, "1001.05"),
        ]
            as [(Int64, String)]
    )
    func writesMilliseconds(_ microseconds: Int64, _ text: String) {
        var json = JSONWriter()
        json.milliseconds(microseconds: microseconds)
        #expect(String(decoding: json.take(), as: UTF8.self) == text)
    }

    @Test("Indented text holds the same values")
    func indents() throws {
        var json = JSONWriter(isIndented: true)
        json.object { json in
            json.array("a") { $0.integer(nil, 1) }
            json.object("b") { _ in }
        }
        #expect(String(decoding: json.take(), as: UTF8.self) == "{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}")
    }

    @Test(
        "A text is one string in quotes, with what JSON does not let stand escaped, and all else as it is",
        arguments: [
            ("", #""""#), ("a/b", #""a/b""#), ("\"\\'", ##""\"\\'""##), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
            ("\0\u{1F}\u{7F}", "\"\\u0000\\u001f\u{7F}\""), ("é\u{2028}😀", "\"é\u{2028}😀\""),
            ("\"\u{301}", "\"\\\"\u{301}\""),
        ]
    )
    func quotes(_ text: String, _ expected: String) throws {
        #expect(JSONWriter.quoted(text) == expected)
        #expect(try JSONDecoder().decode([String].self, from: Data("[\(expected)]".utf8)) == [text])
    }

    @Test(
        "Moments are written as RFC 3339 in UTC with milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_763_647_323_456_789, "2025-11-20T14:02:03.456Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (4_107_542_399_999_999, "2100-02-28T23:59:59.999Z"), (.max, "294247-01-10T04:00:54.775Z"),
            (.min, "-290308-12-21T19:59:05.224Z"),
        ] as [(Int64, String)]
    )
    func writesMoments(_ microseconds: Int64, _ text: String) {
        #expect(Timestamp.text(microseconds: microseconds) == text)
    }
}
