import NIOCore
import Testing
import Traffic

@Suite("The messages of a stream on the page", .serialized, .timeLimit(.minutes(15)))
struct MessagePageTests {
    @Test("The page lists messages as they come, as text that nothing runs, and keeps its place")
    func follows() async throws {
        try await RunningPage.with { page in
            try await page.store.submit([
                .opened(1, Recorded.webSocket),
                .message(1, Recorded.message(Array("<img src=x onerror=window.ran=1> first".utf8))),
            ])
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/1?token=\(page.token)#messages")
                try await browser.wait(until: "document.querySelectorAll('.message-row').length === 1")
                _ = try await browser.run("document.querySelector('.messages').dataset.kept = 'yes'")
                var changed = Recorded.webSocket
                changed.messages = MessageCounts(request: 1, response: 2)
                try await page.store.submit([
                    .message(1, Recorded.message([1, 255], opcode: 2, .response)),
                    .message(1, Recorded.message(Array("third".utf8), .response)), .changed(1, changed),
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
        "Ten thousand messages are there at once, a place in them a few questions later, and few of them as elements"
    )
    func isWindowed() async throws {
        try await RunningPage.with { page in
            var exchange = Recorded.webSocket
            exchange.messages = MessageCounts(request: 5_000, response: 5_000)
            try await page.store.submit([.opened(1, exchange)])
            for first in stride(from: 1, through: 10_000, by: 500) {
                try await page.store.submit(
                    (first..<first + 500).map { number in
                        .message(
                            1,
                            Recorded.message(
                                Array("{\"number\": \(number)}".utf8),
                                number % 2 == 1 ? .request : .response
                            )
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
                let asked =
                    "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/messages?')).length"
                try await browser.run("performance.setResourceTimingBufferSize(10_000)")
                for (share, number) in [("0.5", "5000"), ("1", "10000"), ("0", "1")] {
                    let before = try #require(try await browser.run("return \(asked)") as? Int)
                    try await browser.run(
                        "const list = document.querySelector('.message-rows'); list.scrollTop = (list.scrollHeight - list.clientHeight) * \(share)"
                    )
                    try await browser.wait(
                        until:
                            "[...document.querySelectorAll('.message-row .payload')].some((one) => one.textContent === '{\"number\": \(number)}')"
                    )
                    let questions = try #require(try await browser.run("return \(asked)") as? Int) - before
                    #expect(questions <= 4, "to \(share)")
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
                // A text leaves those that hold it, of this direction too; Escape in the box shows all again.
                try await browser.run(
                    """
                    window.said = [];
                    const note = document.querySelector('.messages [role=status]');
                    new MutationObserver(() => said.push(note.textContent)).observe(note, { childList: true });
                    document.querySelector('.messages input[type=search]').focus();
                    """
                )
                try await browser.type("98}")
                let note = "document.querySelector('.messages [role=status]').textContent"
                try await browser.wait(until: "\(note) === '100 of 5,000 messages'")
                #expect(
                    try await browser.text("document.querySelector('.message-rows').getAttribute('aria-rowcount')")
                        == "100"
                )
                try await browser.wait(until: "document.querySelector('.message-row .payload mark')")
                #expect(try await browser.text("document.querySelector('.message-row mark').textContent") == "98}")
                try await browser.run("document.querySelector('.message-rows').focus()")
                try await browser.press("End")
                try await browser.wait(
                    until:
                        "document.querySelector('.message-head h3')?.textContent === 'Message 9,998, received from the upstream'"
                )
                try await browser.run("document.querySelector('.messages input[type=search]').focus()")
                try await browser.type("x")
                try await browser.wait(until: "\(note) === 'None of 5,000 messages'")
                try await browser.press("Escape")
                try await browser.wait(until: "\(note) === '5,000 messages'")
                // From few, all in sight, to the first of all; and none that is missing is told of before the answer.
                try await browser.type("4998")
                try await browser.wait(until: "\(note) === '1 of 5,000 messages'")
                try await browser.press("Escape")
                try await browser.wait(
                    until: "\(note) === '5,000 messages' && document.querySelectorAll('.message-row').length > 1"
                )
                #expect(try await browser.text("document.querySelector('.message-rows').scrollTop") == "0")
                #expect(try await browser.text("said.filter((one) => one.endsWith(' kept')).join()") == "")
                #expect(try await browser.text("location.pathname") == "/exchanges/1")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("A filter that was typed just before the messages are left asks for nothing")
    func filterAfterEnd() async throws {
        try await RunningPage.with { page in
            try await page.store.submit([
                .opened(1, Recorded.webSocket), .message(1, Recorded.message(Array("first".utf8))),
            ])
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/1?token=\(page.token)#messages")
                try await browser.wait(until: "document.querySelectorAll('.message-row').length === 1")
                // What waits for the typing to rest is called by hand.
                let asked = try await browser.result(
                    of: """
                        const { setTimeout, fetch } = window;
                        const asked = [];
                        let late = null;
                        window.fetch = (path, options) => {
                          asked.push(String(path));
                          return fetch(path, options);
                        };
                        window.setTimeout = (does, ...rest) => {
                          late = does;
                          return setTimeout(() => {}, ...rest);
                        };
                        const box = document.querySelector('.messages input[type=search]');
                        box.value = 'first';
                        box.dispatchEvent(new InputEvent('input', { bubbles: true }));
                        window.setTimeout = setTimeout;
                        document.querySelector('#tab-timing').click();
                        late();
                        window.fetch = fetch;
                        return asked.filter((path) => path.includes('/messages?')).length;
                        """
                )
                #expect(asked == "0")
                #expect(try await browser.console() == [])
            }
        }
    }
}
