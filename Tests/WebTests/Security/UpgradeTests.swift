import Foundation
import Support
import Testing
import Web

@Suite("A request for another protocol is answered in this one", .timeLimit(.minutes(15)))
struct UpgradeTests {
    /// How a request begins, the fields that ask for another protocol, and the status that it gets with the token.
    static let requests: [(start: String, fields: String, status: Int)] = [
        // As Java's HttpClient sends its first one.
        (
            "GET /api/v1/instance",
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABk\r\n", 200
        ),
        ("GET /api/v1/instance", "Connection: upgrade\r\nUpgrade: x\r\n", 200),
        ("GET /api/v1/instance", "Upgrade: x\r\n", 200), ("CONNECT a:1", "", 400),
    ]

    /// Longer than what the system holds of a connection.
    static let flood = [UInt8](repeating: 120, count: 64 << 20)

    private func head(_ page: RunningPage, _ start: String, _ fields: String, isShown: Bool) -> String {
        let token = isShown ? "Authorization: Bearer \(page.token)\r\n" : ""
        return "\(start) HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\(token)\(fields)\r\n"
    }

    @Test("It has its answer, which is the last of its connection; the next one takes another", arguments: requests)
    func answers(start: String, fields: String, status: Int) async throws {
        try await RunningPage.with(configure: { ($0.connectionLimit, $0.visitorLimit) = (4, 2) }) { page in
            for isShown in [false, true, false, true] {
                for _ in 0..<3 {
                    let client = try await RawClient.connect(port: page.port)
                    try await client.send(head(page, start, fields, isShown: isShown))
                    let reply = try Reply(await client.readToEnd())
                    #expect(reply.status == (isShown || status != 200 ? status : 401))
                    #expect(reply["connection"] == "close" && client.soFar.error == nil)
                }
            }
        }
    }

    @Test("Of requests that come together it is the last, and those before it are answered as ever")
    func together() async throws {
        try await RunningPage.with { page in
            let client = try await RawClient.connect(port: page.port)
            let plain = head(page, "GET /api/v1/filter/keys", "", isShown: true)
            let other = head(page, "GET /api/v1/instance", "Upgrade: x\r\n", isShown: true)
            try await client.send(plain + other + plain)
            let text = String(decoding: try await client.readToEnd(), as: UTF8.self)
            let answers = text.components(separatedBy: "HTTP/1.1 200 OK\r\n").dropFirst().map { $0.lowercased() }
            #expect(answers.map { $0.contains("connection: close\r\n") } == [false, true])
        }
    }

    @Test("A body that is under way is waited for, although the request is refused")
    func bodies() async throws {
        try await RunningPage.with { page in
            let client = try await RawClient.connect(port: page.port)
            let fields = "Connection: upgrade\r\nUpgrade: h2c\r\nContent-Length: 2\r\n"
            try await client.send(head(page, "POST /api/v1/marks", fields, isShown: false))
            let answer = try await client.read(through: "\r\n\r\n")
            #expect(answer.contains(" 403 ") && answer.lowercased().contains("connection: close"))
            try await client.stays("without an end", for: .milliseconds(100)) { !$0.isEnded }
            try await client.send("{}")
            _ = try await client.readToEnd()
            #expect(client.soFar.error == nil)
        }
    }

    @Test("What follows it is not taken: the connection ends before", arguments: requests)
    func floods(start: String, fields: String, status: Int) async throws {
        try await RunningPage.with { page in
            for isShown in [false, true] {
                let client = try await RawClient.connect(port: page.port)
                try await client.send(head(page, start, fields, isShown: isShown))
                await #expect(throws: (any Error).self) { try await client.send(Self.flood) }
            }
        }
    }

    @Test("What follows it is not taken while a long answer comes, either")
    func floodsStreams() async throws {
        try await RunningPage.with { page in
            let client = try await RawClient.connect(port: page.port)
            let fields = "Connection: upgrade\r\nUpgrade: x\r\n"
            try await client.send(head(page, "GET /api/v1/events", fields, isShown: true))
            _ = try await client.read(through: "event: hello")
            let isOver = Watched(false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try? await client.send(Self.flood)
                    isOver.update { $0 = true }
                }
                try await isOver.stays("the rest, not taken,", for: .seconds(1)) { !$0 }
                try await client.close()
            }
        }
    }
}
