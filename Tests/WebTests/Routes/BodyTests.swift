import Foundation
import Support
import Testing
import Traffic
import Web

@Suite("Bodies are handed out as bytes and never as documents", .timeLimit(.minutes(15)))
struct BodyTests {
    /// gzip of a text, made by the system's own gzip.
    private func gzip(_ bytes: [UInt8]) async throws -> [UInt8] {
        let run = try RunningProcess("/bin/gzip", ["-c"], input: bytes)
        return try await run.end().output
    }

    @Test(
        "Whatever a body claims to be, it is an attachment of no type in a sandbox",
        arguments: [
            "text/html", "image/svg+xml", "application/javascript", "application/json",
            "text/html\"; filename=\"x.html",
        ]
    )
    func isAttachment(type: String) async throws {
        try await RunningPage.with { page in
            let bytes = Array("<script>alert(1)</script>".utf8)
            let id = try await page.store.record(
                Recorded.exchange(fields: [("Content-Type", type)], length: bytes.count),
                response: bytes
            )
            for target in ["/api/v1/exchanges/\(id)/response/body", "/api/v1/exchanges/\(id)/response/body?decoded=1"] {
                let reply = try await page.get(target)
                #expect(reply.body == bytes)
                #expect(reply["content-type"] == "application/octet-stream")
                #expect(reply["content-security-policy"] == "default-src 'none'; sandbox")
                #expect(reply["x-content-type-options"] == "nosniff")
                let disposition = try #require(reply["content-disposition"])
                let name = "exchange-\(id)-response.\(type == "application/json" ? "json" : "bin")"
                #expect(disposition == "attachment; filename=\"\(name)\"")
            }
        }
    }

    @Test("A coded body comes as it passed, or decoded on demand")
    func decodes() async throws {
        let text = Array(String(repeating: "{\"open\": true}\n", count: 1_000).utf8)
        let coded = try await gzip(text)
        try await RunningPage.with { page in
            let exchange = Recorded.exchange(fields: [("Content-Encoding", "gzip")], length: coded.count)
            let id = try await page.store.record(exchange, response: coded)
            #expect(try await page.get("/api/v1/exchanges/\(id)/response/body").body == coded)
            let decoded = try await page.get("/api/v1/exchanges/\(id)/response/body?decoded=1")
            #expect(decoded.body == text)
            #expect(decoded["inspect-problem"] == nil)
            let cut = try await page.get("/api/v1/exchanges/\(id)/response/body?decoded=1&limit=100")
            #expect(cut.body == Array(text.prefix(100)))
            #expect(cut["inspect-problem"]?.contains("100 bytes") == true)
        }
    }

    @Test("A body that decodes to much more than it is stops at the limit")
    func stopsAtLimit() async throws {
        let coded = try await gzip(Array(repeating: 0, count: 12 << 20))
        try await RunningPage.with(configure: { $0.decodedLimitBytes = 4 << 20 }) { page in
            let exchange = Recorded.exchange(fields: [("Content-Encoding", "gzip")], length: coded.count)
            let id = try await page.store.record(exchange, response: coded)
            let reply = try await page.get("/api/v1/exchanges/\(id)/response/body?decoded=1")
            #expect(reply.body.count == 4 << 20)
            #expect(reply["inspect-problem"]?.contains("more than \(4 << 20) bytes") == true)
            #expect(try await page.get("/api/v1/exchanges/\(id)/response/body?decoded=1&limit=999999999").status == 400)
        }
    }

    @Test("Whatever is wrong with a coding, the answer has what there is and says so, also when it is long")
    func showsFaulty() async throws {
        try await RunningPage.with { page in
            for body in try await FaultyBody.all() {
                let exchange = Recorded.exchange(fields: [("Content-Encoding", body.coding)], length: body.bytes.count)
                let id = try await page.store.record(exchange, response: body.bytes)
                let reply = try await page.get("/api/v1/exchanges/\(id)/response/body?decoded=1")
                #expect(reply.status == 200 && reply.body == body.shown, "\(body)")
                #expect(reply["inspect-problem"]?.contains(body.words) == true, "\(body)")
            }
        }
    }

    @Test("A body that the store cut says so, decoded or not")
    func saysCut() async throws {
        let coded = try await gzip(Array(repeating: 65, count: 10_000))
        try await RunningPage.with { page in
            var exchange = Recorded.exchange(fields: [("Content-Encoding", "gzip")], length: coded.count)
            exchange.response?.body.length = 5_000
            let id = try await page.store.record(exchange, response: coded)
            for query in ["", "?decoded=1"] {
                let reply = try await page.get("/api/v1/exchanges/\(id)/response/body\(query)")
                #expect(reply["inspect-problem"] == "Only the first \(coded.count) of 5000 bytes were kept.")
            }
        }
    }

    @Test("A damaged body gives what could be read and says so")
    func saysWhatIsWrong() async throws {
        let coded = try await gzip(Array(repeating: 65, count: 10_000))
        try await RunningPage.with { page in
            let half = Array(coded.prefix(coded.count - 8))
            let exchange = Recorded.exchange(fields: [("Content-Encoding", "gzip")], length: half.count)
            let id = try await page.store.record(exchange, response: half)
            let reply = try await page.get("/api/v1/exchanges/\(id)/response/body?decoded=1")
            #expect(reply.status == 200)
            #expect(reply["inspect-problem"]?.contains("gzip") == true)
        }
    }

    @Test("A large body comes whole")
    func streams() async throws {
        let bytes = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await RunningPage.with { page in
            let id = try await page.store.record(Recorded.exchange(length: bytes.count), response: bytes)
            #expect(try await page.get("/api/v1/exchanges/\(id)/response/body").body == bytes)
            #expect(try await page.get("/api/v1/exchanges/\(id)/response/body?decoded=1").body == bytes)
        }
    }

    @Test("Where there is no message there is no body")
    func missing() async throws {
        try await RunningPage.with { page in
            let id = try await page.store.record(Recorded.refused())
            #expect(try await page.get("/api/v1/exchanges/\(id)/response/body").status == 404)
            #expect(try await page.get("/api/v1/exchanges/\(id)/request/body").body.isEmpty)
            #expect(try await page.get("/api/v1/exchanges/\(id)/sideways/body").status == 404)
        }
    }
}
