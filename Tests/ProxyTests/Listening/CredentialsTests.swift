import Testing

@testable import Proxy

/// Users, passwords and host patterns as they are written and compared.
@Suite(.timeLimit(.minutes(15)))
struct CredentialsTests {
    @Test("A user and a password are read at the first colon, and compared whole")
    func credentials() throws {
        let credentials = try #require(Credentials("user:pa:ss"))
        #expect(credentials.user == "user" && credentials.password == "pa:ss")
        #expect(credentials.basic == "Basic dXNlcjpwYTpzcw==")
        for right in ["Basic dXNlcjpwYTpzcw==", "basic  dXNlcjpwYTpzcw=="] {
            #expect(credentials.match(authorization: right), "\(right)")
        }
        for wrong in [
            "", "Basic", "Basic dXNlcjpwYTpzUw==", "Basic !!!", "Bearer dXNlcjpwYTpzcw==", "Basic dXNlcg==",
            "Ba\u{17F}ic dXNlcjpwYTpzcw==",
        ] {
            #expect(!credentials.match(authorization: wrong), "\(wrong)")
        }
        for wrong in ["", "user", ":password", String(repeating: "u", count: 256) + ":p"] {
            #expect(Credentials(wrong) == nil, "\(wrong)")
        }
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
