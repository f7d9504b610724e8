import Foundation
import Support
import Testing

/// What we say ourselves, as the answer to a request that failed and in our own output, holds no secret of the request.
@Suite(.timeLimit(.minutes(15)))
struct SecretTests {
    /// Secrets that nothing else can look like.
    private struct Planter {
        private var random = SeededGenerator(seed: 97)
        private(set) var planted: [String] = []

        mutating func secret() -> String {
            let letters = Array("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789")
            let secret = String((0..<20).map { _ in letters.randomElement(using: &random) ?? "a" })
            planted.append(secret)
            return secret
        }

        mutating func plant(_ secret: String) { planted.append(secret) }

        /// The fields of a request, with a secret wherever one can be.
        mutating func fields(_ credentials: String?) -> String {
            var basic = Data("me:\(secret())".utf8).base64EncodedString()
            planted.append(basic)
            if let credentials { basic = Data(credentials.utf8).base64EncodedString() }
            return
                "Proxy-Authorization: Basic \(basic)\r\nAuthorization: Bearer \(secret())\r\nCookie: sid=\(secret()); b=\(secret())\r\n"
                + "X-Api-Key: \(secret())\r\nReferer: https://app.test/?session=\(secret())\r\n"
        }
    }

    /// A request that must fail, and the code it is answered with.
    private struct Failing {
        var text: String
        var code: Int
    }

    private static func requests(_ planter: inout Planter, closed: Int, own: Int, login: String) -> [Failing] {
        let query = "token=\(planter.secret())&password=\(planter.secret())"
        func form(_ planter: inout Planter) -> String { "user=me&password=\(planter.secret())&otp=\(planter.secret())" }
        var made: [Failing] = []
        for (target, code) in [
            ("http://127.0.0.1:\(closed)/a?\(query)", 502),
            ("http://me:\(planter.secret())@127.0.0.1:\(closed)/?\(query)", 400),
            ("http://\(UnknownName.host)/\(planter.secret())?\(query)", 502),
            ("http://127.0.0.1:\(own)/?\(query)", 508),
        ] {
            let body = form(&planter)
            made.append(
                Failing(
                    text:
                        "POST \(target) HTTP/1.1\r\nHost: x.test\r\n\(planter.fields(login))Content-Length: \(body.utf8.count)\r\n\r\n\(body)",
                    code: code
                )
            )
        }
        for (bad, code) in [
            ("Bad Name\(planter.secret()): 1\r\n", 400),
            ("Content-Length: 3\r\nContent-Length: \(planter.secret())\r\n", 400),
            ("Transfer-Encoding: \(planter.secret())\r\n", 501), (" folded \(planter.secret())\r\n", 400),
            ("X-Large: \(String(repeating: "s", count: 1 << 20))\r\n", 431),
        ] {
            made.append(
                Failing(
                    text:
                        "GET http://127.0.0.1:\(closed)/?\(query) HTTP/1.1\r\nHost: x.test\r\n\(planter.fields(login))\(bad)\r\n",
                    code: code
                )
            )
        }
        made.append(
            Failing(
                text: "GET ftp://me:\(planter.secret())@127.0.0.1/?\(query) HTTP/1.1\r\n\(planter.fields(login))\r\n",
                code: 400
            )
        )
        made.append(
            Failing(
                text: "CONNECT 127.0.0.1:\(closed) HTTP/1.1\r\nHost: x.test\r\n\(planter.fields(login))\r\n",
                code: 502
            )
        )
        made.append(
            Failing(
                text: "GET http://127.0.0.1:\(closed)/?\(query) HTTP/1.1\r\nHost: x.test\r\n\(planter.fields(nil))\r\n",
                code: 407
            )
        )
        return made
    }

    @Test("No answer of ours and no line of our output holds a secret of a request, of a login or of an upstream proxy")
    func silence() async throws {
        var planter = Planter()
        let login = "me:\(planter.secret())"
        planter.plant(Data(login.utf8).base64EncodedString())
        let refusing = try RefusingPort()
        let closed = refusing.port
        let inspects = [
            try await RunningInspect.start(["--proxy-auth", login]),
            try await RunningInspect.start([
                "--proxy-auth", login, "--upstream-proxy", "http://up:\(planter.secret())@127.0.0.1:\(closed)",
            ]),
        ]
        var said = ""
        var asked = 0
        for inspect in inspects {
            for request in Self.requests(&planter, closed: closed, own: inspect.port, login: login) {
                let client = try await RawClient.connect(port: inspect.port)
                try await client.send(request.text)
                let head = try await client.read(through: "\r\n\r\n")
                let code = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
                #expect(code == request.code, "\(request.text.prefix(80)): \(head)")
                if let length = head.firstMatch(of: /(?i)content-length: ([0-9]+)/).flatMap({ Int($0.output.1) }) {
                    said += String(decoding: try await client.read(count: length), as: UTF8.self)
                }
                said += head
                asked += 1
                try await client.close()
            }
            let page = try await RawClient.connect(port: inspect.pagePort)
            try await page.send(
                "GET /api/v1/exchanges?token=\(planter.secret()) HTTP/1.1\r\nHost: 127.0.0.1:\(inspect.pagePort)\r\n"
                    + "Authorization: Bearer \(planter.secret())\r\nConnection: close\r\n\r\n"
            )
            said += String(decoding: try await page.readToEnd(), as: UTF8.self)
        }
        var recorded = ""
        for inspect in inspects {
            #expect(try await inspect.listing().total == asked / inspects.count)
            let export = ["export", "--format", "json", "--no-redact", "--all", "--store"]
            recorded += try await RunningInspect.run(
                export + [RunningInspect.store(inspect.directory)],
                in: inspect.directory
            ).output
            let end = try await inspect.process.stop()
            said += String(decoding: end.output + end.errors, as: UTF8.self)
        }
        #expect(said.contains("page ") && said.contains("502 ") && said.contains("407 ") && said.contains("400 "))
        let leaked = planter.planted.filter { said.contains($0) }
        #expect(leaked == [], "\(leaked.count) of \(planter.planted.count)")
        // They did pass: what was recorded for their owner has them.
        #expect(planter.planted.count >= 150 && planter.planted.count { recorded.contains($0) } > 100)
        withExtendedLifetime(refusing) {}
    }
}
