import Support
import Testing
import Traffic

/// Bodies made to be slow to search, at two sizes.
@Suite("What it costs to mask a body grows with its size, whatever it holds", .timeLimit(.minutes(15)))
struct RedactionCostTests {
    /// A body of so many pieces.
    struct Body: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var type = "text/plain"
        let text: @Sendable (_ count: Int) -> String

        init(_ piece: String, after start: String = "") {
            testDescription = start + piece
            text = { start + String(repeating: piece, count: $0) }
        }

        init(_ description: String, _ text: @escaping @Sendable (Int) -> String) {
            (testDescription, self.text) = (description, text)
        }

        /// A table of so many pieces.
        init(table piece: String, after start: String = "") {
            self.init(piece, after: start)
            type = "text/csv"
        }
    }

    private static let bodies = [
        Body("0", after: "{\"tokens\":["), Body("<code><![CDATA["), Body("code="), Body("{\"value\":[1,"),
        Body("code:\"\\\""),
        Body("<key>token</key><b>"), Body("password='a "), Body("token:["), Body("\"token\":{"),
        Body("-----BEGIN PRIVATE KEY-----"), Body("whsec_/"),
        Body("'code':x"), Body("<key>code</key><b>"), Body("<string name=token><a>"), Body("<token><b>"),
        Body("<!--<key>token</key><b>"), Body("\"token\":['\""), Body("\"token\":[\\\""), Body("\\\"token\\\":[\""),
        Body("'token':{'a "), Body("token=[1["),
        Body("token:\n "), Body("token:\n a\n"), Body("auth:\n token:\n  a\n"), Body("token:\n- "),
        Body("(pin)values('"), Body("values(1,", after: "(pin)"), Body("(pin,"), Body(")values"), Body("password '"),
        Body("auth:{token:["), Body("<auth><token><b>"),
        Body("token: |\n\n", after: "a:\n"), Body("{'a ", after: "'',"),
        Body("['token',\n"), Body(table: "pin,"), Body(table: "\"a\"\",", after: "name,pin\n"),
        Body("tables whose parts do not end") { count in
            (0..<count).map { "--\($0).\ncontent-type:text/csv\n\npin\n\n" }.joined()
        },
        Body("empty lines below a name") { "token:" + String(repeating: "\n", count: $0 * 10) },
        Body("objects before a quotation mark") { count in String(repeating: "token:{", count: count) + "\"" },
        Body("numbers that many doubtful names have") { count in
            String(repeating: #"{"k":"code","v":"#, count: count / 2) + "[" + String(repeating: "1,", count: count)
        },
        Body("words that no name has, and names at the end") { count in
            String(repeating: #"{"v":["word","#, count: count) + String(repeating: #"],"k":"code"}"#, count: count)
        },
        Body("parts of many boundaries") { count in
            (0..<count / 8).map { "--\($0)\nContent-Disposition: form-data; name=code\n\n" }.joined()
        },
        Body("a secret as long as the body, nearly there at every place") { count in
            let long = String(repeating: "aB3dE", count: count)
            return "token=\(long)!\n\(long)"
        },
        Body("secrets that begin alike") { count in
            (0..<count).map { "token=eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9\($0)xY\n" }.joined()
        },
    ]

    /// Tables that can be read in several ways, and what stands in cells and columns elsewhere.
    private static let tables: [Body] = [
        Body(table: "\"\\\",\n\",", after: "name,pin\n"), Body(table: "a\",\"\n\"", after: "name,pin\n"),
        Body(table: "a|b,\\", after: "a|b,pin\n"), Body(table: "\"a,pin\n", after: "name,pin\n"),
        Body(table: "a,\n", after: "b,c,pin\n"), Body(table: "pin,|\n"), Body(table: "\"", after: "name,pin\n"),
        Body(",\"a\"\"b"), Body("\n\"\"\"\"\"a"), Body("[[\"pin\",\"a\",\"b\"],"), Body("{\"c\":[\"pin\"],"),
        Body(table: String(repeating: " ", count: 50), after: "sep= \npin a\n"),
        Body(table: "\"\\", after: "sep=\\\npin\\a\n"),
        Body("many columns, and many lists behind them") { count in
            let names = String(repeating: "\"pin\",", count: count)
            return "[[\(names)\"a\"]" + String(repeating: "[\"pin\",\"a\"]", count: count)
        },
        Body("names of columns deep inside, and others round them") { count in
            let names = String(repeating: "\"pin\",", count: count)
            let rest = String(repeating: ",\"c\":[\"a\",\"pin\"]}", count: count)
            return String(repeating: "{\"a\":", count: count) + "{\"c\":[\(names)\"a\"]}" + rest
        },
        Body("{\"r\":[[1]],\"c\":[\"pin\"],\"a\":"), Body("{a: "), Body("{name:\"pin\",value:\"a\""),
        Body("[{\"a\":1,\"b\":", after: "{\"c\":[\"pin\"],\"r\":[["), Body(table: "sep=a\n\"", after: "pin\n"),
        Body("copy (pin)from stdin;\n"), Body("token=\"\"\"a'''"), Body("Cookie: a\"\n"), Body("token=b'"),
        Body("\ntoken=a<"), Body("\ntoken: a}b\""), Body("'token=a '"), Body("[\"token=null \\\""),
        Body("\n token=a&b;"), Body("\"kty\":1,"), Body("{\"kty\":\"d\","), Body("://a:b/"),
        Body("eyJwYXNzd29yZCI6ICJx\n"), Body("eyJwYXNzd29yZCI6ICJx\\n"), Body("%3DeyJwYXNzd29yZCI6ICJxIn0"),
        Body("/eyJwYXNzd29yZCI6ICJxIn0"),
        Body("data: %2525[['a',\n"), Body("\"[('a','b')]\","),
    ]

    /// Numbers that are known, in what may be JSON or not.
    private static let numbers: [Body] = [
        "[48210397 ", "[48210397,", "{\"a\":48210397,\"b\":", "\"[", "[\"48210397\n", "\\\"[\\\\48210397",
        "[48210397]   ", "\"[48210397]\",", "4821039748210397", "48210397   ",
    ].map { Body($0, after: "pin=48210397\n[") }

    @Test("Eight times as much takes hardly more than eight times as long", arguments: bodies + tables + numbers)
    func grows(_ body: Body) throws {
        func time(_ count: Int) throws -> Double {
            let sample = SampleExchange(
                response: "HTTP/1.1 200 OK\nContent-Type: \(body.type)\n\n",
                responseBody: Array(body.text(count).utf8)
            )
            let redactor = Redactor(digest: Redactor.quickDigest)
            return try ThreadTime.of { _ = try redactor.redact(sample.record, source: sample.source) }
        }
        _ = try time(100)
        let (few, many) = (try time(300), try time(2_400))
        // What compares each with each takes sixty-four times as long.
        #expect(many < few * 28, "\(few) \(many)")
    }
}
