import NIOCore
import Testing
import Traffic

/// Values with the marks at which values mostly end, before the rest of the secret (`*`).
@Suite("A value is masked to its end, whatever marks are in it", .timeLimit(.minutes(15)))
struct RedactedValuesTests {
    private static let secret = "q7Wn2Zk9Lx4Tb8Vd"

    private func masked(_ text: String, _ type: String) throws -> String {
        let sample = SampleExchange(
            response: "HTTP/1.1 200 OK\nContent-Type: \(type)\n\n",
            responseBody: Array(text.replacing("*", with: Self.secret).utf8)
        )
        let redactor = Redactor(digest: Redactor.quickDigest)
        return String(decoding: try redactor.maskedResponse(of: sample), as: UTF8.self)
    }

    @Test(
        "JSON and XML that are sent as a form are read as what they are, and a line end ends no item of a form",
        arguments: [
            #"{"user":"kept","password":"ab1&*"}"#, " \r\n{\"password\":\"ab1&*\",\"kept\":1}",
            #"[{"kept":1},{"password":"ab1&*"}]"#, "<a><password>ab1&amp;*</password><b>kept</b></a>",
            "password=ab1\n*&x=kept", "x=kept&password=ab1\r\n*", "x=kept&y={\"password\":\"*\"}",
            #"payload={"password":"ab1&*"}&x=kept"#, "\u{FEFF}{\"password\":\"ab1&*\",\"kept\":1}",
        ]
    )
    func forms(_ text: String) throws {
        let out = try masked(text, "application/x-www-form-urlencoded")
        #expect(!out.contains(Self.secret) && out.contains("kept"), "\(out)")
    }

    @Test("A log that is sent as a form keeps its lines: a value ends before a line that begins with a pair")
    func formLines() throws {
        let out = try masked("a=1 token=*\nuser=kept\n07:40:12 kept token=*\n", "application/x-www-form-urlencoded")
        #expect(out.contains("\nuser=kept\n07:40:12 kept token=<"), "\(out)")
        #expect(!out.contains(Self.secret), "\(out)")
    }

    @Test("The lines of base64 and of a key are one value", arguments: ["*\nabc==", "-----BEGIN *\nTail: abc"])
    func formBlocks(_ value: String) throws {
        let out = try masked("private_key=\(value)&b=kept", "application/x-www-form-urlencoded")
        #expect(!out.contains("abc") && out.contains("&b=kept"), "\(out)")
    }

    @Test("The line end behind a form is no part of its last value")
    func formEnd() throws {
        let out = try masked("a=*&password=*\r\n", "application/x-www-form-urlencoded")
        #expect(!out.contains(Self.secret) && out.hasPrefix("a=<password:") && out.hasSuffix(">\r\n"), "\(out)")
    }

    @Test("JSON that stands in a query as it is, is masked whole")
    func queries() throws {
        let target = #"/a?f={"password":"ab1&\#(Self.secret)"}&x=kept"#
        let sample = SampleExchange(head: "GET \(target) HTTP/1.1\nHost: a\n\n", target: target)
        let redactor = Redactor(digest: Redactor.quickDigest)
        let exchange = try redactor.redact(sample.record, source: sample.source).exchange
        for text in [String(buffer: exchange.request.head), exchange.target] {
            #expect(!text.contains(Self.secret) && text.contains("\"}&x=kept"), "\(text)")
        }
    }

    @Test(
        "The value of a name that begins a line goes on to a blank or to the end of the line",
        arguments: [
            "DB_PASSWORD=ab1&*\nkept=1\n", "DB_PASSWORD=ab;$*\nkept=1\n", "DB_PASSWORD=ab<*\nkept=1\n",
            "DB_PASSWORD=ab\\*\r\nkept=1\r\n", "export DB_PASSWORD=ab')*\nkept=1\n", "kept=1\nDB_PASSWORD=ab1\"*\n",
            "  - DB_PASSWORD=ab1&*\n  - kept=1\n", "spring.datasource.password=ab;;*\nkept=1",
            "DB_PASSWORD=ab>*\nkept=1", "DB_PASSWORD=ab(1&*\nkept=1\n", "kept=1\npassword=ab1{&*\n",
        ]
    )
    func lines(_ text: String) throws {
        let out = try masked(text, "text/plain")
        #expect(!out.contains(Self.secret) && out.contains("kept"), "\(out)")
    }

    @Test(
        "The value of a name and a colon that begin a line goes on behind marks with letters behind them",
        arguments: ["password: ab}*\nkept: 1\n", "kept: 1\n  password: ab<*\n", "- password: ab1\"*\n  kept: 1\n"]
    )
    func entries(_ text: String) throws {
        let out = try masked(text, "application/yaml")
        #expect(!out.contains(Self.secret) && out.contains("kept"), "\(out)")
    }

    @Test(
        "The value of a name that begins a string of a list goes on to the end of the string",
        arguments: [
            #"{"Env":["DB_PASSWORD=ab1&*"],"kept":1}"#, #"{"Env":["A=1","DB_PASSWORD=ab1\"*"],"kept":1}"#,
            #"{"Env":["A=1", "DB_PASSWORD=ab1 *"],"kept":1}"#, #"{"Env":["DB_PASSWORD=ab<\\*"],"kept":1}"#,
            #"{"Args":["run","--password=ab1&*"],"kept":1}"#, #"{"a":"[\"DB_PASSWORD=ab1&*\"]","kept":1}"#,
            #"{"Env":["DB_PASSWORD=ab{1 *"],"kept":1}"#, #"{"Env":["A=1","my_password=ab(1 *"],"kept":1}"#,
            "{\"Env\":[\n  \"DB_PASSWORD=ab1 *\"\n],\"kept\":1}", #"{"cmd":"--password=ab1&*","kept":1}"#,
        ]
    )
    func items(_ text: String) throws {
        let out = try masked(text, "application/json")
        #expect(!out.contains(Self.secret) && out.contains("\"kept\":1"), "\(out)")
        #expect(throws: Never.self, "\(out)") { try JSONReader.value(Array(out.utf8)) }
    }

    @Test(
        "What follows a value stays",
        arguments: [
            ("token=*; kept = 1", "; kept = 1"), ("token=*&kept=1", "&kept=1"), ("<p>\ntoken=*</p>kept", "</p>kept"),
            ("token=*&amp;kept=1", "&amp;kept=1"), ("token=*;kept=1", ";kept=1"), ("token=* kept", " kept"),
            (#"["token=*&kept=1"]"#, #"&kept=1"]"#), (#"{"log":"token=*, kept"}"#, #", kept"}"#),
            (#"{"log":"token=*\nkept"}"#, #"\nkept"}"#), (#"{"log":"token=*\" kept"}"#, #"\" kept"}"#),
            ("<a\ntoken=*>kept</a>", ">kept</a>"), ("{\n  token: *}\nkept", "}\nkept"),
            ("token: *</p>kept", "</p>kept"),
            ("token: *\", kept", "\", kept"), ("token=*,kept:1", ",kept:1"),
        ]
    )
    func ends(_ text: String, _ rest: String) throws {
        let out = try masked(text, "text/html")
        #expect(!out.contains(Self.secret) && out.hasSuffix(">" + rest), "\(out)")
    }

    @Test(
        "A user and a password in a URL are masked whole, with marks that should be escaped too",
        arguments: [
            "postgres://u:ab'*@h/db kept", "redis://:ab<*@h kept", "postgres://u:ab/*@h/db kept",
            "{\"url\":\"redis://:ab#*@h\",\"kept\":1}", "mysql://u:ab?*@h kept",
        ]
    )
    func users(_ text: String) throws {
        let out = try masked(text, "text/plain")
        #expect(!out.contains(Self.secret) && out.contains("kept"), "\(out)")
    }

    @Test(
        "A path with an at sign behind a host is no user",
        arguments: [
            "http://localhost:8080/@vite/client", "https://cdn.example.test/npm/@scope/pkg@1.2.3",
            "http://[::1]:80/@a", "http://h.test:80/?mail=a@b.test", "http://${host}:${port}/@a",
            "'http://a:b','c@d.test'", "<a>http://a:b</a>c@d.test", "http://a:b/c d@e.test",
        ]
    )
    func paths(_ text: String) throws { #expect(try masked(text, "text/plain") == text) }

    @Test(
        "The name of a part is found in any case, and behind a long head",
        arguments: [
            "form-data; Name=\"password\"", "form-data; NAME=password", "form-data; name=\"password\"\r\nX-A: #",
        ]
    )
    func parts(_ disposition: String) throws {
        let head = disposition.replacing("#", with: String(repeating: "a", count: 5_000))
        let first = "--b\r\nContent-Disposition: \(head)\r\n\r\n*\r\n"
        let second = "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nkept\r\n--b--\r\n"
        let out = try masked(first + second, "multipart/form-data; boundary=b")
        #expect(!out.contains(Self.secret) && out.contains("kept"), "\(out)")
    }

    @Test(
        "A text in single quotation marks within a JSON string is read, whether the string has escapes or not",
        arguments: [
            #"{"message":"[{'name': 'X-Api-Key', 'value': '*'}]","kept":1}"#,
            #"{"message":"send: [('Host', 'a.test'), ('X-Api-Key', '*')]","kept":1}"#,
        ],
        ["", "\\n"]
    )
    func singles(_ text: String, _ end: String) throws {
        let out = try masked(text.replacing("]\"", with: "]\(end)\""), "application/json")
        #expect(!out.contains(Self.secret) && out.contains("\"kept\":1"), "\(out)")
    }
}
