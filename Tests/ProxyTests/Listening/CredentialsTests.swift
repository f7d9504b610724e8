import Proxy
import Support
import Testing
import Traffic

/// Users, passwords and host patterns as they are written and compared.
@Suite(.timeLimit(.minutes(15)))
struct CredentialsTests {
    @Test("A user and a password are read at the first colon")
    func written() throws {
        let credentials = try #require(Credentials("user:pa:ss"))
        #expect(credentials.user == "user" && credentials.password == "pa:ss")
        for wrong in ["", "user", ":password", String(repeating: "u", count: 256) + ":p"] {
            #expect(Credentials(wrong) == nil, "\(wrong)")
        }
    }

    @Test(
        "What a client shows is compared whole, its scheme by ASCII alone",
        arguments: [
            ("Basic dXNlcjpwYTpzcw==", true), ("basic  dXNlcjpwYTpzcw==", true), ("", false), ("Basic", false),
            ("Basic dXNlcjpwYTpzUw==", false), ("Basic !!!", false), ("Bearer dXNlcjpwYTpzcw==", false),
            ("Basic dXNlcg==", false), ("Ba\u{17F}ic dXNlcjpwYTpzcw==", false),
        ]
    )
    func shown(_ authorization: String, isRight: Bool) async throws {
        let gone = try RefusingPort()
        try await RunningProxy.run(configure: { $0.credentials = Credentials("user:pa:ss") }) { proxy in
            let client = try await proxy.connect()
            let place = "127.0.0.1:\(gone.port)"
            let field = "Proxy-Authorization: \(authorization)\r\n"
            try await client.send("GET http://\(place)/ HTTP/1.1\r\nHost: \(place)\r\n\(field)\r\n")
            #expect(try await client.response().code == (isRight ? 502 : 407))
        }
        withExtendedLifetime(gone) {}
    }

    @Test("An upstream proxy is shown them in base64")
    func sent() async throws {
        let upstream = try await LoopbackOrigin.start {
            $0.suffix(4) == Array("\r\n\r\n".utf8) ? .init(consuming: $0.count, .close) : nil
        }
        let endpoint = Endpoint(host: "127.0.0.1", port: upstream.port)
        try await RunningProxy.run(configure: {
            $0.upstreamProxy = UpstreamProxy(.http, endpoint, credentials: Credentials("user:pa:ss"))
        }) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
            #expect(try await client.response().code == 502)
        }
        let said = try #require(upstream.connections.first).receivedText
        #expect(said.contains("\r\nProxy-Authorization: Basic dXNlcjpwYTpzcw==\r\n"), "\(said)")
    }

    @Test(
        "Patterns name hosts",
        arguments: [
            ("example.com", "EXAMPLE.com", true), ("example.com", "example.com.", true),
            ("example.com", "www.example.com", false), ("*.example.com", "a.b.example.com", true),
            ("*.example.com", "example.com", false), ("*", "anything", true), ("10.0.*", "10.0.3.4", true),
            ("a*b*c", "abbbc", true), ("a*b*c", "abcb", false), ("[2001:db8::1]", "2001:db8::1", true),
        ]
    )
    func patterns(_ pattern: String, _ host: String, _ isMatch: Bool) throws {
        #expect(try #require(HostPattern(pattern)).matches(host) == isMatch)
    }

    @Test(
        "What no host could match is no pattern",
        arguments: ["", "example.com:443", "a b", "http://a", "a/b", "\u{212A}.test"]
    )
    func noPatterns(_ text: String) { #expect(HostPattern(text) == nil) }

    @Test("Apple's hosts are on the list of those that are never read, CloudKit's web services are not")
    func pinned() {
        func isPinned(_ host: String) -> Bool { HostPattern.pinned.contains { $0.matches(host) } }
        #expect(isPinned("gateway.icloud.com") && isPinned("gsa.apple.com") && isPinned("1-courier.push.apple.com"))
        #expect(!isPinned("api.apple-cloudkit.com") && !isPinned("notapple.com") && !isPinned("example.com"))
    }
}
