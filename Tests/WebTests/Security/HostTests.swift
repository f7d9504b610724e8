import Foundation
import Testing
import Web

@Suite("The page answers to its own names only", .timeLimit(.minutes(15)))
struct HostTests {
    @Test(
        "Loopback names with the page's port are served",
        arguments: ["127.0.0.1", "[::1]", "localhost", "LOCALHOST"]
    )
    func servesLoopback(name: String) async throws {
        try await RunningPage.with { page in
            let reply = try await page.ask("GET", "/api/v1/instance", host: "\(name):\(page.port)")
            #expect(reply.status == 200)
        }
    }

    @Test("A name the user allowed is served, on the page's port only")
    func servesAllowedNames() async throws {
        try await RunningPage.with(configure: { $0.allowedHosts = ["Desk.example.test"] }) { page in
            let allowed = try await page.ask("GET", "/api/v1/instance", host: "desk.example.test:\(page.port)")
            #expect(allowed.status == 200)
            let elsewhere = try await page.ask("GET", "/api/v1/instance", host: "desk.example.test:1")
            #expect(elsewhere.status == 421)
        }
    }

    /// `PORT` stands for the page's port.
    static let refused = [
        "127.0.0.1", "localhost", "[::1]", "127.0.0.1:1", "localhost:80", "127.0.0.1:0", "127.0.0.1:PORT0", "evil.test",
        "evil.test:PORT",
        "127.0.0.1.evil.test:PORT", "localhost.evil.test:PORT", "evil.test@127.0.0.1:PORT", "127.0.0.1:PORT@evil.test",
        "localhost.:PORT",
        "127.0.0.2:PORT", "127.1:PORT", "2130706433:PORT", "0x7f000001:PORT", "0.0.0.0:PORT", "[::]:PORT",
        "[::ffff:127.0.0.1]:PORT",
        "[0:0:0:0:0:0:0:1]:PORT", "::1:PORT", "[::1:PORT", "localhost:PORT, evil.test", "localhost:PORT/evil",
        "http://localhost:PORT",
        "*:PORT", "%6cocalhost:PORT", "localhost%00:PORT", "",
    ]

    @Test("Any other authority is refused with 421, token or not", arguments: refused)
    func refusesOthers(host: String) async throws {
        try await RunningPage.with { page in
            let host = host.replacingOccurrences(of: "PORT", with: String(page.port))
            let reply = try await page.ask("GET", "/api/v1/instance", host: host)
            #expect(reply.status == 421)
            #expect(!reply.text.contains("9090"))
            let link = try await page.ask("GET", "/?token=\(page.token)", host: host, fields: [])
            #expect(link.status == 421)
            #expect(link["set-cookie"] == nil)
        }
    }

    @Test("A second Host field is refused")
    func refusesTwoHosts() async throws {
        try await RunningPage.with { page in
            let fields = [("Host", "evil.test"), ("Authorization", "Bearer \(page.token)")]
            let reply = try await page.ask("GET", "/api/v1/instance", fields: fields)
            #expect(reply.status == 421 || reply.status == 400)
        }
    }

    @Test(
        "A target that names another host never leads there",
        arguments: ["//evil.test/", "///evil.test/", "/\\evil.test/", "http://evil.test/", "*"]
    )
    func leadsNowhereElse(target: String) async throws {
        try await RunningPage.with { page in
            let reply = try await page.ask("GET", "\(target)?token=\(page.token)", fields: [])
            // The server's codec takes the host out of an absolute target before anything of ours sees it.
            #expect([200, 400].contains(reply.status) && reply["location"] == nil, "\(reply.status)")
        }
    }
}
