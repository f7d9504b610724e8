import Foundation
import Store
import Support
import Testing

@testable import Web

@Suite("Nothing is reached without leave", .timeLimit(.minutes(15)))
struct ReachTests {
    /// Every operation of the document, with numbers and names in the places of its parameters.
    static func operations() throws -> [(method: String, target: String)] {
        let document =
            try JSONSerialization.jsonObject(with: Data(Asset.openAPI.get().text.utf8)) as? [String: Any]
        let paths = try #require(document?["paths"] as? [String: [String: Any]])
        return paths.flatMap { path, methods in
            let target = path.replacing("{id}", with: "1").replacing("{number}", with: "1").replacing(
                "{name}",
                with: "x"
            )
            return methods.keys.map { ($0.uppercased(), target) }
        }
    }

    @Test("Every operation that the document names is 401 without the token and with a wrong one")
    func needsToken() async throws {
        let operations = try Self.operations()
        #expect(operations.count > 30)
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await page.store.record(Recorded.exchange(length: 2), response: Array("{}".utf8))
            let own = [("Content-Type", "application/json"), ("Origin", "http://127.0.0.1:\(page.port)")]
            let wrong = String(page.token.reversed())
            for (method, target) in operations {
                for fields in [
                    own, own + [("Authorization", "Bearer \(wrong)")], own + [("Authorization", "Bearer ")],
                    own + [("Authorization", page.token)], own + [("Cookie", "inspect-\(page.port)=\(page.token)")],
                    own + [("Cookie", "inspect-1=\(page.token); token=\(page.token)")],
                ] {
                    let reply = try await page.ask(method, target, fields: fields)
                    #expect(reply.status == 401, "\(method) \(target)")
                    #expect(reply["set-cookie"] == nil && !reply.text.contains("facilities"))
                }
                let elsewhere = try await page.ask(method, target, host: "evil.test:\(page.port)")
                #expect(elsewhere.status == 421, "\(method) \(target)")
            }
            #expect(try page.store.summaries(after: 0, limit: 10).count == 1, "Nothing was changed")
        }
    }

    @Test("Of connections on which nobody shows a secret the oldest makes room; one of a reader stays")
    func visitors() async throws {
        try await RunningPage.with(configure: { ($0.connectionLimit, $0.visitorLimit) = (4, 2) }) { page in
            let cookie = try await page.cookie()
            func ask(
                _ client: RawClient,
                _ field: String = "",
                for path: String = "/api/v1/filter/keys"
            ) async throws -> String {
                try await client.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\(field)\r\n")
                return try await client.read(through: "\r\n\r\n")
            }
            let shown = "Authorization: Bearer \(page.token)\r\n"
            let reader = try await RawClient.connect(port: page.port)
            #expect(try await ask(reader, shown).contains(" 200 "))
            var strangers: [RawClient] = []
            for _ in 0..<6 {
                let stranger = try await RawClient.connect(port: page.port)
                #expect(try await ask(stranger).contains(" 401 "))
                // Whoever listens at another port of the host has the cookie, which opens what is no secret.
                let file = try await ask(stranger, "Cookie: \(cookie.1)\r\n", for: "/assets/0/heads.js")
                #expect(file.contains(" 200 "))
                strangers.append(stranger)
            }
            for stranger in strangers.dropLast(2) { _ = try await stranger.readToEnd() }
            #expect(strangers.suffix(2).allSatisfy { !$0.soFar.isEnded })
            #expect(try await ask(reader, shown).contains(" 200 "))
            #expect(try await page.get("/api/v1/instance").status == 200)
        }
    }

    @Test(
        "A path leads to no file of the machine",
        arguments: [
            "/assets/../Package.swift", "/assets/0/..%2fPackage.swift", "/assets/%2e%2e/Package.swift",
            "/assets/0/%2e%2e%2fPackage.swift", "/assets/0/..%5cPackage.swift", "/assets/0/....//Package.swift",
            "/assets/0//etc/passwd", "/assets/0/%2fetc%2fpasswd", "/assets/0/app.js%00.css",
            "/assets/0/app.js/../openapi.json", "/assets/0/../Package.swift", "/assets/..%2f0/app.js/x",
            "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/0/openapi.yaml", "/assets/0/index.html",
            "/assets/0/app.js%2f..%2fstyle.css", "/assets/0/.%2e/x", "/..;/etc/passwd",
            "/exchanges/..%2f..%2fetc%2fpasswd.json",
            "/api/v1/exchanges/..%2f1", "/api/v1/exchanges/1%2fresponse%2fbody", "/api/v1/../v1/exchanges/99",
        ]
    )
    func traversal(target: String) async throws {
        try await RunningPage.with { page in
            let reply = try await page.get(target)
            #expect([400, 404].contains(reply.status), "\(reply.status)")
            #expect(!reply.text.contains("root:") && !reply.text.contains("swift-tools-version"))
        }
    }

    /// Methods that change something, where they say they come from, and as what: what a form or a script of another site can make a browser send.
    static let forgeries: [[(String, String)]] =
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json"].flatMap { type in
            [
                [("Origin", "https://evil.test")], [("Origin", "null")], [("Sec-Fetch-Site", "cross-site")],
                [("Sec-Fetch-Site", "same-site")], [("Origin", "https://evil.test"), ("Sec-Fetch-Site", "cross-site")],
                [],
            ].map { $0 + [("Content-Type", type)] }
        }

    @Test("Another site's page changes nothing with a visitor's cookie, whatever it sends", arguments: forgeries)
    func forgery(fields: [(String, String)]) async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await page.store.record(Recorded.exchange())
            let cookie = try await page.cookie()
            for (method, target) in [
                ("POST", "/api/v1/clear?all=true"), ("POST", "/api/v1/recording"),
                ("POST", "/api/v1/exchanges/1/replay"),
                ("DELETE", "/api/v1/saved/x"),
            ] {
                let reply = try await page.ask(method, target, fields: fields + [cookie], body: #"{"paused": true}"#)
                #expect(reply.status == 403, "\(method) \(target)")
            }
            #expect(try page.store.summaries(of: [1]).count == 1 && !page.store.isPaused)
        }
    }

    @Test(
        "Captured bytes are saved and never drawn",
        arguments: ["text/html", "image/svg+xml", "application/xhtml+xml", "text/javascript", "application/pdf"]
    )
    func inert(type: String) async throws {
        try await RunningPage.with { page in
            let script = Array("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".utf8)
            let fields = [("Content-Type", type), ("Content-Disposition", "inline; filename=\"x.html\"")]
            try await page.store.record(Recorded.exchange(fields: fields, length: script.count), response: script)
            for query in ["", "?decoded=1"] {
                let reply = try await page.get("/api/v1/exchanges/1/response/body\(query)")
                #expect(reply.body == script && reply["content-type"] == "application/octet-stream")
                #expect(reply["content-disposition"] == "attachment; filename=\"exchange-1-response.bin\"")
                #expect(reply["content-security-policy"] == "default-src 'none'; sandbox")
                #expect(reply["x-content-type-options"] == "nosniff")
                #expect(reply["cross-origin-resource-policy"] == "same-origin")
            }
        }
    }
}
