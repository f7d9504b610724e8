import Testing
import Traffic

@testable import Web

@Suite("What mends a failed handshake, on the page", .serialized, .timeLimit(.minutes(4)))
struct RemedyPageTests {
    @Test(
        "The Problems tab says what it means and which command mends it, passes the host through, and takes that back"
    )
    func passesThrough() async throws {
        try await Pane.with { page in
            var exchange = Recorded.exchange()
            exchange.method = "CONNECT"
            exchange.code = nil
            exchange.response = nil
            exchange.outcome = .failed
            exchange.failure = ExchangeFailure(
                side: .client,
                phase: .tls,
                cause: "pinned",
                message: "It refused.",
                retry: true
            )
            exchange.client = Peer(
                token: 1,
                address: "127.0.0.1:5",
                tls: nil,
                process: LocalProcess(id: 4711, name: "my-app")
            )
            try await page.store.record(exchange)
        } _: { pane in
            try await pane.open(1, "problems")
            let host = try await pane.text(
                "document.querySelector('#detail .remedy pre').textContent.split(' ').at(-1)"
            )
            #expect(
                try await pane.text("document.querySelector('#detail .remedy pre').textContent")
                    == "inspect pass-through \(host)"
            )
            #expect(try await pane.text("document.querySelector('#detail .remedy').textContent").contains("pinning"))
            for _ in 0..<2 {
                try await pane.wait(
                    "document.querySelector('.remedy-way button')?.textContent === 'Pass \(host) through'"
                )
                try await pane.press("Pass \(host) through")
                try await pane.wait(
                    "document.querySelector('.remedy-way p')?.textContent.includes('until the proxy stops')"
                )
                try await pane.press("Read \(host) again")
            }
            try await pane.wait("document.querySelector('.remedy-way button')?.textContent === 'Pass \(host) through'")
            try await pane.open(1)
            #expect(try await pane.text("document.querySelector('#detail').textContent").contains("my-app (4711)"))
        }
    }
}
