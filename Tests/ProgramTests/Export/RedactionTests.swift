import Foundation
import NIOCore
import Support
import Testing
import Traffic

/// Secrets planted where secrets are, looked for in every format of a shared export.
@Suite("Redaction", .timeLimit(.minutes(15)))
struct RedactionTests {
    private static let formats = [
        "har", "json", "jsonl", "curl", "httpie", "python", "swift", "javascript", "postman", "raw",
    ]

    /// Gives out secrets that nothing else in a file can look like.
    private struct Planter {
        private var random = SeededGenerator(seed: 300)
        private(set) var planted: [String] = []

        mutating func secret(_ prefix: String = "") -> String {
            let letters = Array("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
            let secret = prefix + String((0..<18).map { _ in letters.randomElement(using: &random) ?? "a" })
            planted.append(secret)
            return secret
        }

        mutating func plant(_ secret: String) { planted.append(secret) }

        mutating func basic() -> String {
            let text = Data("user:\(secret())".utf8).base64EncodedString()
            planted.append(text)
            return text
        }

        mutating func jwt() -> String {
            let text =
                "eyJhbGciOiJIUzI1NiJ9.\(Data("{\"sub\":\"\(secret())\"}".utf8).base64EncodedString().filter { $0 != "=" }).\(secret())"
            planted.append(text)
            return text
        }
    }

    /// Each round plants its secrets in another exchange.
    private static func plant(_ round: Int, _ planter: inout Planter) async throws -> (Sample, [ExchangeEvent]) {
        let query = ["access_token", "api_key", "password", "sig", "X-Amz-Signature", "client%5Fsecret"].map { name in
            "\(name)=\(planter.secret())"
        }
        let form =
            "user=me&password=\(planter.secret("p%40;,"))&note=hello&refresh_token=\(planter.secret())&otp=\(planter.secret())"
        let inner = #"{\"client_secret\":\"\#(planter.secret())\",\"n\":1}"#
        let echoed = planter.secret()
        let json = """
            {"access_token": "\(planter.secret())", "expires_in": 3600, "token_type": "Bearer", "user": {"passwd":"\(planter.secret("q\\\""))"},
             "credentials": {"id": "\(planter.secret())", "list": ["\(planter.secret())", {"deep": "\(planter.secret())"}]},
             "log": "Authorization: Bearer \(planter.secret())", "next": "https://me:\(planter.secret())@h.test/?apikey=\(planter.secret())",
             "config": "\(inner)", "jwtless": "\(planter.jwt())", "pin": 123987\(round)55, "echo": "\(echoed)", "kept": "visible \(round)"}
            """
        let xml = "<a><Password>\(planter.secret())</Password><b sessionId=\"\(planter.secret())\">kept</b></a>"
        let written = writings(&planter)
        let multipart =
            "--x\r\nContent-Disposition: form-data; name=\"api_secret\"\r\n\r\n\(planter.secret())\r\n--x--\r\n"
        let isForm = round % 2 == 0
        let body = isForm ? form : round % 4 == 1 ? xml : round % 4 == 3 && round > 4 ? written : multipart
        var sample = Sample(
            UInt64(round + 1),
            "POST",
            "/login?\(query.joined(separator: "&"))&kept=visible",
            fields:
                "Content-Type: application/json\r\nContent-Encoding: gzip\r\nSet-Cookie: sid=\(planter.secret()); Path=/; HttpOnly\r\n"
                + "Location: https://app.test/cb?code=1&id_token=\(planter.secret())\r\n",
            requestBody: Array(body.utf8),
            responseBody: try await CommandLineTool.run("gzip", ["-nc"], input: Array(json.utf8)).outputBytes
        )
        sample.exchange.request.head = ByteBuffer(
            string: "POST \(sample.exchange.target) HTTP/1.1\r\nHost: api.example.test\r\n"
                + "Content-Type: \(isForm ? "application/x-www-form-urlencoded" : "text/plain")\r\nAuthorization: Bearer \(planter.secret())\r\n"
                + "Proxy-Authorization: Basic \(planter.basic())\r\nCookie: a=\(planter.secret()); b=\(planter.secret())\r\n"
                + "X-Api-Key: \(planter.secret())\r\nX-CSRF-Token: \(planter.secret())\r\nX-Trace: \(echoed)\r\n"
                + "X-Secret: \(echoed)\r\nReferer: https://app.test/?session=\(planter.secret())\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        )
        var message = #"{"type":"auth","token":"\#(planter.secret())"}"#
        message += " kept"
        return (
            sample,
            [
                .message(
                    1000 + UInt64(round),
                    StreamMessage(
                        side: .request,
                        time: 1_763_647_323_456_789,
                        kind: .webSocket,
                        opcode: 1,
                        wireBytes: Int64(message.utf8.count),
                        size: Int64(message.utf8.count),
                        payload: ByteBuffer(string: message)
                    )
                )
            ]
        )
    }

    /// Secrets written down in the ways that programs have, line by line.
    private static func writings(_ planter: inout Planter) -> String {
        let percent = "%7B%22password%22%3A%22\(planter.secret())%22%2C%22jwt%22%3A%22\(planter.jwt())%22%7D"
        return [
            #"{"query":"mutation { login(password: \"\#(planter.secret())\") { id } }"}"#,
            "password = \(planter.secret())", "secret_key = '\(planter.secret())'",
            "<input type=\"hidden\" name=\"csrf_token\" value=\"\(planter.secret())\">",
            "<meta content='\(planter.secret())' name='csrf-token'>",
            #"{"name":"password","value":"\#(planter.secret())"}"#, #"[["Cookie","sid=\#(planter.secret())"]]"#,
            "state=\(percent)", #"{"next":"https:\/\/h.test\/?a=1\u0026sig=\#(planter.secret())"}"#,
            "<wsse:Password Type=\"http://docs.example.test/a/long/name/of/a/profile/of/tokens#PasswordText\">\(planter.secret())</wsse:Password>",
            "<password><![CDATA[\(planter.secret())]]></password>",
            "https://h.test/cb?code=\(planter.secret())&ticket=\(planter.secret())&appkey=\(planter.secret())&consumer_key=\(planter.secret())",
            "--x", "Content-Disposition: form-data; name=\"secret\"; filename=\"a.txt\"", "", planter.secret(), "--x--",
            "kept",
        ].joined(separator: "\r\n")
    }

    private static func webSocket(_ round: Int, _ planter: inout Planter) -> Sample {
        var sample = Sample(
            1000 + UInt64(round),
            "GET",
            "/chat",
            scheme: .wss,
            code: 101,
            fields: "Upgrade: websocket\r\n"
        )
        sample.exchange.request.head = ByteBuffer(
            string:
                "GET /chat HTTP/1.1\r\nHost: api.example.test\r\nSec-WebSocket-Protocol: chat, access_token, \(planter.secret())\r\n"
                + "X-Functions-Key: \(planter.secret())\r\nFastly-Key: \(planter.secret())\r\nX-WSSE: UsernameToken Username=\"a\", PasswordDigest=\"\(planter.secret())\"\r\n\r\n"
        )
        sample.exchange.version = .webSocket
        sample.exchange.messages = MessageCounts(request: 1)
        return sample
    }

    @Test("Three hundred planted secrets are in no format of a shared export, and what is no secret is")
    func masks() async throws {
        let store = try CapturedStore()
        var planter = Planter()
        for round in 0..<12 {
            let (sample, messages) = try await Self.plant(round, &planter)
            try await store.record(sample)
            let webSocket = Self.webSocket(round, &planter)
            try await store.submit(
                [.opened(webSocket.token, webSocket.exchange)] + messages
                    + [.ended(webSocket.token, webSocket.exchange, request: ByteBuffer(), response: ByteBuffer())]
            )
        }
        #expect(planter.planted.count >= 300)
        try await Self.mark(store, &planter)
        for format in Self.formats {
            let open = try await store.inspect("export", "--format", format, "--all").output
            let shared = try await store.inspect("export", "--format", format, "--all", "--share")
            #expect(shared.status == 0, "\(shared.errors)")
            let text = shared.output + shared.errors
            let leaked = planter.planted.filter { text.contains($0) || text.contains($0.dropFirst(8)) }
            #expect(leaked == [], "\(format)")
            #expect(shared.output.contains("visible"), "\(format)")
            #expect(planter.planted.contains { open.contains($0) }, "\(format)")
            #expect(shared.errors.contains("inspect: masked "), "\(shared.errors)")
        }
        let har = try await store.inspect("export", "--share").output
        for kept in ["visible 3", "\\\"expires_in\\\": 3600", "\\\"token_type\\\": \\\"Bearer\\\"", "HttpOnly", "kept"]
        {
            #expect(har.contains(kept), "\(kept)")
        }
    }

    /// Writes secrets into what people say of exchanges, and into bodies that do not say what they are.
    private static func mark(_ store: CapturedStore, _ planter: inout Planter) async throws {
        let named = planter.secret()
        let json = #"{"password":"\#(planter.secret())","kept":"visible"}"#
        try await store.record(
            Sample(
                2001,
                "GET",
                "/picture",
                host: "\(named.lowercased()).example.test",
                fields: "Content-Type: image/png\r\nX-Api-Key: \(named.lowercased())\r\n",
                responseBody: Array(json.utf8)
            )
        )
        planter.plant(named.lowercased())
        let packed = try await CommandLineTool.run("gzip", ["-nc"], input: Array("token = \(planter.secret())".utf8))
        let fields = "Content-Type: application/octet-stream\r\n"
        try await store.record(Sample(2002, fields: fields, responseBody: packed.outputBytes))
        // The first of the store has without a name what its last names.
        let late = planter.secret()
        try await store.record(Sample(2003, responseBody: Array("only \(late)".utf8)))
        try await store.record(Sample(2004, "POST", "/late", requestBody: Array("password=\(late)".utf8)))
        // Marks are written by a command, which no other writer must keep from it.
        try store.close()
        let tag = planter.secret().lowercased()
        planter.plant(tag)
        for result in [
            try await store.inspect("mark", "tag", "1", "token:\(tag)"),
            try await store.inspect("mark", "note", "1", "his password: \(planter.secret())"),
        ] {
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test("The same secret has the same name within an export and another in the next")
    func names() async throws {
        let store = try CapturedStore()
        for (token, target) in [(1, "/?access_token=same-secret-1"), (2, "/?access_token=other-secret")] {
            try await store.record(
                Sample(UInt64(token), "GET", target, responseBody: Array("{\"password\":\"same-secret-1\"}".utf8))
            )
        }
        func names() async throws -> [String] {
            try await store.inspect("export", "--format", "raw", "--redact").output
                .matches(of: /<[a-z]+:[0-9a-f]+>/).map { String($0.output) }
        }
        let first = try await names()
        #expect(first.count == 4 && Set(first).count == 2 && first[0] == first[1] && first[0] == first[3], "\(first)")
        let others = [try await names(), try await names(), try await names()]
        #expect(others.contains { $0 != first })
    }

    @Test("A body whose coding cannot be undone is withheld from a shared export, and said to be")
    func withholds() async throws {
        let store = try CapturedStore()
        let secret = Array("password=hunter2hunter2".utf8)
        let fields = "Content-Type: text/plain\r\nContent-Encoding: "
        try await store.record(Sample(1, fields: fields + "x-rot\r\n", responseBody: secret.map { $0 ^ 1 }))
        try await store.record(Sample(2, fields: fields + "gzip\r\n", responseBody: [0, 1, 2] + secret.map { $0 ^ 1 }))
        // Bytes that were never coded as they claim, and are a text: it is searched as any other.
        try await store.record(Sample(3, fields: fields + "gzip\r\n", responseBody: secret))
        let shared = try await store.inspect("export", "--format", "jsonl", "--share")
        #expect(
            !shared.output.contains("hunter2") && shared.errors.contains("2 bodies were withheld"),
            "\(shared.errors)"
        )
        let rows = shared.output.split(separator: "\n")
        for row in rows.prefix(2) {
            #expect(row.contains("(withheld: ") && !row.contains("Content-Encoding"), "\(row)")
        }
        #expect(rows.last?.contains("password=<password:") == true)
        let masked = String(decoding: secret.map { $0 ^ 1 }, as: UTF8.self)
        for format in ["har", "raw", "json"] {
            let result = try await store.inspect("export", "--format", format, "--share")
            #expect(!result.output.contains(masked) && !result.output.contains(Data(masked.utf8).base64EncodedString()))
        }
    }

    @Test("A pattern masks what nothing names, --no-redact nothing, and mistakes are one line")
    func options() async throws {
        let store = try CapturedStore()
        try await store.record(
            Sample(1, "GET", "/?password=hunter2hunter2", responseBody: Array("IBAN DE89 3704, id 77".utf8))
        )
        let masked = try await store.inspect("export", "--format", "raw", "--redact-pattern", #"IBAN ([A-Z0-9 ]+)"#)
        #expect(masked.output.contains("IBAN <pattern:") && masked.output.hasSuffix(">, id 77"), "\(masked.output)")
        #expect(
            masked.errors.contains("1 × parameter password") && masked.errors.contains("1 × pattern "),
            "\(masked.errors)"
        )
        let open = try await store.inspect("export", "--format", "raw", "--share", "--no-redact")
        #expect(open.output.contains("hunter2hunter2") && open.errors.isEmpty)
        for arguments in [["--redact", "--no-redact"], ["--redact-pattern", "("]] {
            let result = try await CommandLineTool.run(
                try Executable.inspect(),
                ["export", "--store", store.path] + arguments
            )
            #expect(result.status == 2 && result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
        }
    }
}
