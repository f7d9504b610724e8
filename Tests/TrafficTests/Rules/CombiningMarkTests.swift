import NIOCore
import Support
import Testing

@testable import Traffic

/// Swift's strings put the combining marks of a character in order before they are compared or hashed, in a time that grows with the square of their number.
@Suite(
    "Combining marks in a head keep no loop, since texts of the wire are compared as bytes",
    .timeLimit(.minutes(15))
)
struct CombiningMarkTests {
    /// Marks in the order that takes longest to mend; with all of them one comparison takes a quarter of a minute.
    private static func marks(_ count: Int) -> String {
        String(repeating: "\u{301}", count: count) + String(repeating: "\u{316}", count: count)
    }

    @Test(
        "A rule edits such a head in a time that grows with its length",
        arguments: [
            #"{"fields": {"set": {"X-A": "${cookie.a}${query.q}${reqheader.x-b}${path.1}"}}}"#,
            #"{"fields": {"replace": {"X-M": {"find": "a", "with": "b"}}}}"#, #"{"fields": {"set": {"X-M": "1"}}}"#,
            #"{"fields": {"remove": ["X-*"]}}"#, #"{"query": {"set": {"q": "1"}}}"#, #"{"query": {"remove": ["q*"]}}"#,
            #"{"path": "/b${path}"}"#, #"{"target": "/b"}"#, #"{"method": "PUT"}"#,
            #"{"fields": {"replace": {"X-M": {"regex": "a", "with": "b"}}}}"#,
            #"{"fields": {"set": {"Content-Type": "${reqheader.x-m}"}}, "body": {"text": "x"}}"#,
        ]
    )
    func requests(edit: String) throws {
        func time(_ count: Int) throws -> Double {
            let marks = Self.marks(count)
            let exchange = RuledExchange(
                "GET",
                "a.test",
                "/\(marks)?\(marks)=1&q=\(marks)&q=2",
                fields: ["Cookie: \(marks)=1; a=2", "X-M: \(marks)", "X-B: 3"]
            )
            var run = try #require(
                RuleRun(
                    RuleList(try RuleTree.rules("[{\"name\": \"edit\", \"request\": \(edit)}]"), now: 0),
                    for: exchange.summary
                )
            )
            var head = ByteBuffer()
            let time = try ThreadTime.of {
                guard case .applies(let firings) = try run.judge(.request, at: .requestHead, of: exchange, now: 0)
                else { return }
                var scope = try TemplateScope(exchange, now: 0, needsBody: false, generator: RuleDice(seed: 1))
                head = run.edit(exchange.exchange.request.head, .request, by: firings, &scope).head
                _ = run.uses.map(\.what)
            }
            #expect((head != exchange.exchange.request.head) != edit.contains("replace"), "\(run.uses)")
            return time
        }
        _ = try time(10)
        #expect(try time(8_000) < time(1_000) * 40 + 20_000_000)
    }

    @Test("So does a response's")
    func responses() throws {
        let edit = """
            {"status": 201, "fields": {"set": {"X-M": "1", "X-C": "${reqheader.x-m}"}}, "body": {"append": "x"}}
            """
        func time(_ count: Int) throws -> Double {
            let marks = Self.marks(count)
            let exchange = RuledExchange(fields: ["X-M: \(marks)"], code: 200, responseFields: ["X-M: \(marks)"])
            var run = try #require(
                RuleRun(
                    RuleList(try RuleTree.rules("[{\"name\": \"edit\", \"response\": \(edit)}]"), now: 0),
                    for: exchange.summary
                )
            )
            let fields = "X-M: \(marks)\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\n"
            let received = ByteBuffer(string: "HTTP/1.1 200 O\(marks)\r\n\(fields)")
            var head = ByteBuffer()
            let time = try ThreadTime.of {
                guard case .applies(let firings) = try run.judge(.response, at: .responseHead, of: exchange, now: 0)
                else { return }
                var scope = try TemplateScope(exchange, now: 0, needsBody: false, generator: RuleDice(seed: 1))
                head = run.edit(received, .response, by: firings, &scope).head
            }
            let added = "X-C: \(marks)"
            #expect(head.readableBytesView.starts(with: "HTTP/1.1 201 Created\r\n".utf8))
            #expect(
                Array(String(buffer: head).utf8).firstRange(of: Array(added.utf8)) != nil,
                "What is copied keeps its bytes"
            )
            return time
        }
        _ = try time(10)
        #expect(try time(8_000) < time(1_000) * 40 + 20_000_000)
    }

    @Test(
        "Names of codings that white space parts are read in a time that grows with their length",
        arguments: ["\t", "\u{85}", "\u{2028}"]
    )
    func codings(blank: String) {
        func time(_ count: Int) -> Double {
            let rows = ["\u{301}", "\u{316}"].map { mark in
                String(repeating: String(repeating: mark, count: 30) + blank, count: count / 30)
            }
            let field = ByteText.lossless(Array(rows.joined().utf8))
            return ThreadTime.of { _ = ContentCoding.names([field]).map { ContentCoding(name: $0) } }
        }
        _ = time(60)
        #expect(time(8_000) < time(1_000) * 40 + 20_000_000)
        #expect(ContentCoding.names(["GZip ,\tbr", "identity,"]) == ["gzip", "br"])
    }

    @Test("A condition looks for names and values of JSON in a time that grows with their length")
    func json() throws {
        let path = try JSONPath("$..a")
        for condition in [JSONPattern.Condition.exists, .equals("b")] {
            let pattern = JSONPattern(path: path, condition: condition)
            func time(_ count: Int) -> Double {
                let text = "{\"\(Self.marks(count))\": {\"a\": \"\(Self.marks(count))\"}}"
                return ThreadTime.of { _ = pattern.matches(JSONReader.values(Array(text.utf8))) }
            }
            _ = time(10)
            #expect(time(8_000) < time(1_000) * 40 + 20_000_000)
        }
    }

    @Test("So does one with such a name or value of its own", arguments: ["json:$.‸", "json:$.a=‸", "json:$..‸=b"])
    func patterns(text: String) throws {
        let values = JSONReader.values(Array(#"{"a": "b", "c": true, "d": {"a": "c"}}"#.utf8))
        func time(_ count: Int) throws -> Double {
            let marks = Self.marks(count)
            let filter = try FilterParser.parse(text.replacing("‸", with: "e" + marks), now: 0)
            guard case .test(.json(let patterns))? = filter.conditions.first.map(Self.innermost) else {
                throw RuleFault("this is no condition on JSON")
            }
            return ThreadTime.of { _ = patterns.contains { $0.matches(values) } }
        }
        _ = try time(10)
        #expect(try time(4_000) < time(500) * 40 + 20_000_000)
    }

    private static func innermost(_ condition: FilterCondition) -> FilterCondition {
        if case .all(let parts) = condition, parts.count == 1 { return innermost(parts[0]) }
        return condition
    }

    @Test("Text is what has no more marks or regional indicators in a row than a string is quick with")
    func texts() {
        func bytes(_ scalar: Unicode.Scalar, _ count: Int) -> [UInt8] {
            Array(("a" + String(String.UnicodeScalarView(repeatElement(scalar, count: count)))).utf8)
        }
        for (scalar, limit) in [("\u{301}", 30), ("\u{344}", 30), ("\u{F73}", 30), ("\u{1F1E6}", 128)]
            as [(Unicode.Scalar, Int)]
        {
            #expect(ByteText.utf8(bytes(scalar, limit)) != nil)
            #expect(ByteText.utf8(bytes(scalar, limit + 1)) == nil)
            let lossless = ByteText.lossless(bytes(scalar, limit + 1))
            #expect(
                lossless.unicodeScalars.map { UInt8($0.value) } == bytes(scalar, limit + 1),
                "Each byte is a scalar"
            )
            let repaired = ByteText.repaired(bytes(scalar, limit + 1))
            #expect(ByteText.isText(repaired) && repaired.unicodeScalars.filter { $0 != "\u{34F}" }.count == limit + 2)
            #expect(repaired.unicodeScalars.count == limit + 3, "One mark parts them")
        }
        let blanks = String(repeating: String(repeating: "\u{301}", count: 20) + "\t ", count: 2)
        #expect(
            !ByteText.isText(blanks) && ByteText.isText(blanks.replacing("\t", with: "a")),
            "Blanks may be left out"
        )
        #expect(ByteText.utf8(bytes("\u{4E2D}", 10_000)) != nil && ByteText.utf8(bytes("\u{1F600}", 10_000)) != nil)
        #expect(ByteText.repaired([0x61, 0xFF]) == "a\u{FFFD}" && ByteText.utf8([0xFF]) == nil)
    }

    @Test("A literal is found by its bytes, also where a mark stands behind it")
    func literals() throws {
        let ready = ReadyReplacement(pattern: .text("admin"), with: [.text("guest")], isFirstOnly: false)
        var work = EditWork()
        let long = "a" + String(repeating: "\u{301}", count: 100)
        let letter = ReadyReplacement(pattern: .text("a"), with: [.text("b")], isFirstOnly: false)
        #expect(try letter.apply(to: long, &work).utf8.elementsEqual(long.utf8.map { $0 == 0x61 ? 0x62 : $0 }))
        #expect(try ready.apply(to: "admin\u{301} admin", &work).utf8.elementsEqual("guest\u{301} guest".utf8))
        #expect(try ready.apply(to: "adm", &work) == "adm")
    }

    @Test("A long name in a head keeps no field that is to be removed")
    func longNames() throws {
        let name = String(repeating: "a", count: 250_000)
        var head = HeadLines(head: ByteBuffer(string: "GET / HTTP/1.1\r\n\(name): 1\r\nX-Secret: 1\r\n\r\n"))
        var scope = try TemplateScope(RuledExchange(), now: 0, needsBody: false, generator: RuleDice(seed: 1))
        var edit = FieldEdit()
        edit.remove = (0..<22).map { NameGlob("x-internal-\($0)-*", ignoresCase: true) }
        edit.remove += (0..<300).map { NameGlob("x-\($0)", ignoresCase: true) }
        edit.remove.append(NameGlob("x-secret", ignoresCase: true))
        _ = try edit.apply(to: &head, &scope)
        #expect(head.count == 1)
    }
}
