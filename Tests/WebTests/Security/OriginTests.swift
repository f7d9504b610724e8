import Foundation
import Testing

@Suite("Another site's page can do nothing", .timeLimit(.minutes(15)))
struct OriginTests {
    /// What a browser says of where a request comes from, and whether a read and a change are let through with the key.
    struct Case: Sendable, CustomTestStringConvertible {
        let fields: [(String, String)]
        let reads: Bool
        let changes: Bool
        var testDescription: String { fields.map { "\($0.0): \($0.1)" }.joined(separator: ", ") }
    }

    /// `OWN` stands for the page's origin.
    static let cases = [
        Case(fields: [], reads: true, changes: false),
        Case(fields: [("Origin", "OWN")], reads: true, changes: true),
        Case(fields: [("Sec-Fetch-Site", "same-origin")], reads: true, changes: true),
        Case(fields: [("Origin", "OWN"), ("Sec-Fetch-Site", "same-origin")], reads: true, changes: true),
        Case(fields: [("Sec-Fetch-Site", "none")], reads: true, changes: false),
        Case(fields: [("Sec-Fetch-Site", "same-site")], reads: false, changes: false),
        Case(fields: [("Sec-Fetch-Site", "cross-site")], reads: false, changes: false),
        Case(fields: [("Origin", "OWN"), ("Sec-Fetch-Site", "cross-site")], reads: false, changes: false),
        Case(fields: [("Origin", "https://evil.test")], reads: false, changes: false),
        Case(fields: [("Origin", "null")], reads: false, changes: false),
        Case(fields: [("Origin", "http://localhost:3000")], reads: false, changes: false),
        Case(fields: [("Origin", "http://127.0.0.1")], reads: false, changes: false),
        Case(fields: [("Origin", "OWN"), ("Origin", "https://evil.test")], reads: false, changes: false),
        Case(
            fields: [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")],
            reads: false,
            changes: false
        ),
        Case(
            fields: [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")],
            reads: false,
            changes: false
        ),
    ]

    @Test("Reads and changes with the page's key are let through by where they come from", arguments: cases)
    func matrix(testCase: Case) async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await page.store.record(Recorded.exchange())
            let visitor = try await page.visitor()
            let fields = testCase.fields.map {
                ($0.0, $0.1.replacingOccurrences(of: "OWN", with: "http://127.0.0.1:\(page.port)"))
            }
            for target in ["/api/v1/exchanges", "/api/v1/instance", "/api/v1/exchanges/1/response/body"] {
                let read = try await page.ask("GET", target, fields: fields + [visitor])
                #expect(read.status == (testCase.reads ? 200 : 403), "\(target)")
            }
            let change = try await page.ask(
                "POST",
                "/api/v1/exchanges/1/replay",
                fields: fields + [visitor, ("Content-Type", "application/json")]
            )
            #expect(change.status == (testCase.changes ? 200 : 403))
        }
    }

    @Test("A person may follow a link of another site to the page, not to the API")
    func allowsNavigation() async throws {
        try await RunningPage.with { page in
            let fields = [
                ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"),
                try await page.cookie(),
            ]
            #expect(try await page.ask("GET", "/exchanges/1", fields: fields).status == 200)
            #expect(try await page.ask("GET", "/api/v1/exchanges", fields: fields).status == 403)
        }
    }

    @Test(
        "A change needs the type that no form can send",
        arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx", ""]
    )
    func refusesFormTypes(type: String) async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await page.store.record(Recorded.exchange())
            let fields = [("Content-Type", type), ("Authorization", "Bearer \(page.token)")]
            #expect(try await page.ask("POST", "/api/v1/exchanges/1/replay", fields: fields).status == 415)
            let visitor = [("Content-Type", type), ("Sec-Fetch-Site", "same-origin"), try await page.visitor()]
            #expect(try await page.ask("POST", "/api/v1/exchanges/1/replay", fields: visitor).status == 403)
        }
    }

    @Test("A program that shows the token needs no origin")
    func allowsPrograms() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await page.store.record(Recorded.exchange())
            let fields = [
                ("Content-Type", "application/json; charset=utf-8"), ("Authorization", "Bearer \(page.token)"),
            ]
            #expect(try await page.ask("POST", "/api/v1/exchanges/1/replay", fields: fields).status == 200)
        }
    }
}

extension RunningPage {
    /// The Cookie field of a browser in which somebody opened the printed address.
    func cookie() async throws -> (String, String) {
        let reply = try await ask("GET", "/?token=\(token)", fields: [])
        return ("Cookie", String((reply["set-cookie"] ?? "").prefix { $0 != ";" }))
    }

    /// The key that the page in that browser has.
    func key() async throws -> String {
        let reply = try await ask("GET", "/?token=\(token)", fields: [])
        return String(try #require(reply.text.firstMatch(of: #/<meta name="inspect-key" content="(\w+)">/#)).output.1)
    }

    /// What that page shows with what it asks.
    func visitor() async throws -> (String, String) { ("Authorization", "Bearer \(try await key())") }
}
