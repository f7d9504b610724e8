import Testing
import Traffic
import Web

@Suite("What mends a failed handshake, on the page", .serialized, .timeLimit(.minutes(15)))
struct RemedyPageTests {
    @Test(
        "The Problems tab says what it means and which command mends it, passes the host through, and takes that back"
    )
    func passesThrough() async throws {
        let words: TLSRemedy.Words = { step in
            if case .passThrough(let host) = step { "proxy pass \(host)" } else { "" }
        }
        try await Pane.with(configure: { $0.remedyWords = words }) { page in
            var exchange = Recorded.exchange()
            exchange.method = "CONNECT"
            exchange.code = nil
            exchange.response = nil
            exchange.outcome = .failed
            exchange.failure = ExchangeFailure(
                side: .client,
                phase: .tls,
                cause: .pinned,
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
                    == "proxy pass \(host)"
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

    @Test("The Problems tab says what lifts a refusal, and its sentence once")
    func liftsRefusals() async throws {
        let words: @Sendable (ExchangeFailure) -> String? = { $0.cause == .notAllowed ? "proxy --let" : nil }
        try await Pane.with(configure: { $0.refusalWords = words }) { page in
            var exchange = Recorded.refused()
            exchange.failure = ExchangeFailure(
                side: .client,
                phase: .connect,
                cause: .notAllowed,
                message: "This machine itself is not asked.",
                retry: false
            )
            try await page.store.record(exchange)
            try await page.store.record(Recorded.refused(offset: 1))
        } _: { pane in
            try await pane.open(1, "problems")
            let section = "document.querySelector('#detail .remedy')"
            #expect(try await pane.text("\(section).querySelector('pre').textContent") == "proxy --let")
            #expect(try await pane.text("\(section).querySelector('h3').textContent") == "What helps")
            #expect(try await pane.text("String(\(section).textContent.includes('not asked'))") == "false")
            try await pane.go(2, "problems")
            try await pane.wait("document.querySelector('#detail .failure p')?.textContent.includes('refused')")
            #expect(try await pane.text("String(\(section))") == "null")
        }
    }

    @Test("A refused certificate stands under Problems with its chain, and what the check was about is marked")
    func showsChain() async throws {
        let facts: @Sendable ([UInt8]) -> CertificateFacts? = { der in
            CertificateFacts(
                subject: "CN=shop.test",
                issuer: "CN=Nobody",
                names: ["other.test"],
                notBefore: 0,
                notAfter: der == [1] ? 1_000_000 : 4_000_000_000_000_000,
                serial: "07",
                sha256: "AB",
                key: "RSA 1024",
                signature: "sha1"
            )
        }
        let table: [(Cause, String)] = [
            (.certificateExpired, "0 It has expired. Valid to"),
            (.certificateName, "0 It does not name the Subject Names"),
            (.certificateUnknownIssuer, "1 This machine does not trust Issuer"),
            (.certificateWeak, "0 Its key or its signature Key Signature"),
            (.refused, ""),
        ]
        try await Pane.with(configure: { $0.readCertificate = facts }) { page in
            for (index, (cause, _)) in table.enumerated() {
                var exchange = Recorded.refused(offset: Int64(index))
                exchange.failure = ExchangeFailure(
                    side: .upstream,
                    phase: .tls,
                    cause: cause,
                    message: "The upstream's certificate was refused.",
                    retry: true
                )
                let tls = Peer.TLS(
                    version: "TLSv1.3",
                    serverName: "shop.test",
                    applicationProtocol: nil,
                    certificates: [[1], [2]]
                )
                exchange.upstream = Peer(token: UInt64(index + 9), address: "192.0.2.1:443", tls: tls)
                try await page.store.record(exchange)
            }
        } _: { pane in
            try await pane.open(1)
            for (index, (cause, wanted)) in table.enumerated() {
                try await pane.go(index + 1, "problems")
                let count = wanted.isEmpty ? 0 : 2
                try await pane.wait("document.querySelectorAll('#panel .certificate dl').length === \(count)")
                let marked = try await pane.text(
                    """
                    [...document.querySelectorAll('#panel .certificate')].map((one, index) => [one.querySelector('p.refused'), one, index])
                      .filter(([problem]) => problem).map(([problem, one, index]) => [index, problem.textContent.split(' ').slice(0, 5).join(' '),
                        ...[...one.querySelectorAll('mark.refused')].map((mark) => mark.closest('dd').previousElementSibling.textContent)].join(' ')).join()
                    """
                )
                #expect(marked == wanted, "\(cause)")
                try await pane.run("document.querySelector('#tab-connection').click()")
                try await pane.wait("document.querySelectorAll('#panel .certificate dl').length === 2")
            }
        }
    }
}
