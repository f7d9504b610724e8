import Foundation
import Support
import Testing
import Traffic
import Web

@Suite("Only who shows the token sees anything", .timeLimit(.minutes(15)))
struct TokenTests {
    static let targets = [
        "/", "/exchanges/1", "/exchanges.json", "/exchanges/1.json", "/assets/0/app.js", "/api/v1/exchanges",
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
            #expect(attempts.allSatisfy { $0["set-cookie"] == nil && !$0.text.contains("inspect-key") })
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
        "The printed address answers with the page, which has the key to the API; the cookie opens the page's files alone"
    )
    func openedAddress() async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange())
            let first = try await page.ask("GET", "/exchanges/1?code=500&token=\(page.token)", fields: [])
            #expect(first.status == 200 && first["content-type"]?.hasPrefix("text/html") == true)
            #expect(first["cache-control"] == "no-store" && first["clear-site-data"] == "\"cache\"")
            let field = try #require(first["set-cookie"])
            #expect(field.hasPrefix("inspect-\(page.port)=") && field.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
            let key = try await page.key()
            let cookie = try await page.cookie()
            #expect(!field.contains(page.token) && !field.contains(key) && !first.text.contains(page.token))
            for target in ["/", "/exchanges/1", "/setup", "/assets/0/app.js"] {
                let reply = try await page.ask("GET", target, fields: [cookie])
                #expect(reply.status == 200 && !reply.text.contains(key), "\(target)")
                #expect(reply["clear-site-data"] == nil, "\(target)")
            }
            // Whoever listens at another port of the host gets the cookie.
            for target in Self.targets + ["/setup.json", "/findings.json"]
            where target != "/" && target != "/exchanges/1" && !target.hasPrefix("/assets/") {
                #expect(try await page.ask("GET", target, fields: [cookie]).status == 401, "\(target)")
            }
            for fields in [[("Authorization", "Bearer \(key)")], [cookie, ("Authorization", "Bearer \(key)")]] {
                #expect(try await page.ask("GET", "/api/v1/exchanges", fields: fields).status == 200)
                #expect(try await page.ask("GET", "/exchanges.json", fields: fields).status == 200)
            }
        }
    }

    @Test("What a browser asks for by itself shows the key in its address, and no route sees it there")
    func keyInAddress() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await page.store.record(Recorded.exchange())
            let key = try await page.key()
            for target in ["/api/v1/exchanges?limit=1&", "/api/v1/exchanges/1/response/body?", "/exchanges.json?"] {
                #expect(try await page.ask("GET", "\(target)key=\(key)", fields: []).status == 200, "\(target)")
                #expect(
                    try await page.ask("GET", "\(target)token=\(page.token)", fields: []).status == 200,
                    "\(target)"
                )
                #expect(try await page.ask("GET", "\(target)key=\(page.token)", fields: []).status == 401, "\(target)")
                #expect(try await page.ask("GET", "\(target)token=\(key)", fields: []).status == 401, "\(target)")
            }
            let fields = [("Content-Type", "application/json"), ("Sec-Fetch-Site", "same-origin")]
            let change = try await page.ask("POST", "/api/v1/exchanges/1/replay?key=\(key)", fields: fields)
            #expect(change.status == 401)
        }
    }

    @Test("A pass opens the page's document once, without the token in the address, and nothing else")
    func passOpensOnce() async throws {
        try await RunningPage.with { page in
            func issued() async throws -> String {
                let reply = try await page.post("/api/v1/passes")
                #expect(reply.status == 200)
                return try #require(try reply.object()["pass"] as? String)
            }
            let pass = try await issued()
            #expect(pass.count == 32 && pass != page.token)
            for target in ["/api/v1/exchanges?", "/exchanges.json?", "/assets/app.js?"] {
                #expect(try await page.ask("GET", "\(target)pass=\(pass)", fields: []).status == 401, "\(target)")
            }
            #expect(try await page.ask("GET", "/?token=\(pass)", fields: []).status == 401)
            let opened = try await page.ask("GET", "/setup?pass=\(pass)", fields: [])
            #expect(opened.status == 200 && opened["cache-control"] == "no-store" && opened["set-cookie"] != nil)
            #expect(opened.text.contains(try await page.key()) && !opened.text.contains(page.token))
            #expect(try await page.ask("GET", "/?pass=\(pass)", fields: []).status == 401)
            // A ninth pass takes the place of the first that waits.
            let first = try await issued()
            for _ in 0..<7 { _ = try await issued() }
            let last = try await issued()
            #expect(try await page.ask("GET", "/?pass=\(first)", fields: []).status == 401)
            #expect(try await page.ask("GET", "/?pass=\(last)", fields: []).status == 200)
            #expect(try await page.ask("POST", "/api/v1/passes", fields: []).status == 403)
        }
    }

    @Test("A pass opens nothing for another user of the machine, and is still there for its own")
    func passIsForItsUser() async throws {
        let isForeign = Watched(true)
        try await RunningPage.with(configure: { $0.isForeign = { _ in isForeign.value } }) { page in
            let pass = try #require(try await page.post("/api/v1/passes").object()["pass"] as? String)
            let stolen = try await page.ask("GET", "/?pass=\(pass)", fields: [])
            #expect(stolen.status == 401 && stolen["set-cookie"] == nil && !stolen.text.contains("inspect-key"))
            isForeign.update { $0 = false }
            #expect(try await page.ask("GET", "/?pass=\(pass)", fields: []).status == 200)
        }
    }

    @Test("A pass that nobody used for two minutes opens nothing")
    func passExpires() async throws {
        let uptime = Watched(Duration.seconds(500))
        try await RunningPage.with(
            configure: { $0.clock = TimeSource({ Date() }, uptime: { uptime.value }) }
        ) { page in
            func issued() async throws -> String {
                try #require(try await page.post("/api/v1/passes").object()["pass"] as? String)
            }
            let (first, second) = (try await issued(), try await issued())
            uptime.update { $0 += .seconds(119) }
            #expect(try await page.ask("GET", "/?pass=\(first)", fields: []).status == 200)
            uptime.update { $0 += .seconds(1) }
            #expect(try await page.ask("GET", "/?pass=\(second)", fields: []).status == 401)
            #expect(try await page.ask("GET", "/?pass=\(try await issued())", fields: []).status == 200)
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
