import NIOCore
import Testing
import Traffic

/// Texts in base64 with a secret in them.
@Suite("Secrets in base64 do not leave the machine", .timeLimit(.minutes(15)))
struct RedactedBase64Tests {
    private static let secret = "q7Wn2Zk9Lx4Tb8Vd"
    private static let inner = #"{"password":"\#(secret)","user":"ann"}"#
    private static let key =
        "-----BEGIN PRIVATE KEY-----\n\(String(repeating: secret, count: 4))\n-----END PRIVATE KEY-----\n"

    private func masked(_ text: String, _ type: String = "application/json") throws -> String {
        let sample = SampleExchange(
            response: "HTTP/1.1 200 OK\nContent-Type: \(type)\n\n",
            responseBody: Array(text.utf8)
        )
        let redactor = Redactor(digest: Redactor.quickDigest)
        return String(decoding: try redactor.maskedResponse(of: sample), as: UTF8.self)
    }

    private func base64(_ text: String) -> String { Base64Encoder.text(Array(text.utf8)) }

    @Test(
        "A string in base64 that tells a secret is masked whole, padded or not, in either alphabet",
        arguments: [inner, key]
    )
    func strings(_ inner: String) throws {
        let whole = base64(inner + "~~~???")
        let bare = String(whole.filter { $0 != "=" })
        for spelled in [whole, bare, bare.replacing("+", with: "-").replacing("/", with: "_")] {
            let out = try masked(#"{"data":{"x.y":"\#(spelled)"},"kept":1}"#)
            #expect(!out.contains(spelled.prefix(24)) && !out.contains(spelled.suffix(16)), "\(out)")
            #expect(out.contains(#":"<"#) && out.hasSuffix(#">"},"kept":1}"#), "\(out)")
        }
    }

    @Test("Base64 in a query, in the lines of a part and in an inner text is masked")
    func places() throws {
        let spelled = base64(Self.inner)
        let target = "/a?state=\(spelled.replacing("=", with: "%3D"))&kept=1"
        let sample = SampleExchange(head: "GET \(target) HTTP/1.1\nHost: a\n\n", target: target)
        let redactor = Redactor(digest: Redactor.quickDigest)
        let head = String(buffer: try redactor.redact(sample.record, source: sample.source).exchange.request.head)
        #expect(!head.contains(spelled.prefix(24)) && head.contains("&kept=1"), "\(head)")

        let long = base64(String(repeating: "kept ", count: 30) + Self.inner)
        let lines = stride(from: 0, to: long.count, by: 76).map { long.dropFirst($0).prefix(76) }
        let part = "--b\r\nContent-Transfer-Encoding: base64\r\n\r\n\(lines.joined(separator: "\r\n"))\r\n--b--\r\n"
        let out = try masked(part, "multipart/form-data; boundary=b")
        #expect(lines.allSatisfy { !out.contains($0) } && out.hasSuffix("\r\n--b--\r\n"), "\(out)")

        let inside = try masked(#"{"a":"{\"b\":\"\#(spelled)\"}","kept":1}"#)
        #expect(!inside.contains(spelled.prefix(24)) && inside.contains(#"\"}","kept":1}"#), "\(inside)")
    }

    @Test("Base64 whose lines or letters have escapes in a JSON string is masked", arguments: [60, 76])
    func escapes(width: Int) throws {
        let long = base64(String(repeating: "kept ", count: 30) + Self.inner + " ???")
        let lines = stride(from: 0, to: long.count, by: width).map { String(long.dropFirst($0).prefix(width)) }
        let escaped = lines.joined(separator: "\\n").replacing("/", with: "\\/")
        let out = try masked(#"{"content":"\#(escaped)\n","kept":1}"#)
        #expect(lines.allSatisfy { !out.contains($0.prefix(20)) } && out.hasSuffix(#"","kept":1}"#), "\(out)")
        #expect(throws: Never.self, "\(out)") { try JSONReader.value(Array(out.utf8)) }

        let text = base64("some more words with \(Self.secret) in it")
        let split = "\(base64(String(repeating: "kept ", count: 9)))\\n\(text)"
        let known = try masked(#"{"password":"\#(Self.secret)","x":"\#(split)","kept":1}"#)
        #expect(!known.contains(text), "\(known)")
    }

    @Test("Base64 behind an escape, and as a segment of a path, is masked")
    func behind() throws {
        let spelled = base64(Self.inner)
        for text in [
            "x\\n\(spelled)", "https%3A%2F%2Fh%2Fcb%3Fstate%3D\(spelled)", "/cb/\(spelled)", "/cb/\(spelled)/more",
            "https://a.test/\(spelled)?b=1",
        ] {
            let out = try masked(#"{"a":"\#(text)","kept":1}"#)
            #expect(!out.contains(spelled.prefix(24)) && out.hasSuffix(#"","kept":1}"#), "\(out)")
        }
        let known = "/cb/\(base64("some words with \(Self.secret) in it"))/x"
        let out = try masked(#"{"password":"\#(Self.secret)","x":"\#(known)","kept":1}"#)
        #expect(out.contains(#""/cb/<"#) && out.hasSuffix(#">/x","kept":1}"#), "\(out)")
    }

    @Test("Base64 between lines of other words and digits is masked, and each line of tokens")
    func neighbours() throws {
        let letters = base64((Self.inner + String(repeating: " ", count: 60)).prefix(54).description)
        let token = base64(Self.inner + "         ").filter { $0 != "=" }
        try #require(letters.count == 72 && !letters.contains("=") && token.count > 60 && token.count % 4 != 0)
        let digest = String(repeating: "9f86d081884c7d65", count: 4)
        for text in [
            "STATE=\(letters)\nNEXT=1", "\(digest)\n\(letters)\n", "\(digest)\n\(letters)\n\(letters)\nmore words",
            "\(token)\n\(token)\n", "\(token)\n\(letters)\n\(digest)\n\(token)",
        ] {
            let out = try masked(text, "text/plain")
            #expect(!out.contains(letters.prefix(24)) && !out.contains(token.prefix(24)), "\(out)")
            #expect(!text.contains(digest) || out.contains(digest), "\(out)")
        }
    }

    @Test("Base64 that is decoded in pieces is masked wherever a piece ends", arguments: [76, 60], ["kept ", "日本語の"])
    func cut(width: Int, filling: String) throws {
        for before in stride(from: 0, to: 1_600, by: 37) {
            let start =
                String(repeating: filling, count: before / filling.utf8.count)
                + String(repeating: "x", count: before % 5)
            let text = start + Self.inner + String(repeating: filling, count: 100)
            let long = base64(text)
            let lines = stride(from: 0, to: long.count, by: width).map { String(long.dropFirst($0).prefix(width)) }
            let body = #"{"content":"\#(lines.joined(separator: "\\n"))","kept":1}"#
            let sample = SampleExchange(response: "HTTP/1.1 200 OK\n\n", responseBody: Array(body.utf8))
            let window = SearchWindow(bytes: 1_000, overlapBytes: 300)
            let redactor = Redactor(window: window, digest: Redactor.quickDigest)
            let out = String(decoding: try redactor.maskedResponse(of: sample), as: UTF8.self)
            let letters = (start.utf8.count + 14) * 4 / 3..<(start.utf8.count + 28) * 4 / 3
            for line in lines[letters.lowerBound / width...letters.upperBound / width] {
                #expect(!out.contains(line), "\(before): \(line)")
            }
        }
    }

    @Test("Base64 is masked where a piece ends within an escape in it", arguments: ["\\n", "\\r\\n"])
    func cutWithinEscape(separator: String) throws {
        let filling = "日本語の"
        let long = base64(
            "x" + String(repeating: filling, count: 15) + Self.inner + String(repeating: filling, count: 99)
        )
        let lines = stride(from: 0, to: long.count, by: 76).map { String(long.dropFirst($0).prefix(76)) }
        let letters = (181 + 14) * 4 / 3..<(181 + 28) * 4 / 3
        for pad in 0..<80 {
            let text = lines.joined(separator: separator).replacing("/", with: "\\/")
            let body = #"{"a":"\#(String(repeating: "a", count: pad))","content":"\#(text)","kept":1}"#
            let sample = SampleExchange(response: "HTTP/1.1 200 OK\n\n", responseBody: Array(body.utf8))
            let window = SearchWindow(bytes: 1_000, overlapBytes: 300)
            let redactor = Redactor(window: window, digest: Redactor.quickDigest)
            let out = String(decoding: try redactor.maskedResponse(of: sample), as: UTF8.self)
            for line in lines[letters.lowerBound / 76...letters.upperBound / 76] {
                #expect(!out.contains(line.replacing("/", with: "\\/")), "\(pad): \(line)")
            }
        }
    }

    @Test("Base64 of a text that was cut is masked, wherever in a character that was", arguments: 0..<8)
    func cutText(left: Int) throws {
        let spelled = base64("日本語" + Self.inner + "日本語日本語")
        let out = try masked(#"{"data":"\#(spelled.dropLast(left))"#)
        #expect(!out.contains(spelled.prefix(24)) && !out.contains(spelled.dropFirst(16).prefix(24)), "\(out)")
    }

    @Test("A secret over the end of a line is masked, however many other lines stand around", arguments: 0..<4)
    func amongOthers(count: Int) throws {
        let digest = String(repeating: "9f86d081884c7d65", count: 4)
        let others = String(repeating: digest + "\n", count: count)
        // The end of the first line is within the secret, and that of the second within a character.
        let start = String(repeating: " ", count: 57 - 20)
        let long = base64(start + Self.inner + String(repeating: "日", count: 40))
        let lines = stride(from: 0, to: long.count, by: 76).map { String(long.dropFirst($0).prefix(76)) }
        let out = try masked(others + lines.joined(separator: "\n") + "\n" + others, "text/plain")
        #expect(lines.prefix(2).allSatisfy { !out.contains($0) }, "\(out)")
        #expect(count == 0 || out.contains(digest), "\(out)")
    }

    @Test("However many texts in base64 tell secrets, in escapes and outside, none stays", arguments: [1, 2, 3, 9])
    func many(limit: Int) throws {
        let spelled = (1...4).map { base64(#"{"password":"\#(Self.secret)\#($0)"}"#) }
        let text = #"{"a":"x\n\#(spelled[0])","b":"\#(spelled[1])","c":"\n\#(spelled[2])","d":"\#(spelled[3])"}"#
        let redactor = Redactor(findingLimit: limit, digest: Redactor.quickDigest)
        let sample = SampleExchange(response: "HTTP/1.1 200 OK\n\n", responseBody: Array(text.utf8))
        let out = String(decoding: try redactor.maskedResponse(of: sample), as: UTF8.self)
        #expect(spelled.allSatisfy { !out.contains($0.suffix(20)) }, "\(out)")
    }

    @Test("A secret that is known is found in base64 too")
    func known() throws {
        let spelled = base64("a text with \(Self.secret) in it")
        let out = try masked(#"{"password":"\#(Self.secret)","x":"\#(spelled)","kept":1}"#)
        #expect(!out.contains(spelled) && out.hasSuffix(#"","kept":1}"#), "\(out)")
    }

    @Test("Base64 that tells no secret stays")
    func plain() throws {
        let picture = Base64Encoder.text((0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        for spelled in [base64(#"{"user":"ann","color":"red"}"#), picture, "/a/path/of/words/and/more/of/them"] {
            let text = #"{"x":"\#(spelled)"}"#
            #expect(try masked(text) == text)
        }
    }
}
