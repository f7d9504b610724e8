import Foundation
import NIOCore
import Store
import Testing
import Traffic
import Web

@Suite("The detail on the page", .serialized, .timeLimit(.minutes(15)))
struct DetailPageTests {
    @Test("The title of a CONNECT is its authority, once, and one that its client has left is no problem")
    func titlesTunnels() async throws {
        try await Pane.with { page in
            var exchange = Recorded.exchange(method: "CONNECT", host: "gateway.test", target: "gateway.test:443")
            (exchange.code, exchange.response, exchange.outcome) = (nil, nil, .failed)
            exchange.failure = ExchangeFailure(side: .client, phase: .tls, cause: .pinned, message: "It refused.")
            try await page.store.record(exchange)
            exchange.outcome = .cancelled
            exchange.failure = ExchangeFailure(side: .client, phase: .connect, cause: .closed, message: "It left.")
            try await page.store.record(exchange)
        } _: { pane in
            try await pane.open(1)
            let title = "document.querySelector('#detail .detail-head .address').textContent"
            #expect(try await pane.text(title) == "gateway.test:443")
            let heading = "document.querySelector('#detail .failure h3').textContent"
            #expect(try await pane.text(heading) == "Failed: pinned")
            #expect(try await pane.text("document.querySelector('#tab-problems .badge').textContent") == "1")
            try await pane.open(2)
            #expect(try await pane.text(heading) == "Cancelled: closed")
            let badge = "String(document.querySelector('#tab-problems .badge')?.textContent ?? '')"
            #expect(try await pane.text(badge) == "")
        }
    }

    @Test("It opens on the response, its body in sight below its head as a line; without a response on the overview")
    func opensOnResponse() async throws {
        try await Pane.with { page in
            let body = Array(#"{"a": [1, 2], "b": 3}"#.utf8)
            let fields = (0..<40).map { ("X-Field-\($0)", "value") } + [("Content-Type", "application/json")]
            try await page.store.record(Recorded.exchange(fields: fields, length: body.count), response: body)
            try await page.store.record(Recorded.exchange(fields: [("X-Only", "1")]))
            var failed = Recorded.exchange()
            (failed.code, failed.response, failed.outcome) = (nil, nil, .failed)
            failed.failure = ExchangeFailure(side: .upstream, phase: .connect, cause: .refused, message: "It refused.")
            try await page.store.record(failed)
        } _: { pane in
            let chosen = "document.querySelector('[role=tab][aria-selected=true]')?.id"
            func go(_ id: Int) async throws {
                try await pane.run(
                    "history.pushState(null, '', '/exchanges/\(id)'); dispatchEvent(new PopStateEvent('popstate'))"
                )
                try await pane.wait("document.title.startsWith('\(id) ')")
            }
            try await pane.browser.open("http://127.0.0.1:\(pane.page.port)/exchanges/1?token=\(pane.page.token)")
            try await pane.wait("\(chosen) === 'tab-response' && document.querySelector('.tree-row')")
            let fold = "document.querySelector('#panel .head-fold')"
            #expect(try await pane.text("\(fold).open") == "false")
            #expect(
                try await pane.text("\(fold).querySelector('summary').textContent") == "HTTP/1.1 200 Because 42 fields"
            )
            #expect(
                try await pane.text(
                    "document.querySelector('.tree-row').getBoundingClientRect().bottom < document.querySelector('#panel').getBoundingClientRect().bottom"
                ) == "true"
            )
            // Without a body the head is all there is to see.
            try await go(2)
            try await pane.wait("\(fold)?.open && \(fold).textContent.includes('X-Only')")
            try await go(3)
            try await pane.wait("\(chosen) === 'tab-overview'")
            // What a person unfolds stays so.
            try await go(1)
            try await pane.wait("document.querySelector('.tree-row') && !\(fold).open")
            try await pane.run("\(fold).querySelector('summary').click()")
            try await go(3)
            try await pane.wait("\(chosen) === 'tab-overview'")
            try await go(1)
            try await pane.wait("\(fold)?.open")
            // Where the pane is wide enough, the other side stands beside the chosen side.
            let places =
                "[...document.querySelectorAll('.message-side')].map((one) => one.getAttribute('aria-label') + Math.sign(one.getBoundingClientRect().left - document.querySelector('#panel').getBoundingClientRect().left - 100)).join(' ')"
            #expect(try await pane.text(places) == "Response-1")
            try await pane.browser.emulate(.wall)
            try await pane.wait("\(places) === 'Request-1 Response1'")
            #expect(try await pane.text("\(chosen)") == "tab-response")
            try await pane.browser.press("i")
            #expect(
                try await pane.text("document.activeElement.closest('.message-side')?.getAttribute('aria-label')")
                    == "Response"
            )
            try await pane.browser.emulate(.desktop)
            try await pane.wait("\(places) === 'Response-1'")
        }
    }

    @Test("Every part is a tab that keys reach, with what belongs there, and Escape closes the pane")
    func tabs() async throws {
        try await Pane.with {
            $0.readCertificate = { $0 == [1, 2] ? Recorded.facts : nil }
        } recording: { page in
            try await page.store.record(Recorded.rich(), response: Array("abc".utf8))
            var replay = Recorded.exchange(code: 503, offset: 10)
            replay.replayOf = 1
            try await page.store.record(replay)
        } _: { pane in
            try await pane.open(1)
            let names = try await pane.text(
                "[...document.querySelectorAll('[role=tab]')].map((one) => one.id.slice(4)).join(' ')"
            )
            #expect(names == "overview request response timing connection decoded problems replays")
            #expect(try await pane.text("document.querySelector('#tab-problems .badge').textContent") == "2")
            try await pane.run("document.querySelector('#tab-overview').focus()")
            let expected: [(String, [String])] = [
                (
                    "request",
                    [
                        "Head as the client sent it", "Head as sent upstream", "Via: 1.1 inspect", "Cookies", "café",
                        "no value", "Token in Authorization",
                    ]
                ),
                (
                    "response",
                    [
                        "HTTP/1.1 200 Because", "Cookies set", "sid", "1; Path=/; HttpOnly",
                        "Only the first 3 of 5 bytes were kept.",
                    ]
                ),
                ("timing", ["TLS handshake", "8.1 ms", "opened a new connection", "26 ms"]),
                (
                    "connection",
                    [
                        "TLSv1.3", "h2", "CN=Some Authority", "IP 192.0.2.1", "has expired", "P-256",
                        "The certificate could not be read.", "BEGIN CERTIFICATE",
                    ]
                ),
                ("decoded", ["No lens reads this exchange."]),
                ("problems", ["Two Host fields came.", "3 of 5 bytes were kept"]),
                ("replays", ["Replays of this exchange", "503"]),
            ]
            for (tab, words) in expected {
                try await pane.run(
                    "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }))"
                )
                try await pane.wait("document.activeElement.id === 'tab-\(tab)' && location.hash === '#\(tab)'")
                for word in words {
                    do {
                        try await pane.wait("document.querySelector('#panel').textContent.includes('\(word)')")
                    } catch { Issue.record("\(tab): no \(word); \(error)") }
                }
                #expect(
                    try await pane.text("document.querySelector('#panel').getAttribute('aria-labelledby')")
                        == "tab-\(tab)"
                )
            }
            #expect(try await pane.text("document.querySelector('.replays a').getAttribute('href')") == "/exchanges/2")
            try await pane.run("document.querySelector('.replays a').click()")
            try await pane.wait(
                "location.pathname === '/exchanges/2' && document.querySelector('#panel').textContent.includes('A replay of')"
            )
            try await pane.run(
                "document.querySelector('#panel').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))"
            )
            try await pane.wait("location.pathname === '/' && document.querySelector('#detail').hidden")
        }
    }

    @Test("Heads are as they were sent, with what differs marked; as tables too, which is remembered")
    func heads() async throws {
        try await Pane.with { page in
            try await page.store.record(Recorded.rich(), response: Array("abc".utf8))
        } _: { pane in
            try await pane.open(1, "request")
            let removed =
                "[...document.querySelectorAll('pre.head .removed')].map((one) => one.textContent.trim()).join('|')"
            #expect(try await pane.text(removed) == "Proxy-Connection: keep-alive")
            #expect(
                try await pane.text("document.querySelector('pre.head .added').textContent.trim()")
                    == "Via: 1.1 inspect"
            )
            try await pane.press("Table")
            try await pane.wait("document.querySelector('.fields .removed th').textContent === 'Proxy-Connection'")
            #expect(try await pane.text("document.querySelectorAll('pre.head').length") == "0")
            try await pane.open(1, "response")
            try await pane.wait("document.querySelector('.fields')?.textContent.includes('Set-Cookie')")
            #expect(try await pane.text("document.querySelectorAll('pre.head').length") == "0")
        }
    }

    @Test("Ten thousand fields and a field of a megabyte are shown a part at a time")
    func manyFields() async throws {
        try await Pane.with { page in
            var exchange = Recorded.exchange()
            let lines = (0..<10_000).map { "X-Field-\($0): value \($0)\r\n" }.joined()
            let long = "X-Long: \(String(repeating: "<b>", count: 350_000))\r\n"
            exchange.response?.head = ByteBuffer(string: "HTTP/1.1 200 OK\r\n\(lines)\(long)\r\n")
            try await page.store.record(exchange)
        } _: { pane in
            try await pane.open(1)
            // Of the whole head, a small part is drawn at once.
            let drawn =
                try await pane.browser.run(
                    "document.querySelector('#tab-response').click(); const head = document.querySelectorAll('pre.head > span'); return [head.length, document.querySelector('#panel').textContent.length];"
                ) as? [Int]
            #expect(drawn?.first == 300 && drawn?.last ?? .max < 20_000)
            for _ in 0..<5 { try await pane.run("document.querySelector('.more-items')?.click()") }
            try await pane.wait("document.querySelectorAll('pre.head > span').length === 10002")
            try await pane.press("Table")
            try await pane.wait("document.querySelectorAll('.heads tr').length === 300")
        }
    }

    @Test("It stands beside or below the list, its size is set by keys, and both are remembered")
    func remembersPlace() async throws {
        try await Pane.with { page in
            try await page.store.record(Recorded.exchange())
        } _: { pane in
            try await pane.open(1)
            let width = "document.querySelector('#detail').offsetWidth"
            let before = try await pane.browser.run("return \(width)") as? Int ?? 0
            let grow = """
                document.querySelector('#split').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true }));
                """
            try await pane.run(grow + grow)
            try await pane.wait("\(width) === \(before + 48)")
            try await pane.run("document.querySelector('.turn').click()")
            try await pane.wait(
                "document.querySelector('#detail').getBoundingClientRect().top > document.querySelector('#rows').getBoundingClientRect().top + 100"
            )
            #expect(
                try await pane.text("document.querySelector('#split').getAttribute('aria-orientation')") == "horizontal"
            )
            try await pane.open(1)
            try await pane.wait("document.body.classList.contains('detail-below')")
            try await pane.run("document.querySelector('.turn').click()")
            try await pane.wait("\(width) === \(before + 48)")
        }
    }

    @Test("What somebody is writing stays while the exchange changes, and one that changes all the time is shown")
    func writing() async throws {
        try await Pane.with { page in
            var open = Recorded.exchange()
            (open.response, open.code, open.outcome, open.timeline.duration) = (nil, nil, .pending, nil)
            let exchange = open
            _ = await withCheckedContinuation { done in
                page.store.submit(CaptureBatch(events: [.opened(77, exchange)]) { done.resume(returning: $0) })
            }
        } _: { pane in
            try await pane.open(1)
            try await pane.wait("document.querySelector('#panel').textContent.includes('still open')")
            try await pane.run("document.querySelector('#note').focus()")
            try await pane.browser.type("half a note")
            try pane.page.store.mark([1], .tags(["slow"]))
            try await pane.wait("document.querySelector('.marks .chip')?.textContent.startsWith('slow')")
            _ = await withCheckedContinuation { done in
                let exchange = Recorded.exchange()
                let ended = ExchangeEvent.ended(77, exchange, request: ByteBuffer(), response: ByteBuffer())
                pane.page.store.submit(CaptureBatch(events: [ended]) { done.resume(returning: $0) })
            }
            try await pane.wait("document.querySelector('#detail .code').textContent === '200'")
            try await pane.wait("!document.querySelector('#panel').textContent.includes('still open')")
            #expect(try await pane.text("document.querySelector('#note').value") == "half a note")
            #expect(try await pane.text("document.activeElement.id") == "note")
            // It changes anew until what it has become is seen.
            let seen = try await pane.browser.result(
                of: """
                    const { key } = await import(asset('enter.js'));
                    const headers = { Authorization: `Bearer ${key()}`, 'Content-Type': 'application/json' };
                    const tags = () => document.querySelectorAll('.marks .chip').length;
                    for (let count = 0; tags() < 2 && count < 2000; count += 1) {
                      await fetch('/api/v1/marks?q=id:1', { method: 'POST', headers, body: JSON.stringify({ add: ['again'], favourite: count % 2 === 0 }) });
                    }
                    return tags();
                    """
            )
            #expect(seen == "2")
            #expect(try await pane.text("document.querySelector('#note').value") == "half a note")
        }
    }

    @Test("Favourite by the star; what is looked at stays where it is")
    func star() async throws {
        try await Pane.with { page in
            let body = Array(#"{"a": [1, 2], "b": 3}"#.utf8)
            try await page.store.record(Recorded.exchange(length: body.count), response: body)
        } _: { pane in
            try await pane.open(1, "response")
            try await pane.wait("document.querySelector('.tree')")
            try await pane.run(
                "document.querySelector('.tree').dataset.kept = 'yes'; document.querySelector('.star').click()"
            )
            try await pane.wait("document.querySelector('.star').getAttribute('aria-pressed') === 'true'")
            #expect(try await pane.text("document.querySelector('.tree').dataset.kept") == "yes")
            // The row that is read out is there, whatever is folded, and is an item.
            let active =
                "document.getElementById(document.querySelector('.tree').getAttribute('aria-activedescendant'))"
            try await pane.wait("\(active)?.matches('.tree-row.active[role=treeitem]')")
            try await pane.run("document.querySelector('.tree').focus()")
            try await pane.browser.press("End")
            try await pane.wait("\(active)?.textContent.startsWith('b')")
            try await pane.browser.press("ArrowDown")
            try await pane.wait("\(active)?.textContent.startsWith('b')")
            try await pane.browser.press("ArrowUp", "ArrowLeft")
            try await pane.wait("\(active)?.textContent.startsWith('a')")
            try await pane.browser.press("ArrowLeft")
            try await pane.wait("\(active)?.getAttribute('aria-expanded') === 'false'")
            try await pane.browser.press("ArrowDown")
            try await pane.wait("\(active)?.textContent.startsWith('b')")
            try await pane.run("document.querySelector('.tree-tools').lastElementChild.click()")
            try await pane.wait("\(active)?.matches('.active')")
        }
    }
}
