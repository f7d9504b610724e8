import Testing
import Web

@Suite("Only who shows the token sees anything", .timeLimit(.minutes(15)))
struct TokenTests {
    static let targets = [
        "/", "/exchanges/1", "/exchanges.json", "/exchanges/1.json", "/assets/app.js", "/api/v1/exchanges",
        "/api/v1/exchanges/1",
        "/api/v1/exchanges/1/response/body", "/api/v1/events", "/api/v1/instance", "/nowhere",
    ]

    @Test("Without a token every address answers 401 and says nothing else", arguments: targets)
    func refusesWithoutToken(target: String) async throws {
        try await RunningPage.with { page in
            let reply = try await page.ask("GET", target, fields: [])
            #expect(reply.status == 401)
            #expect(reply["www-authenticate"] == "Bearer")
            #expect(!reply.text.contains("<"))
        }
    }

    @Test(
        "A wrong token opens nothing, in a field, a cookie or the address",
        arguments: ["", "0", String(repeating: "0", count: 32), String(repeating: "f", count: 33)]
    )
    func refusesWrongToken(token: String) async throws {
        try await RunningPage.with { page in
            let attempts = [
                try await page.ask("GET", "/api/v1/exchanges", fields: [("Authorization", "Bearer \(token)")]),
                try await page.ask("GET", "/api/v1/exchanges", fields: [("Authorization", "Basic \(page.token)")]),
                try await page.ask("GET", "/api/v1/exchanges", fields: [("Cookie", "inspect-\(page.port)=\(token)")]),
                try await page.ask("GET", "/?token=\(token)", fields: []),
            ]
            #expect(attempts.map(\.status) == [401, 401, 401, 401])
            #expect(attempts.allSatisfy { $0["set-cookie"] == nil })
        }
    }

    @Test("The token's cookie value is not the token, and the token does not pass as a cookie")
    func sessionIsNotTheToken() async throws {
        try await RunningPage.with { page in
            let reply = try await page.ask(
                "GET",
                "/api/v1/exchanges",
                fields: [("Cookie", "inspect-\(page.port)=\(page.token)")]
            )
            #expect(reply.status == 401)
        }
    }

    @Test(
        "The printed address sets a cookie and leads to itself without the token; the cookie opens the page and the API"
    )
    func cookieOpensThePage() async throws {
        try await RunningPage.with { page in
            let first = try await page.ask("GET", "/?code=500&token=\(page.token)&code=404", fields: [])
            #expect(first.status == 303)
            #expect(first["location"] == "/?code=500&code=404")
            let cookie = try #require(first["set-cookie"])
            #expect(cookie.hasPrefix("inspect-\(page.port)="))
            #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
            #expect(!cookie.contains(page.token))
            let pair = String(cookie.prefix { $0 != ";" })
            for target in ["/", "/api/v1/exchanges", "/assets/app.js"] {
                #expect(try await page.ask("GET", target, fields: [("Cookie", "other=1; \(pair)")]).status == 200)
            }
        }
    }

    @Test("A token in a POST's address opens nothing")
    func tokenInAddressIsForPages() async throws {
        try await RunningPage.with { page in
            let reply = try await page.ask(
                "POST",
                "/api/v1/exchanges/1/replay?token=\(page.token)",
                fields: [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin")]
            )
            #expect(reply.status == 401)
        }
    }

    @Test("A fresh token is 32 hexadecimal digits, and never the last one")
    func tokensDiffer() {
        let tokens = (0..<100).map { _ in WebConfiguration.randomToken() }
        #expect(Set(tokens).count == 100)
        #expect(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }
}
