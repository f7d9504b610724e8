import Foundation
import Store
import Support
import Testing
import Traffic

@Suite("What an answer is sent as", .timeLimit(.minutes(15)))
struct RepresentationTests {
    @Test(
        "A tag of an answer gets 304 until the answer is another",
        arguments: [
            "/", "/assets/0/app.js", "/assets/0/style.css", "/api/v1/openapi.json", "/api/v1/openapi.yaml",
            "/api/v1/exchanges/1", "/exchanges/1.json", "/api/v1/exchanges/1/response/body",
            "/api/v1/exchanges/1/response/body?decoded=1",
        ]
    )
    func unchanged(target: String) async throws {
        try await RunningPage.with { page in
            let body = Array("{}".utf8)
            try await page.store.record(Recorded.exchange(length: body.count), response: body)
            let token = ("Authorization", "Bearer \(page.token)")
            let first = try await page.get(target)
            let tag = try #require(first["etag"])
            #expect(first.status == 200 && tag.hasPrefix("\"") && tag.hasSuffix("\""))
            for (asked, status) in [
                (tag, 304), ("\"other\", W/\(tag)", 304), ("*", 304), ("\"other\"", 200), ("x", 200),
            ] {
                let again = try await page.ask("GET", target, fields: [token, ("If-None-Match", asked)])
                #expect(again.status == status, "\(asked)")
                #expect(again.body.isEmpty == (status == 304))
                #expect(again["etag"] == tag && again["x-content-type-options"] == "nosniff")
            }
            let stranger = try await page.ask("GET", target, fields: [("If-None-Match", tag)])
            #expect(stranger.status == 401)
            guard target.hasSuffix("exchanges/1") || target.hasSuffix("1.json") else { return }
            try page.store.mark([1], .tags(["slow"]))
            #expect(try await page.ask("GET", target, fields: [token, ("If-None-Match", tag)]).status == 200)
        }
    }

    @Test(
        "Text of a kilobyte and more is coded for who takes it, and its tag says so",
        arguments: ["/", "/assets/0/app.js", "/api/v1/openapi.yaml", "/api/v1/exchanges"]
    )
    func coded(target: String) async throws {
        try await RunningPage.with { page in
            for _ in 0..<20 { try await page.store.record(Recorded.exchange()) }
            let token = ("Authorization", "Bearer \(page.token)")
            let plain = try await page.get(target)
            #expect(plain["content-encoding"] == nil && plain["vary"] == "Accept-Encoding")
            let coded = try await page.ask("GET", target, fields: [token, ("Accept-Encoding", "br, gzip;q=0.5")])
            #expect(coded["content-encoding"] == "gzip" && coded["vary"] == "Accept-Encoding")
            #expect(coded.body.count < plain.body.count)
            let decoded = ContentCoding.decode(coded.body, names: ["gzip"], limitBytes: 1 << 22)
            #expect(decoded.problem == nil && decoded.bytes == plain.body)
            for refusal in ["identity", "gzip;q=0", "br", "*;q=0"] {
                let reply = try await page.ask("GET", target, fields: [token, ("Accept-Encoding", refusal)])
                #expect(reply["content-encoding"] == nil && reply.body == plain.body, "\(refusal)")
            }
            guard let tag = coded["etag"] else { return }
            #expect(tag != plain["etag"])
            let again = try await page.ask(
                "GET",
                target,
                fields: [token, ("Accept-Encoding", "gzip"), ("If-None-Match", tag)]
            )
            #expect(again.status == 304 && again["etag"] == tag && again["content-encoding"] == nil)
        }
    }

    @Test("What is short, comes from a capture or is told live is sent as it is")
    func uncoded() async throws {
        try await RunningPage.with { page in
            let body = [UInt8](repeating: 0x20, count: 5_000)
            try await page.store.record(Recorded.exchange(length: body.count), response: body)
            let fields = [("Authorization", "Bearer \(page.token)"), ("Accept-Encoding", "gzip")]
            for target in [
                "/api/v1/instance", "/api/v1/exchanges/1/response/body", "/api/v1/exchanges/1/response/body?decoded=1",
            ] {
                let reply = try await page.ask("GET", target, fields: fields)
                #expect(reply.status == 200 && reply["content-encoding"] == nil, "\(target)")
            }
            let events = try await RawClient.connect(port: page.port)
            try await events.send(
                "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\nAccept-Encoding: gzip\r\n"
                    + "Authorization: Bearer \(page.token)\r\n\r\n"
            )
            #expect(try await !events.read(through: "event: hello").lowercased().contains("content-encoding"))
        }
    }

    @Test("A method that an address does not take is 405 with those it takes; no address is 404")
    func methods() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            let fields = [("Authorization", "Bearer \(page.token)"), ("Content-Type", "application/json")]
            for (method, target, allowed) in [
                ("DELETE", "/api/v1/exchanges", "GET, HEAD"), ("GET", "/api/v1/clear", "POST"),
                ("PUT", "/api/v1/recording", "GET, HEAD, POST"), ("PATCH", "/api/v1/saved/x", "DELETE"),
                ("PATCH", "/api/v1/exchanges/1/response/body", "GET, HEAD"),
                ("OPTIONS", "/exchanges/1.json", "GET, HEAD"),
                ("HEAD", "/api/v1/marks", "POST"), ("DELETE", "/", "GET, HEAD"),
            ] {
                let reply = try await page.ask(method, target, fields: fields)
                #expect(reply.status == 405 && reply["allow"] == allowed, "\(method) \(target) \(reply["allow"] ?? "")")
                #expect(try await page.ask(method, target, fields: [fields[1]]).status != 405, "Not without the token")
            }
            for target in ["/api/v1/nothing", "/api/v2/exchanges", "/api/v1/exchanges/1/request", "/api/"] {
                let reply = try await page.get(target)
                #expect(reply.status == 404 && reply["allow"] == nil)
                #expect(try reply.json(as: [String: String].self)["error"]?.isEmpty == false)
            }
        }
    }

    @Test(
        "HEAD answers what GET does, without the body",
        arguments: [
            "/", "/assets/0/app.js", "/api/v1/exchanges", "/api/v1/exchanges/1", "/api/v1/exchanges/1/response/body",
            "/api/v1/exchanges/99",
        ]
    )
    func heads(target: String) async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange(length: 2), response: Array("{}".utf8))
            let (get, head) = (try await page.get(target), try await page.ask("HEAD", target))
            #expect(head.status == get.status && head.body.isEmpty)
            for name in ["content-type", "content-length", "etag", "content-disposition", "cache-control"] {
                #expect(head[name] == get[name], "\(name)")
            }
        }
    }
}
