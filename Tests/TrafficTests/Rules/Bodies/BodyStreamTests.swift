import NIOCore
import Support
import Testing

@testable import Traffic

/// Bodies that are edited while they pass, in pieces cut at random.
@Suite("Editing a body while it passes", .timeLimit(.minutes(15)))
struct BodyStreamTests {
    private static let edits =
        #"{"replace": [{"find": "abab", "with": "<1>"}, {"find": ">a", "with": ""}], "prepend": "{", "append": "}"}"#

    /// An editor by a rule that edits bodies of responses, and removes a field.
    private static func editor(
        _ edit: String,
        _ fields: [String] = [],
        removing removed: String = "X-None"
    ) throws -> BodyEditor {
        let exchange = RuledExchange(code: 200, responseFields: fields)
        let response = "{\"fields\": {\"remove\": [\"\(removed)\"]}, \"body\": \(edit)}"
        let rules = try RuleTree.rules("[{\"name\": \"edit\", \"response\": \(response)}]")
        var run = try #require(RuleRun(RuleList(rules, now: 0), for: exchange.summary))
        let verdict = try run.judge(.response, at: .responseHead, of: exchange, now: 0)
        guard case .applies(let firings) = verdict else { throw Failed() }
        var scope = try TemplateScope(exchange, now: 0, needsBody: false, generator: RuleDice(seed: 1))
        let head = try #require(exchange.message(.response)?.head)
        return try #require(run.edit(head, .response, by: firings, &scope).bodyEditor)
    }

    private struct Failed: Error {}

    /// What goes on of a body that comes in pieces of random lengths.
    private static func passed(
        _ editor: inout BodyEditor,
        _ body: [UInt8],
        _ dice: inout SeededGenerator,
        atMost length: Int
    ) -> [UInt8] {
        var out: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...length, using: &dice))
            rest = rest.dropFirst(piece.count)
            out += editor.take(ByteBuffer(bytes: piece)).readableBytesView
        }
        return out + editor.finish().readableBytesView
    }

    private static func text(_ dice: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...60, using: &dice)).map { _ in
            String("aab<>\u{e9}".randomElement(using: &dice) ?? "a")
        }.joined()
    }

    @Test("A text behind a body whose end does not come is not said to have been added")
    func endless() throws {
        var editor = try Self.editor(#"{"append": "x"}"#)
        #expect(String(buffer: editor.take(ByteBuffer(string: "aa"))) == "aa")
        editor.skip("the body did not come whole")
        #expect(editor.notes.map(\.what) == [""] && editor.notes.map(\.skipped) == ["the body did not come whole"])
    }

    @Test("Nothing put before a body or behind it is no change", arguments: ["append", "prepend"])
    func nothing(edit: String) throws {
        for text in ["", "${reqheader.X-None}"] {
            var editor = try Self.editor("{\"\(edit)\": \"\(text)\"}")
            #expect(String(buffer: editor.take(ByteBuffer(string: "aa"))) + String(buffer: editor.finish()) == "aa")
            #expect(editor.notes.allSatisfy { $0.what.isEmpty }, "\(editor.notes)")
        }
    }

    @Test("Whatever the pieces are, the body is the same as if it had come whole", arguments: 0..<40)
    func cuts(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<25 {
            let text = Self.text(&dice)
            let wanted =
                "{" + text.replacing("abab", with: "<1>").replacing(">a", with: "") + "}"
            var editor = try Self.editor(Self.edits)
            #expect(!editor.needsWhole)
            let passed = Self.passed(&editor, Array(text.utf8), &dice, atMost: 4)
            #expect(String(decoding: passed, as: UTF8.self) == wanted)
        }
    }

    @Test(
        "A coded body is decoded, edited and coded again alike, whatever the pieces are",
        arguments: [["gzip"], ["deflate"], ["br"], ["zstd"], ["x-gzip"], ["gzip", "br"]]
    )
    func codings(names: [String]) throws {
        var dice = SeededGenerator(seed: 7)
        let text = String(decoding: Coded.text, as: UTF8.self)
        let wanted = text.replacing("body", with: "soul")
        let coded = try names.reduce(Coded.text) { bytes, name in
            switch name {
            case "br": try Coded.brotli(bytes)
            case "zstd": try Coded.zstd(bytes)
            case "deflate": try Coded.zlib("zlib", bytes)
            default: try Coded.zlib("gzip", bytes)
            }
        }
        for length in [1, 100, 5_000, 1 << 20] {
            var editor = try Self.editor(
                #"{"replace": {"find": "body", "with": "soul"}}"#,
                ["Content-Encoding: \(names.joined(separator: ", "))"]
            )
            let passed = Self.passed(&editor, coded, &dice, atMost: length)
            let decoded = ContentCoding.decode(passed, names: names, limitBytes: 1 << 24)
            #expect(decoded == DecodedBody(bytes: Array(wanted.utf8), problem: nil))
            #expect(editor.notes.map(\.what) == ["body ×6000"] && editor.notes.allSatisfy { $0.skipped == nil })
        }
    }

    @Test("What came of a coded body goes on before more of it comes", arguments: ["gzip", "deflate", "br", "zstd"])
    func flushed(name: String) throws {
        let encoder = try #require(ContentEncoder(names: [name]))
        var editor = try Self.editor(
            #"{"replace": {"find": "two", "with": "2"}}"#,
            ["Content-Encoding: \(name)"]
        )
        var passed: [UInt8] = []
        for (event, wanted) in [("data: one\n\n", "data: one\n\n"), ("data: two\n\n", "data: one\n\ndata: 2\n\n")] {
            var piece: [UInt8] = []
            try Array(event.utf8).withUnsafeBytes { try encoder.write($0, .pause, into: &piece) }
            passed += editor.take(ByteBuffer(bytes: piece)).readableBytesView
            let decoder = ContentDecoder(names: [name], limitBytes: 1_000)
            var decoded: [UInt8] = []
            decoder.write(passed) { decoded.append(contentsOf: $0) }
            #expect(String(decoding: decoded, as: UTF8.self) == wanted)
        }
    }

    @Test("Of a plain body no more is kept back than may be the beginning of what is replaced")
    func held() throws {
        var editor = try Self.editor(#"{"replace": {"find": "abc", "with": "-"}}"#)
        let out = ["xa", "b", "d", "ab", "cab"].map { String(buffer: editor.take(ByteBuffer(string: $0))) }
        #expect(out == ["x", "", "abd", "", "-"])
        #expect(String(buffer: editor.finish()) == "ab")
    }

    @Test("Only the first occurrence is replaced where that is asked for")
    func first() throws {
        var editor = try Self.editor(#"{"replace": {"find": "ab", "with": "-", "first": true}}"#)
        let out = ["a", "bab", "ab"].map { String(buffer: editor.take(ByteBuffer(string: $0))) }
        #expect(out == ["", "-ab", "ab"] && editor.finish().readableBytes == 0)
        #expect(editor.notes.map(\.what).isEmpty == false && editor.notes[0].what == "ab")
    }

    @Test(
        "A body that is not coded as its head says passes as it came, and the record says so",
        arguments: [1, 7, 1_000]
    )
    func uncoded(length: Int) throws {
        for name in ["gzip", "deflate", "br", "zstd"] {
            var dice = SeededGenerator(seed: 3)
            let body = Array("plain text that is not coded, two, two, two".utf8)
            var editor = try Self.editor(
                #"{"replace": {"find": "two", "with": "2"}}"#,
                ["Content-Encoding: \(name)"]
            )
            #expect(Self.passed(&editor, body, &dice, atMost: length) == body)
            #expect(editor.notes.first?.skipped == "the body is not coded as its head says")
            #expect(editor.notes.first?.what == "")
        }
    }

    @Test("A coded body that is cut stays cut, and one that is damaged ends where it is")
    func damaged() throws {
        var dice = SeededGenerator(seed: 3)
        let coded = try Coded.zlib("gzip", Coded.text)
        let edit = #"{"replace": {"find": "body", "with": "soul"}}"#
        let wanted = Array(String(decoding: Coded.text, as: UTF8.self).replacing("body", with: "soul").utf8)
        for (broken, isCut) in [
            (Array(coded.dropLast(9)), true), (coded.enumerated().map { $0 > 6_000 ? 0xFF : $1 }, false),
        ] {
            var editor = try Self.editor(edit, ["Content-Encoding: gzip"])
            let passed = Self.passed(&editor, broken, &dice, atMost: 1_000)
            let decoded = ContentCoding.decode(passed, names: ["gzip"], limitBytes: 1 << 24)
            #expect(decoded.problem == "The gzip coding ends early; what came before is shown.")
            #expect(decoded.bytes.count > 10_000 && wanted.prefix(10_000).elementsEqual(decoded.bytes.prefix(10_000)))
            #expect(!isCut || wanted.starts(with: decoded.bytes))
            #expect(editor.notes.first?.skipped?.hasPrefix("the gzip coding") == true)
        }
    }

    /// Coded bodies of which nothing can be decoded, with their codings.
    private static func undecodable() throws -> [(body: [UInt8], coding: String)] {
        let gzip = try #require(ContentEncoder.encode(Coded.text, names: ["gzip"]))
        let words = Array(String(repeating: "some words of an admin\n", count: 200).utf8)
        let zstd = try #require(ContentEncoder.encode(words, names: ["zstd"]))
        let start: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        let named = start.enumerated().map { $0 == 3 ? 8 : $1 } + [UInt8](repeating: 0x61, count: 300_000)
        let skipped: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 0, 0, 8, 0] + [UInt8](repeating: 0, count: 300_000)
        let inner = try #require(ContentEncoder.encode(start + [7], names: ["br"]))
        return [
            (start + [7], "gzip"), (Array(gzip.prefix(11)), "gzip"), (named, "gzip"), (inner, "gzip, br"),
            (Array(zstd.dropLast(20)), "zstd"), (skipped, "zstd"), ([0x28, 0xB5], "zstd"),
        ]
    }

    @Test("A coded body of which nothing can be decoded does not look whole where its coding is taken away")
    func undecoded() throws {
        let edit = #"{"append": "x"}"#
        for (number, (body, coding)) in try Self.undecodable().enumerated() {
            var dice = SeededGenerator(seed: 3)
            let fields = ["Content-Encoding: \(coding)"]
            var lost = try Self.editor(edit, fields, removing: "Content-Encoding")
            #expect(Self.passed(&lost, body, &dice, atMost: 1_000).isEmpty, "\(number)")
            #expect(lost.cut?.why == "cannot be decoded to its end", "\(number)")
            lost.skip("the body did not come whole")
            #expect(lost.notes.map(\.skipped) == ["nothing of the body can be decoded"], "\(number)")
            // With its coding its client sees what is wrong with it.
            var same = try Self.editor(edit, fields)
            #expect(Self.passed(&same, body, &dice, atMost: 1_000) == body && same.cut == nil, "\(number)")
            var kept = try Self.editor(edit, fields, removing: "Content-Encoding")
            #expect(kept.edit(kept: ByteBuffer(bytes: body)) == nil && kept.cut == nil, "\(number)")
        }
        let plain = Array("plain".utf8)
        for coding in ["gzip", "zstd", "br, gzip"] {
            var dice = SeededGenerator(seed: 3)
            var lost = try Self.editor(edit, ["Content-Encoding: \(coding)"], removing: "Content-Encoding")
            #expect(Self.passed(&lost, plain, &dice, atMost: 2) == plain && lost.cut == nil)
        }
    }

    @Test("A damaged body of which nothing has gone out does not look whole, though its coding stays")
    func damagedHeld() throws {
        for (text, isHeld) in [("fo", true), ("hello", false)] {
            var coded = try #require(ContentEncoder.encode(Array(text.utf8), names: ["gzip"]))
            // The checksum.
            coded[coded.count - 8] ^= 1
            var editor = try Self.editor(#"{"replace": {"find": "foo", "with": "bar"}}"#, ["Content-Encoding: gzip"])
            let passed = editor.take(ByteBuffer(bytes: coded))
            #expect((passed.readableBytes == 0) == isHeld && (editor.cut != nil) == isHeld)
            #expect(editor.damage?.hasPrefix("the gzip coding is damaged") == true)
        }
    }

    @Test("A coding that ends early is seen under one that is whole, with bytes behind its end", arguments: [0, 1])
    func inner(rest: Int) throws {
        let gzip = try #require(ContentEncoder.encode(Coded.text, names: ["gzip"]))
        for (content, isWhole) in [(gzip, true), (gzip.dropLast(20), false)] {
            let body =
                try #require(ContentEncoder.encode(Array(content), names: ["br"])) + Array(repeating: 0, count: rest)
            let fields = ["Content-Encoding: gzip, br", "Content-Type: text/plain"]
            var dice = SeededGenerator(seed: 3)
            var passing = try Self.editor(#"{"append": "x"}"#, fields, removing: "Content-Encoding")
            _ = Self.passed(&passing, body, &dice, atMost: 1_000)
            #expect((passing.cut == nil) == isWhole)
            var whole = try Self.editor(#"{"text": "x"}"#, fields)
            #expect((whole.edit(whole: ByteBuffer(bytes: body)) != nil) == isWhole)
            for editor in [passing, whole] {
                #expect(editor.notes.map(\.skipped) == [isWhole ? nil : "the gzip coding ends early"])
            }
        }
    }

    @Test("Each change of a piece asks whether somebody waits for it")
    func unwantedStages() throws {
        let replacements = (0..<10).map { "{\"find\": \"\($0)\", \"with\": \"x\"}" }.joined(separator: ",")
        var editor = try Self.editor("{\"replace\": [\(replacements)]}")
        var asked = 0
        func isWanted() -> Bool {
            asked += 1
            return asked < 3
        }
        _ = editor.take(ByteBuffer(string: "text"), while: isWanted)
        #expect(asked == 3)
    }

    @Test("Bytes behind the end of a coding are left out, and the body is whole")
    func behind() throws {
        var dice = SeededGenerator(seed: 3)
        let gzip = try Coded.zlib("gzip", Coded.text)
        var editor = try Self.editor(#"{"replace": {"find": "body", "with": "soul"}}"#, ["Content-Encoding: gzip"])
        let passed = Self.passed(&editor, gzip + [0, 0, 0], &dice, atMost: 500)
        let decoded = ContentCoding.decode(passed, names: ["gzip"], limitBytes: 1 << 24)
        #expect(decoded.problem == nil && editor.notes.first?.skipped == nil)
    }

    @Test("A body that decodes to far more than came is not followed for ever")
    func bomb() throws {
        let bomb = try Coded.brotliZeros(times: 20_000)
        var editor = try Self.editor(#"{"replace": {"find": "a", "with": "b"}}"#, ["Content-Encoding: br"])
        let passed = editor.take(ByteBuffer(bytes: bomb))
        #expect(passed.readableBytes < 1 << 20)
        _ = editor.finish()
        #expect(editor.notes.first?.skipped?.contains("decodes to far more than came") == true)
    }

    @Test("A body of which each piece decodes to what gzip can do is not followed for ever")
    func slowBomb() throws {
        let bomb = try Coded.gzipZeros(megabytes: 100)
        var editor = try Self.editor(#"{"replace": {"find": "a", "with": "b"}}"#, ["Content-Encoding: gzip"])
        var dice = SeededGenerator(seed: 3)
        let passed = Self.passed(&editor, bomb, &dice, atMost: 4_000)
        let length = ContentCoding.decode(passed, names: ["gzip"], limitBytes: 128 << 20).bytes.count
        #expect((64 << 20...80 << 20).contains(length))
        #expect(editor.cut?.why == "decodes to far more than came")
        #expect(editor.notes.first?.skipped?.contains("decodes to far more than came") == true)
    }

    @Test("An empty text before or behind a body is no change of it", arguments: ["append", "prepend"])
    func nothing(word: String) throws {
        for edit in [#"{"\#(word)": "${reqheader.X-None}"}"#, #"{"\#(word)": ""}"#] {
            var editor = try Self.editor(edit, ["ETag: x"])
            #expect(String(buffer: editor.take(ByteBuffer(string: "aa"))) == "aa")
            #expect(editor.finish().readableBytes == 0)
            #expect(editor.notes.map(\.what) == [""] && editor.notes[0].warning == nil)
        }
    }

    @Test("A body without a byte keeps none where nothing is put into it")
    func empty() throws {
        var one = try Self.editor(#"{"replace": {"find": "a", "with": "b"}}"#, ["Content-Encoding: gzip"])
        #expect(one.finish().readableBytes == 0)
        var other = try Self.editor(#"{"append": "a"}"#, ["Content-Encoding: gzip"])
        let passed = Array(other.finish().readableBytesView)
        #expect(ContentCoding.decode(passed, names: ["gzip"], limitBytes: 10).bytes == [0x61])
    }

    @Test("What was changed before the end failed to come stays in the record")
    func cut() throws {
        var editor = try Self.editor(#"{"replace": {"find": "a", "with": "b"}}"#)
        _ = editor.take(ByteBuffer(string: "aa"))
        editor.skip("the body was cut")
        #expect(editor.notes.map(\.what) == ["a ×2"] && editor.notes[0].skipped == nil)
        var none = try Self.editor(#"{"replace": {"find": "a", "with": "b"}}"#)
        none.skip("the body was cut")
        #expect(none.notes[0].skipped == "the body was cut")
    }

    @Test("Where there is no room for more, what makes a body shorter goes on", arguments: ["", "b", "longer"])
    func noRoom(with: String) throws {
        var editor = try Self.editor("{\"replace\": {\"find\": \"a\", \"with\": \"\(with)\"}}")
        #expect(String(buffer: editor.take(ByteBuffer(string: "xa"))) == "x" + with)
        editor.stopGrowing()
        #expect(String(buffer: editor.take(ByteBuffer(string: "xa"))) == (with == "longer" ? "xa" : "x" + with))
        _ = editor.finish()
        #expect((editor.notes[0].skipped != nil) == (with == "longer"))
    }

    @Test(
        "A text that would grow without end stops growing, whatever it is that has it grow",
        arguments: ["a", "abcdefghij"]
    )
    func growth(found: String) throws {
        let with = String(repeating: "x", count: 100_000)
        let replacements = found.map { "{\"find\": \"\($0)\", \"with\": \"\(with)\"}" }
        var editor = try Self.editor("{\"replace\": [\(replacements.joined(separator: ", "))]}")
        var length = 0
        for _ in 0..<20 {
            let piece = String(repeating: found, count: 1_000 / found.utf8.count)
            length += editor.take(ByteBuffer(string: piece)).readableBytes
        }
        _ = editor.finish()
        #expect(length < 9 << 20)
        #expect(editor.notes[0].skipped?.contains("grew too much") == true)
    }

    @Test("A piece that decodes to much is soon done once nobody waits for it; so is the coding of a long body")
    func unwanted() throws {
        let long = [UInt8](repeating: 0x61, count: 8 << 20)
        let coded = try #require(ContentEncoder.encode(long, names: ["gzip"]))
        var editor = try Self.editor(
            #"{"replace": {"find": "b", "with": "c"}}"#,
            ["Content-Type: text/plain", "Content-Encoding: gzip", "Content-Length: \(coded.count)"]
        )
        var asked = 0
        func isWanted() -> Bool {
            asked += 1
            return asked < 3
        }
        _ = editor.take(ByteBuffer(bytes: coded), while: isWanted)
        #expect((3...5).contains(asked))
        asked = 0
        #expect(ContentEncoder.encode(long, names: ["gzip"], while: isWanted) == nil && asked == 3)
        // Coded in pieces, it is the same body.
        let decoder = ContentDecoder(names: ["gzip"], limitBytes: .max)
        var decoded = 0
        decoder.write(coded) { decoded += $0.count }
        decoder.finish { decoded += $0.count }
        #expect(decoded == long.count && decoder.problem == nil)
    }
}
