import NIOCore
import Store
import Testing
import Traffic

@testable import Web

@Suite("The messages of a stream in the API and on the page", .serialized, .timeLimit(.minutes(2)))
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

    private static func message(_ payload: [UInt8], opcode: UInt8 = 1, _ side: MessageSide = .request) -> StreamMessage
    {
        StreamMessage(
            side: side,
            time: Recorded.start + 1_000,
            kind: .webSocket,
            opcode: opcode,
            wireBytes: Int64(payload.count),
            size: Int64(payload.count),
            payload: ByteBuffer(bytes: payload)
        )
    }

    private static var webSocket: Exchange {
        var exchange = Recorded.exchange(code: 101, scheme: .wss, fields: [("Upgrade", "websocket")])
        exchange.version = .webSocket
        exchange.outcome = .pending
        exchange.timeline.duration = nil
        return exchange
    }

    @Test("The API gives messages page by page, long payloads in part, and one payload whole")
    func gives() async throws {
        try await RunningPage.with { page in
            let long = [UInt8](repeating: 0x61, count: 100_000)
            try await page.store.submit([.opened(1, Self.webSocket), .message(1, Self.message(long))])
            for number in 0..<9 {
                try await page.store.submit([.message(1, Self.message([0xFF, UInt8(number)], opcode: 2, .response))])
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

    @Test("The page lists messages as they come, as text that nothing runs, and keeps its place")
    func follows() async throws {
        try await RunningPage.with { page in
            try await page.store.submit([
                .opened(1, Self.webSocket),
                .message(1, Self.message(Array("<img src=x onerror=window.ran=1> first".utf8))),
            ])
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/1?token=\(page.token)#messages")
                try await browser.wait(until: "document.querySelectorAll('.message-row').length === 1")
                _ = try await browser.run("document.querySelector('.messages').dataset.kept = 'yes'")
                var changed = Self.webSocket
                changed.messages = MessageCounts(request: 1, response: 2)
                try await page.store.submit([
                    .message(1, Self.message([1, 255], opcode: 2, .response)),
                    .message(1, Self.message(Array("third".utf8), .response)), .changed(1, changed),
                ])
                try await browser.wait(until: "document.querySelectorAll('.message-row').length === 3")
                let text =
                    try await browser.run("return document.querySelector('.message-rows').innerText") as? String ?? ""
                #expect(text.contains("<img src=x onerror=window.ran=1> first") && text.contains("01 ff"))
                #expect(text.contains("third"))
                let kept = try await browser.run("return document.querySelector('.messages').dataset.kept")
                #expect(kept as? String == "yes")
                #expect(try await browser.run("return window.ran ?? 0") as? Int == 0)
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test(
        "Ten thousand messages are there at once, a place in them some round trips later, and few of them as elements"
    )
    func isWindowed() async throws {
        try await RunningPage.with { page in
            var exchange = Self.webSocket
            exchange.messages = MessageCounts(request: 5_000, response: 5_000)
            try await page.store.submit([.opened(1, exchange)])
            for first in stride(from: 1, through: 10_000, by: 500) {
                try await page.store.submit(
                    (first..<first + 500).map { number in
                        .message(
                            1,
                            Self.message(Array("{\"number\": \(number)}".utf8), number % 2 == 1 ? .request : .response)
                        )
                    }
                )
            }
            exchange.outcome = .completed
            try await page.store.submit([.changed(1, exchange)])
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/1?token=\(page.token)#messages")
                try await browser.wait(until: "document.querySelector('.message-row')")
                try await browser.wait(
                    until: "document.querySelector('.messages [role=status]').textContent === '10,000 messages'"
                )
                let trip = try await browser.roundTrip("/api/v1/exchanges/1/messages")
                for (share, number) in [("0.5", "5000"), ("1", "10000"), ("0", "1")] {
                    let took = try await browser.result(
                        of: """
                            const list = document.querySelector('.message-rows');
                            const start = performance.now();
                            list.scrollTop = (list.scrollHeight - list.clientHeight) * \(share);
                            const isThere = () => [...document.querySelectorAll('.message-row .payload')].some((one) => one.textContent === '{"number": \(number)}');
                            while (!isThere()) {
                              if (performance.now() - start > 5000) throw new Error(document.querySelector('.message-rows').innerText);
                              await new Promise(requestAnimationFrame);
                            }
                            return Math.round(performance.now() - start);
                            """
                    )
                    #expect(
                        Double(took).map { $0 < 100 * trip } == true,
                        "to \(share): \(took) ms, a round trip \(trip)"
                    )
                }
                #expect(try await browser.text("document.querySelectorAll('.message-row').length < 100") == "true")
                #expect(
                    try await browser.text("document.querySelector('.message-rows').getAttribute('aria-rowcount')")
                        == "10000"
                )
                // By keys: the last one, whole below the list.
                _ = try await browser.run("document.querySelector('.message-rows').focus()")
                try await browser.press("End", "ArrowUp")
                try await browser.wait(
                    until:
                        "document.querySelector('.message-head h3')?.textContent === 'Message 9,999, sent by the client'"
                )
                try await browser.wait(until: "document.querySelector('.message-open .tree-row')")
                #expect(
                    try await browser.text(
                        "document.getElementById(document.querySelector('.message-rows').getAttribute('aria-activedescendant')).getAttribute('aria-rowindex')"
                    ) == "9999"
                )
                try await browser.press("Escape")
                try await browser.wait(until: "document.querySelector('.message-open').hidden")
                #expect(try await browser.text("location.pathname") == "/exchanges/1")
                try await browser.click("[data-direction=receive]")
                try await browser.wait(
                    until: "document.querySelector('.messages [role=status]').textContent === '5,000 messages'"
                )
                _ = try await browser.run("document.querySelector('.message-rows').scrollTop = 1e9")
                try await browser.wait(
                    until:
                        "[...document.querySelectorAll('.message-row')].at(-1)?.textContent.includes('{\"number\": 10000}')"
                )
                try await browser.wait(until: "document.querySelectorAll('.message-row.sent').length === 0")
                #expect(try await browser.console() == [])
            }
        }
    }
}

extension TrafficStore {
    /// Writes events and waits for their commit.
    func submit(_ events: [ExchangeEvent]) async throws {
        let receipt = await withCheckedContinuation { continuation in
            submit(CaptureBatch(events: events) { continuation.resume(returning: $0) })
        }
        guard receipt.isRecorded else { throw NotRecorded() }
    }
}
