import Archive
import Foundation
import NIOCore
import Testing
import Traffic

/// Bodies with a secret (`*`) in one of the many ways that secrets are written down, beside something that is none.
@Suite("Secrets in bodies do not leave the machine, however they are written", .timeLimit(.minutes(15)))
struct RedactedBodiesTests {
    private static let secret = "q7Wn2Zk9Lx4Tb8Vd"

    /// What an export has of a response with this body, and what it says of it.
    private func masked(
        _ body: [UInt8],
        type: String = "text/plain",
        knownLimit: Int = 20_000,
        knownLimitBytes: Int = 1 << 20
    ) throws -> (bytes: [UInt8], report: RedactionReport) {
        let sample = SampleExchange(response: "HTTP/1.1 200 OK\nContent-Type: \(type)\n\n", responseBody: body)
        let redactor = Redactor(knownLimit: knownLimit, knownLimitBytes: knownLimitBytes, digest: Redactor.quickDigest)
        let bytes = try redactor.maskedResponse(of: sample)
        return (bytes, redactor.report)
    }

    @Test(
        "A secret in a text is masked, what stands beside it stays, and JSON stays JSON",
        arguments: [
            #"{"query":"mutation { login(user: \"me\", password: \"*\") { kept } }"}"#, "password = *\nkept = 1\n",
            "secret_key\t=\t\"*\"\nkept = 1", "token = '*'; kept = 1", "token='*'; kept",
            #"<form><input type="hidden" name="csrf_token" value="*"><b>kept</b></form>"#,
            "<input value='*' name=authenticity_token>kept", #"<meta content="*" name="csrf-token"><b>kept</b>"#,
            "<INPUT TYPE=password VALUE=*> kept", #"<add key="ApiKey" value="*"/><a>kept</a>"#,
            #"{"html":"<input name=\"csrf\" value=\"*\">kept"}"#,
            #"{"name":"password","value":"*","kept":1}"#, #"{"kept":1,"value":"*","name":"password"}"#,
            #"{"name": "Session ID", "value": 1234567890, "note": "*", "kept": 1, "password": "*"}"#,
            #"{"headers":[["Cookie","sid=*"],["Accept","kept"]]}"#, #"["Host","kept","X-Api-Key","*"]"#,
            #"{"key":"session_token","values":["*",{"deep":"*"}],"kept":1}"#, #"{"pass\u0077ord":"*","kept":1}"#,
            "next=https%3A%2F%2Fh.test%2F%3Ftoken%3D*%26kept%3D1", "s=%7B%22password%22%3A%22*%22%2C%22kept%22%3A1%7D",
            "u=%2522password%2522%253A%2522*%2522 kept",
            "data=%22eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI*In0.abc*%22 kept",
            #"{"url":"https:\/\/h.test\/?kept=1\u0026sig=*"}"#, #"{"url":"https://h.test/?kept=1\u0026sig=ab%26*"}"#,
            ##"<wsse:Password Type="http://docs.example.test/wss/2004/01/a-long-name-of-a-profile-1.0#PasswordText">*</wsse:Password><b>kept</b>"##,
            "<password><![CDATA[*]]></password><b>kept</b>", "<password>\n  <![CDATA[a<b*]]>\n</password><b>kept</b>",
            #"<div data-state="{&quot;token&quot;:&quot;*&quot;,&quot;a&quot;:&quot;kept&quot;}"></div>"#,
            "see https://h.test/cb?code=*&kept=1", #"{"ticket":"ST-1234567-*","kept":1}"#,
            "see https://h.test/?appkey=*&kept=1", "see https://h.test/?consumer_key=*&kept=1",
            #"{"a":"{\"b\":\"{\\\"password\\\":\\\"*\\\",\\\"kept\\\":1}\"}"}"#, "{'password': \"*\", 'kept': 1}",
            "log=[Authorization: Bearer *], kept", #"{"log":"password: *\", then","kept":1}"#,
            #"{"auth":{"pin": 1234567890123456, "x": "*"}, "kept": 1}"#,
            #"{"s":"{\"pin\": 98765432,\"token\":\"*\"}","kept":1}"#,
            #"{"values":[{"key":"token","value":"*","enabled":true},{"key":"kept","value":"kept"}]}"#,
            #"{"name":"kept","value":[{"name":"password","value":"*"}]}"#,
            #"{"name":"credentials","value":[{"id":"*"}],"kept":1}"#,
            #"{"name":"http://schemas.example.test/ws/2008/06/identity/claims/and/so/on/password","value":"*","kept":1}"#,
            #"{"n\u0061me":"password","value":"*","kept":1}"#, #"{"code":"failed with token=*, kept"}"#,
            #"{"ticket":"{\"password\":\"*\"}","kept":1}"#, "{\"password\"\n:\t\"*\",\"kept\":1}",
            #"{"password":"first * last","log":"password=first * last; kept"}"#,
            "<dict><key>password</key>\n\t<string>*</string><key>a</key><string>kept</string></dict>",
            "<key>tokens</key><!-- b --><array><string>*</string><string><![CDATA[*]]></string></array><b>kept</b>",
            "<member><name>password</name><value><string>*</string></value></member><b>kept</b>",
            "<string name=\"api_token\">*</string><b>kept</b>", "<entry key='password'>*</entry><b>kept</b>",
            "password='first *', kept", "password=`first *`; kept", "kept password=\"first *",
            "password=first,*\nkept", "password: first,*\nkept", "see https://h.test/?token=first,*;x)*&kept=1",
            "a_name_that_is_longer_than_any_program_has_one_but_somebody_may_make_it_password=* kept",
            "<ANameThatIsLongerThanAnyProgramHasOneButSomebodyMayMakeItPassword>*</A><b>kept</b>",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n***\n***\n*\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----\nkept",
            "kept -----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n***\n***\n*",
            #"{"pem":"-----BEGIN PRIVATE KEY-----\n***\n***\n*\n-----END PRIVATE KEY-----\n","kept":1}"#,
            #"Parameters: {"password"=>"*", 'kept' => 1}"#, "'token' => '*', 'kept' => 1",
            "run --password * kept", "credentials: { accessToken: \"*\" }, kept", "session: [\npassword=* kept",
            #"{"Authorization":"Bearer *","kept":"the same: *"}"#,
            "path \(String(repeating: "\\", count: 64)) and %22password%22%3A%22*%22 kept",
        ]
    )
    func texts(_ text: String) throws {
        let type = text.hasPrefix("{\"") || text.hasPrefix("[") ? "application/json" : "text/html"
        let body = Array(text.replacing("*", with: Self.secret).utf8)
        let (bytes, report) = try masked(body, type: type)
        let out = String(decoding: bytes, as: UTF8.self)
        #expect(!out.contains(Self.secret) && out.contains("kept") && report.total > 0, "\(out)")
        if type == "application/json" { #expect(throws: Never.self, "\(out)") { try JSONReader.value(bytes) } }
    }

    @Test(
        "A secret in a form is masked, in the text within an item too",
        arguments: [
            "a=1&data=%7B%22password%22%3A%22*%22%7D&kept=1", "log=Authorization%3A+Bearer+*&kept=1",
            "client%5Fsecret=*&kept=1", "kept=1&code=*", "kept=1&x=a%3Db%26sig%3D*", "kept=1&ticket=ST-1-*",
        ]
    )
    func forms(_ text: String) throws {
        let body = Array(text.replacing("*", with: Self.secret).utf8)
        let (bytes, report) = try masked(body, type: "application/x-www-form-urlencoded")
        let out = String(decoding: bytes, as: UTF8.self)
        #expect(!out.contains(Self.secret) && out.contains("kept=1") && report.total > 0, "\(out)")
    }

    @Test(
        "The value of a part is masked whole, of a file too, and the next part stays",
        arguments: [
            "name=\"secret_file\"; filename=\"kept.pem\"\r\nContent-Type: text/plain", "name=secret; filename=kept.txt",
            "filename=\"kept\"; name=\"api_key\"", "name=\"password\"",
        ]
    )
    func parts(_ disposition: String) throws {
        let body =
            "--x\r\nContent-Disposition: form-data; \(disposition)\r\n\r\nfirst *\r\n-- \r\nsecond *\r\n--x\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nkept\r\n--x--\r\n"
        let (bytes, _) = try masked(
            Array(body.replacing("*", with: Self.secret).utf8),
            type: "multipart/form-data; boundary=x"
        )
        let out = String(decoding: bytes, as: UTF8.self)
        #expect(!out.contains(Self.secret) && !out.contains("second"), "\(out)")
        #expect(
            out.hasSuffix(">\r\n--x\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nkept\r\n--x--\r\n"),
            "\(out)"
        )
    }

    @Test(
        "What is no secret stays byte for byte",
        arguments: [
            #"{"code":404,"status":"kept"}"#, #"{"code":"NOT_FOUND_ANYWHERE"}"#, "if (token == other) { run(); }",
            #"{"required":["username","age"],"name":"color","value":"red"}"#, "path C:\\temp\\new & 100% of it",
            #"<input name="color" value="red"><a href="/x?code=1">y</a>"#, #"{"id":"7","value":"plain","name":"size"}"#,
            "x^2 + y^2 = z^2", #"[["Accept","text/html"],["Host","a.test"]]"#,
            #"pem.replace("-----BEGIN PRIVATE KEY-----", "").replace("-----END PRIVATE KEY-----", "")"#,
            #"if (token=="Bearer"||token==="other") { run(password=>1) }"#,
            #"{"token":null,"password":"undefined","secret":false}"#, #"{key:"componentDidMount",value:function(){}}"#,
            "Use basic authentication, or bearer authorization-codes.", "<Key>photos/cat.png</Key>",
            #"{"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":12}}"#,
            "Token:\n  Write what we have sent to you.\n",
            "if (a) {\n  token:\n    run('a', \"b\")\n}", "{'name': 'size', 'value': 'it'}",
            "Token:\n  <b>kept</b>", "while (a)\n  token:\n    run();", "Object.values(a); f(password) values;",
            "INSERT INTO users (name, password) VALUES (?, :password), ($1, NULL)", "It's password 'n sync",
            #"a.join(",");var token="",n=5;foo("x")"#,
            #"{"attributes":[{"key":"usage.total_tokens","value":512}],"a":["max_tokens",4096]}"#,
            #"{"token_endpoint_auth_methods_supported":["none"],"id_token_signing_alg_values_supported":["RS256"]}"#,
            #"{"token_endpoint_auth_method":"none","access_token_lifetime":3600,"password_expiration":90}"#,
            #"[{key:"getToken",value:function(){return"a"}},{key:"color",value:"red"}]"#,
            #"{"a":{"required":["b","pin"]},"c":[{"d":[["kept","kept"]]}]}"#,
            #"(function(){var a=function(){return["email","password"]},b=[["click","tap"],["focus","blur"]]})()"#,
            #"<i class="sk-fading-circle-wrapper"></i>"#, #"{"values":[{"key":"color","value":"red"}]}"#,
        ]
    )
    func plain(_ text: String) throws {
        let (bytes, report) = try masked(Array(text.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == text && report.total == 0)
    }

    @Test(
        "A common value is masked where it is named a secret, and nowhere else",
        arguments: [
            "same-origin", "componentDidMount", "Password reset", "Sommerferien", "2026-11-23",
            "2026-11-23T10:00:00.123+01:00", "Wed, 21 Oct 2026 07:28:00 GMT", "#/components/schemas/Token2",
            "text/html; charset=utf-8", "https://auth.example.test/v2/login?step=1",
        ]
    )
    func words(_ word: String) throws {
        let text = #"{"credentials":"\#(word)","text":"kept \#(word) kept"}"#
        let (bytes, report) = try masked(Array(text.utf8), type: "application/json")
        let out = String(decoding: bytes, as: UTF8.self)
        #expect(out.contains("\"kept \(word) kept\"") && report.total == 1, "\(out)")
    }

    @Test(
        "A piece of a program under a name of secrets is masked there alone",
        arguments: [
            "getToken:function(e){return\"kept\"},", "a.setCookie=function(e){return \"kept\"};",
            "readToken=async(e)=>{e()},",
        ]
    )
    func programs(_ piece: String) throws {
        let text = piece + "run:function(e){return\"kept\"},b=function(e){return e},go=async(e)=>{e()}"
        let out = String(decoding: try masked(Array(text.utf8), type: "text/javascript").bytes, as: UTF8.self)
        #expect(out.hasSuffix(text.dropFirst(piece.count)) && out != text, "\(out)")
    }

    @Test(
        "Letters alone that are no words, and URLs with what was made, are a secret wherever they stand",
        arguments: [
            "SWtSfoiDBQCtmvoCXc", "iRtbRAMGZYEyqebDir", "https://h.test/hooks/q7Wn2Zk9Lx4Tb8Vd",
            "application/q7Wn2Zk9Lx4Tb8Vd",
        ]
    )
    func letters(_ secret: String) throws {
        let text = #"{"credentials":"\#(secret)","text":"kept \#(secret) kept"}"#
        let out = String(decoding: try masked(Array(text.utf8), type: "application/json").bytes, as: UTF8.self)
        #expect(!out.contains(secret) && out.contains(" kept\""), "\(out)")
    }

    @Test("A secret is found however deep the lists are that stand before it")
    func depths() throws {
        for depth in [300, 20_000] {
            let lists = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let text = #"{"name":"password","x":\#(lists),"value":"\#(Self.secret)"}"#
            let out = String(decoding: try masked(Array(text.utf8)).bytes, as: UTF8.self)
            #expect(!out.contains(Self.secret), "\(depth)")
        }
        let deep = String(repeating: "[", count: 120_000) + #"{"name":"password","value":"\#(Self.secret)"}"#
        let out = String(decoding: try masked(Array("kept \(deep)".utf8)).bytes, as: UTF8.self)
        #expect(!out.contains(Self.secret) && out.hasPrefix("kept"))
    }

    @Test("A body is searched as what its head said before that was masked")
    func heads() throws {
        let type = "application/x-www-form-urlencoded"
        let sample = SampleExchange(
            response: "HTTP/1.1 200 OK\nContent-Type: \(type)\n\n",
            responseBody: Array("code=ab12cd34&kept=1".utf8)
        )
        let pattern = try NSRegularExpression(pattern: "urlencoded")
        let redactor = Redactor(patterns: [pattern], digest: Redactor.quickDigest)
        let record = try redactor.redact(sample.record, source: sample.source)
        #expect(record.exchange.response?.fields.first("Content-Type") != type)
        let body = try redactor.body(1, .response, 0, 1 << 20, source: sample.source)
        #expect(String(decoding: body, as: UTF8.self).hasPrefix("code=<token:"))
    }

    @Test("A body is searched by what it is, and not by what its head says; what cannot be searched is counted")
    func undeclared() throws {
        let json = Array(#"{"password":"\#(Self.secret)","kept":1}"#.utf8)
        let coder = GzipEncoder()
        let packed = try coder.write(json) + coder.finish()
        let wide: [UInt8] = [0xFF, 0xFE] + json.flatMap { [$0, 0] as [UInt8] }
        let cut = wide + [0x20]
        let unmarked = Array(wide.dropFirst(2))
        let bigEndian = json.flatMap { [0, $0] as [UInt8] }
        for (body, type) in [
            (json, "image/png"), (json, "audio/mpeg"), (json, "font/woff2"), (packed, "application/octet-stream"),
            (packed, "image/svg"), (wide, "text/plain"), (cut, "text/plain"),
            (bigEndian, "application/json"), (unmarked, "image/png"),
            (json, "application/json; charset=utf-16"),
        ] {
            let (bytes, report) = try masked(body, type: type)
            let out = String(decoding: bytes, as: UTF8.self)
            #expect(out.contains("\"kept\":1") && !out.contains(Self.secret) && report.total == 1, "\(type): \(out)")
            #expect(report.unsearchedBodies == 0)
        }
        let zip = Array("PK\u{3}\u{4}\u{14}\0\0\0\u{8}\0".utf8) + packed
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + json
        for (body, type) in [
            (zip, "application/zip"), (picture, "image/png"),
            ([8, 1, 18, 4] + json.prefix(4), "application/x-protobuf"),
        ] {
            let (bytes, report) = try masked(body, type: type)
            #expect(bytes == body && report.unsearchedBodies == 1, "\(type)")
            #expect(report.lines.contains { $0.contains("1 body is no text") }, "\(report.lines)")
        }
    }

    @Test("What people wrote about an exchange, and the names in it, are masked too")
    func marks() throws {
        let sample = SampleExchange(
            head: "GET /a HTTP/1.1\nHost: \(Self.secret).example.test\nX-Api-Key: \(Self.secret)\n\n",
            target: "/a"
        )
        var record = sample.record
        record.exchange.host = "\(Self.secret).example.test"
        let archived = ArchivedBody(form: .text, size: 9, kept: 4, problem: "cut, password=\(Self.secret)")
        record.exchange.request.body.archived = archived
        record.exchange.response?.body.archived = archived
        record.exchange.client = Peer(
            token: 1,
            address: "127.0.0.1:1",
            tls: Peer.TLS(version: "TLSv1.3", serverName: "\(Self.secret).example.test", applicationProtocol: nil),
            process: LocalProcess(id: 7, name: "run --token=\(Self.secret)")
        )
        record.exchange.mediaType = "\(Self.secret)/x"
        (record.summary.mediaType, record.summary.host) = (record.exchange.mediaType, record.exchange.host)
        record.summary.session = "with \(Self.secret)"
        record.summary.clientName = "App (\(Self.secret))"
        record.summary.process = "run --token=\(Self.secret)"
        record.summary.marks = ExchangeMarks(
            tags: ["token=\(Self.secret)", "kept"],
            note: "his password: \(Self.secret)"
        )
        let redactor = Redactor(digest: Redactor.quickDigest)
        let masked = try redactor.redact(record, source: sample.source)
        var json = JSONWriter()
        try ExchangeJSON(masked, remedyWords: nil).write(to: &json, source: sample.source) { _ in }
        var har: [UInt8] = []
        var next: ExchangeRecord? = masked
        try HAR.write(
            creatorVersion: "1",
            scope: .all,
            source: sample.source,
            messages: { _, _ in [] },
            next: {
                defer { next = nil }
                return next
            },
            to: { har += $0 }
        )
        for text in [String(decoding: json.bytes, as: UTF8.self), String(decoding: har, as: UTF8.self)] {
            #expect(!text.contains(Self.secret) && text.contains("kept") && text.contains("his password: <"), "\(text)")
        }
        #expect(masked.summary.host == masked.exchange.host && masked.exchange.host.hasSuffix(">.example.test"))
    }

    @Test(
        "A subprotocol that is a token is masked, and a plain one stays",
        arguments: [
            ("chat, *", "chat, <"), ("access_token, short", "access_token, <"),
            ("base64url.bearer.*, v5.channel.k8s.io", "<"),
            ("graphql-transport-ws, v12.stomp", "graphql-transport-ws, v12.stomp"),
        ]
    )
    func subprotocols(_ value: String, _ beginning: String) throws {
        let value = value.replacing("*", with: Self.secret)
        let sample = SampleExchange(
            head: "GET /a HTTP/1.1\nHost: a\nSec-WebSocket-Protocol: \(value)\n\n",
            target: "/a"
        )
        let head = try Redactor(digest: Redactor.quickDigest).redact(sample.record, source: sample.source).exchange
            .request.head
        let text = String(buffer: head)
        #expect(!text.contains(Self.secret) && text.contains("Protocol: \(beginning)"), "\(text)")
    }

    @Test("A text that was masked is masked again without change")
    func again() throws {
        let redactor = Redactor(digest: Redactor.quickDigest)
        let text =
            "Authorization: Bearer \(Self.secret)\n?token=\(Self.secret)&x=1 {\"password\":\"\(Self.secret)\"} %22token%22%3A%22\(Self.secret)%22"
        let once = redactor.masked(text)
        #expect(!once.contains(Self.secret) && redactor.masked(once) == once, "\(once) \(redactor.masked(once))")
        let escaped = once.replacing("<", with: "%3C").replacing(">", with: "%3E")
        #expect(redactor.masked(escaped) == escaped)
    }

    @Test("What a later exchange names is masked in an earlier one, where both were learnt before")
    func learns() throws {
        let first = SampleExchange(1, responseBody: Array("echo \(Self.secret) kept, a%2F\(Self.secret)".utf8))
        let second = SampleExchange(2, responseBody: Array("password=\(Self.secret)".utf8))
        let redactor = Redactor(digest: Redactor.quickDigest)
        for sample in [first, second] { try redactor.learn(sample.record, source: sample.source) }
        #expect(redactor.report.total == 0)
        let record = try redactor.redact(first.record, source: first.source)
        let kept = Int(record.exchange.response?.body.kept ?? 0)
        let body = try redactor.body(1, .response, 0, kept, source: first.source)
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.wholeMatch(of: /echo <password:[0-9a-f]+> kept, a%2F<password:[0-9a-f]+>/) != nil, "\(text)")
    }

    @Test("A secret is found in another spelling of it than the one that was named")
    func spellings() throws {
        let body = #"{"password":"a/b;c \"d\" 12","log":"a%2Fb%3Bc%20%22d%22%2012 kept","x":"a\/b;c \"d\" 12"}"#
        let out = String(decoding: try masked(Array(body.utf8), type: "application/json").bytes, as: UTF8.self)
        let names = out.matches(of: /<password:[0-9a-f]+>/).map { String($0.output) }
        #expect(names.count == 3 && Set(names).count == 1 && out.contains(" kept"), "\(out)")
    }

    @Test("More secrets than are kept in mind are said")
    func full() throws {
        func body(_ count: Int) -> [UInt8] { Array((0..<count).map { "token=aBcD9876\($0)\n" }.joined().utf8) }
        #expect(try !masked(body(3), knownLimit: 3).report.forgetsSecrets)
        #expect(try masked(body(4), knownLimitBytes: 30).report.forgetsSecrets)
        let long = String(repeating: "aBcD9", count: 1_000)
        #expect(try masked(Array("token=\(long)".utf8)).report.forgetsSecrets)
        let report = try masked(body(4), knownLimit: 3).report
        #expect(report.forgetsSecrets && report.lines.contains { $0.contains("too many secrets") }, "\(report.lines)")
    }
}
