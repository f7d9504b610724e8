import NIOCore
import Store
import Testing
import Traffic

@Suite("An exchange that goes on while the page shows it", .serialized, .timeLimit(.minutes(15)))
struct GrowingPageTests {
    private static let tab = "document.querySelector('[role=tab][aria-selected=true]')?.id"
    private static let fold = "document.querySelector('#panel .head-fold')"
    private static let body = "document.querySelector('#panel .body-content')"

    /// An exchange that is open, with so many bytes of a text so far; nil is without a response.
    private static func open(_ length: Int?) -> Exchange {
        var exchange = Recorded.exchange(fields: [("Content-Type", "text/plain")], length: length ?? 0)
        (exchange.outcome, exchange.timeline.duration) = (.pending, nil)
        if length == nil { (exchange.response, exchange.code) = (nil, nil) }
        return exchange
    }

    private static func bytes(_ text: String) -> ExchangeEvent { .body(1, .response, ByteBuffer(string: text)) }

    @Test("A body that grows stays as it is read; what has come since is loaded when that is asked for")
    func grows() async throws {
        try await Pane.with { page in
            try await page.store.submit([
                .opened(1, Self.open(5)), Self.bytes("first"), .changed(1, Self.open(5)),
            ])
        } _: { pane in
            try await pane.open(1, "response")
            try await pane.wait("\(Self.body)?.textContent.includes('first')")
            try await pane.run("\(Self.body).dataset.kept = 'yes'; \(Self.fold).querySelector('summary').click()")
            try await pane.page.store.submit([Self.bytes("second"), .changed(1, Self.open(11))])
            try await pane.wait("document.querySelector('#panel .grown')?.textContent.startsWith('11 B by now')")
            #expect(try await pane.text("\(Self.body).dataset.kept") == "yes")
            #expect(try await pane.text("\(Self.body).textContent.includes('second')") == "false")
            #expect(try await pane.text("\(Self.fold).open") == "true")
            try await pane.press("Load again", in: "#panel")
            try await pane.wait("\(Self.body)?.textContent.includes('firstsecond')")
            #expect(try await pane.text("document.querySelector('#panel .grown')") == "null")
            #expect(try await pane.text("\(Self.fold).open") == "true")
            #expect(try await pane.text("document.activeElement.id") == "panel")
        }
    }

    @Test("The first bytes of a body are shown by themselves, below a head that nobody has unfolded")
    func begins() async throws {
        try await Pane.with { page in
            try await page.store.submit([.opened(1, Self.open(nil))])
        } _: { pane in
            try await pane.open(1, "response")
            try await pane.wait("document.querySelector('#panel').textContent.includes('No response yet.')")
            try await pane.page.store.submit([.changed(1, Self.open(0))])
            try await pane.wait(
                "\(Self.fold)?.open && document.querySelector('#panel').textContent.includes('No body.')"
            )
            try await pane.page.store.submit([Self.bytes("first"), .changed(1, Self.open(5))])
            try await pane.wait("\(Self.body)?.textContent.includes('first') && !\(Self.fold).open")
        }
    }

    @Test("An exchange that ends without a response stays on the part that it was opened on")
    func stays() async throws {
        try await Pane.with { page in
            try await page.store.submit([.opened(1, Self.open(nil))])
        } _: { pane in
            try await pane.browser.open("http://127.0.0.1:\(pane.page.port)/exchanges/1?token=\(pane.page.token)")
            try await pane.wait("document.querySelector('#panel')?.textContent.includes('No response yet.')")
            var failed = Self.open(nil)
            failed.outcome = .failed
            try await pane.page.store.submit([.ended(1, failed, request: ByteBuffer(), response: ByteBuffer())])
            try await pane.wait("document.querySelector('#panel').textContent.includes('No response came.')")
            #expect(try await pane.text(Self.tab) == "tab-response")
        }
    }

    @Test("While a search is being typed the shown part waits for a longer rest before it is marked anew")
    func typing() async throws {
        try await Pane.with { page in
            let body = Array("first".utf8)
            try await page.store.record(
                Recorded.exchange(fields: [("Content-Type", "text/plain")], length: 5),
                response: body
            )
        } _: { pane in
            try await pane.open(1, "response")
            try await pane.wait("\(Self.body)?.textContent.includes('first') && document.querySelector('tr[data-id]')")
            // What waits for a second is called by hand.
            try await pane.run(
                """
                \(Self.body).dataset.kept = 'yes';
                const real = window.setTimeout;
                window.late = [];
                window.setTimeout = (does, ms, ...rest) => ms === 1000 ? (late.push(does), 0) : real(does, ms, ...rest);
                document.getElementById('query').focus();
                """
            )
            try await pane.browser.type("first")
            try await pane.wait("new URLSearchParams(location.search).get('q') === 'first' && late.length")
            #expect(try await pane.text("\(Self.body).dataset.kept") == "yes")
            try await pane.run("for (const does of late) does();")
            try await pane.wait("\(Self.body)?.textContent.includes('first') && !\(Self.body).dataset.kept")
        }
    }
}
