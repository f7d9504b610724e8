import NIOCore
import Testing
import Traffic

@Suite("The messages of a stream in the API", .timeLimit(.minutes(15)))
struct MessageTests {
    private struct Page: Decodable {
        struct Message: Decodable {
            let number: Int64
            let direction: String
            let text: String?
            let base64: String?
            let size: Int64
            let truncated: Bool
        }

        let messages: [Message]
        let next: Int64?
    }

    @Test("The API gives messages page by page, long payloads in part, and one payload whole")
    func gives() async throws {
        try await RunningPage.with { page in
            let long = [UInt8](repeating: 0x61, count: 100_000)
            try await page.store.submit([.opened(1, Recorded.webSocket), .message(1, Recorded.message(long))])
            for number in 0..<9 {
                try await page.store.submit([
                    .message(1, Recorded.message([0xFF, UInt8(number)], opcode: 2, .response))
                ])
            }
            let first = try await page.get("/api/v1/exchanges/1/messages?limit=4").json(as: Page.self)
            #expect(first.messages.map(\.number) == [1, 2, 3, 4] && first.next == 4)
            #expect(first.messages[0].text?.utf8.count == 32 << 10 && first.messages[0].truncated)
            #expect(first.messages[0].size == 100_000 && first.messages[1].base64 == "/wA=")
            #expect(first.messages.map(\.direction) == ["send", "receive", "receive", "receive"])
            let rest = try await page.get("/api/v1/exchanges/1/messages?after=4&limit=6").json(as: Page.self)
            #expect(rest.messages.map(\.number) == Array(5...10) && rest.next == nil)
            let payload = try await page.get("/api/v1/exchanges/1/messages/1/payload")
            #expect(payload.status == 200 && payload.text == String(decoding: long, as: UTF8.self))
            #expect(payload["content-disposition"]?.hasPrefix("attachment") == true)
            #expect(payload["content-security-policy"]?.contains("sandbox") == true)
            for target in [
                "messages/11/payload", "messages/0/payload", "messages/x/payload",
                "messages/9223372036854775807/payload",
            ] {
                #expect(try await page.get("/api/v1/exchanges/1/\(target)").status == 404, "\(target)")
            }
            let received = try await page.get("/api/v1/exchanges/1/messages?direction=receive&limit=2&after=3").json(
                as: Page.self
            )
            #expect(received.messages.map(\.number) == [4, 5] && received.next == 5)
            let short = try await page.get("/api/v1/exchanges/1/messages?direction=send&payload=3").json(as: Page.self)
            #expect(short.messages.map(\.text) == ["aaa"] && short.messages[0].truncated && short.next == nil)
            for query in [
                "limit=0", "limit=501", "limit=x", "after=-1", "after=99999999999999999999", "direction=up",
                "payload=-1",
                "payload=32769",
            ] {
                #expect(try await page.get("/api/v1/exchanges/1/messages?\(query)").status == 400, "\(query)")
            }
            #expect(try await page.get("/api/v1/exchanges/2/messages").status == 404)
        }
    }
}
