import Testing
import Traffic

@Suite("The rail of categories in a real browser", .serialized, .timeLimit(.minutes(15)))
struct RailPageTests {
    /// Waits for the counts of a category, as `value=count` in their order: they come by themselves, a moment before or after the rows.
    private func expect(_ counts: String, of name: String, in browser: Browser) async throws {
        try await browser.wait(
            until:
                "[...document.querySelectorAll('.facet-\(name) .value')].map((row) => row.dataset.value + '=' + row.querySelector('.count').textContent).join(' ') === '\(counts)'"
        )
    }

    private func box(_ key: String) -> String { "[data-key=\"\(key)\"]" }

    @Test("Counts of one category follow the others' selections; only and not compose; what counts nothing stays")
    func composes() async throws {
        try await RunningPage.with { page in
            for (code, method, host) in [
                (200, "GET", "a.test"), (200, "POST", "a.test"), (404, "GET", "b.test"), (500, "GET", "b.test"),
                (500, "POST", "c.test"),
            ] {
                try await page.store.record(Recorded.exchange(code: code, method: method, host: host))
            }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 5")
                try await expect("200=2 404=1 500=2", of: "code", in: browser)
                // The strip of time comes when the page knows of the whole capture, before or after the counts.
                try await browser.wait(until: "!document.getElementById('strip').hidden")
                // What the pointer is on stays where it is, whatever the filter says above it.
                let tops =
                    "[...document.querySelectorAll('.facet-method [data-value], #rows')].map((one) => Math.round(one.getBoundingClientRect().top)).join(' ')"
                let unfiltered = try await browser.text(tops)
                try await browser.click(box("code 500"))
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 2")
                try await browser.wait(until: "document.querySelector('.chip')")
                #expect(try await browser.text(tops) == unfiltered)
                try await expect("200=2 404=1 500=2", of: "code", in: browser)
                try await expect("GET=1 POST=1", of: "method", in: browser)
                // Only the value asked for, in place of what was chosen.
                try await browser.click(".facet-code [data-value='404'] .only")
                try await browser.wait(until: "location.search === '?code=404'")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 1")
                try await browser.click(".facet-method [data-value='POST'] input")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 0")
                try await expect("200=1 404=0 500=1", of: "code", in: browser)
                #expect(try await browser.text("document.querySelector('\(box("code 404"))').checked") == "true")
                // With the Alt key a click means only, too; once more it means all again.
                try await browser.open("http://127.0.0.1:\(page.port)/")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 5")
                try await expect("a.test=2 b.test=2 c.test=1", of: "host", in: browser)
                let altClick =
                    "document.querySelector('.facet-host [data-value=\"a.test\"] label').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, altKey: true }))"
                _ = try await browser.run(altClick)
                try await browser.wait(until: "location.search === '?host=a.test'")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 2")
                _ = try await browser.run(altClick)
                try await browser.wait(until: "location.search === ''")
                // Left out by a term of the query text; the value stays in sight, struck, and comes back.
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 5")
                try await browser.click(".facet-host [data-value='b.test'] .not")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 3")
                #expect(try await browser.query() == "-host:b.test")
                try await browser.wait(until: "document.querySelector('.facet-host [data-value=\"b.test\"].out')")
                #expect(
                    try await browser.text("document.querySelector('\(box("host b.test"))').indeterminate") == "true"
                )
                try await browser.click(".facet-code [data-value='500'] .not")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 2")
                #expect(try await browser.query() == "-host:b.test -code:500")
                try await browser.wait(until: "document.querySelectorAll('.value.out').length === 2")
                #expect(try await browser.text(tops) == unfiltered)
                // Wanting a value that was left out takes the term away and chooses it.
                try await browser.click(box("host b.test"))
                try await browser.wait(until: "location.search === '?q=-code%3A500&host=b.test'")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 1")
                _ = try await browser.run("history.back()")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 2")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("What the query text chooses is ticked, and a tick there is one with the rest of it")
    func followsText() async throws {
        try await RunningPage.with { page in
            for code in [200, 404, 500] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.open(
                    "http://127.0.0.1:\(page.port)/?token=\(page.token)&q=code:404%20path:/v2"
                )
                try await browser.wait(
                    until:
                        "document.querySelector('\(box("code 404"))').checked && document.querySelectorAll('.chip').length === 2"
                )
                try await browser.click(box("code 500"))
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 2")
                #expect(try await browser.text("location.search") == "?q=path%3A%2Fv2&code=404&code=500")
                try await browser.click(".facet-code .clear")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 3")
                #expect(try await browser.text("location.search") == "?q=path%3A%2Fv2")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("Keys walk the values, want them, only them or leave them out; a recount takes neither focus nor place")
    func isWalkedByKeys() async throws {
        try await RunningPage.with { page in
            for number in 0..<30 {
                try await page.store.record(
                    Recorded.exchange(code: number % 2 == 0 ? 200 : 404, host: "h\(number).test")
                )
            }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('.facet-host .value').length === 10")
                try await browser.press("f")
                let focused = "document.activeElement.dataset.key"
                #expect(try await browser.text(focused) == "code 200")
                try await browser.press("ArrowDown")
                #expect(try await browser.text(focused) == "code 404")
                try await browser.press("n")
                try await browser.wait(
                    until:
                        "new URLSearchParams(location.search).get('q') === '-code:404' && document.activeElement.indeterminate"
                )
                try await browser.press("n")
                try await browser.wait(until: "location.search === ''")
                try await browser.press("o")
                // The box is ticked with the counts, after the address is there.
                try await browser.wait(until: "location.search === '?code=404' && document.activeElement.checked")
                try await browser.press("Space")
                try await browser.wait(until: "location.search === ''")
                #expect(try await browser.text(focused) == "code 404")
                // The buttons of a value are the next stops of the Tab key.
                try await browser.press("Tab")
                #expect(
                    try await browser.text("document.activeElement.getAttribute('aria-label')") == "Only Code 404"
                )
                try await browser.press("ArrowDown", "ArrowDown", "ArrowDown")
                let scroll = "document.getElementById('rail').scrollTop"
                _ = try await browser.run("document.getElementById('rail').scrollTop = 200")
                let (before, place) = (try await browser.text(focused), try await browser.text(scroll))
                for _ in 0..<3 { try await page.store.record(Recorded.exchange(code: 301, host: "h29.test")) }
                try await browser.wait(
                    until:
                        "document.querySelector('\(box("code 301"))')?.closest('label').querySelector('.count').textContent === '3'"
                )
                #expect(try await browser.text(focused) == before && before != "undefined")
                #expect(try await browser.text(scroll) == place)
                // Folded by a key, remembered beyond the visit.
                try await browser.press("f", "Home", "ArrowLeft")
                try await browser.wait(until: "document.querySelector('.facet-code.folded')")
                try await browser.open("http://127.0.0.1:\(page.port)/")
                try await browser.wait(until: "document.querySelector('.facet-code.folded')")
                #expect(try await browser.text("document.querySelectorAll('.facet-code .value').length") == "0")
                // One among many is found by typing.
                _ = try await browser.run("document.querySelector('\(box("within host"))').focus()")
                try await browser.type("h17")
                try await browser.wait(until: "document.querySelectorAll('.facet-host .value').length === 1")
                try await expect("h17.test=1", of: "host", in: browser)
                try await browser.press("Escape")
                try await browser.wait(until: "document.querySelectorAll('.facet-host .value').length === 10")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("Values keep their place while they count more; a button puts the most frequent first, and is remembered")
    func keepsPlaces() async throws {
        try await RunningPage.with { page in
            for host in ["b.test", "c.test", "b.test", "a.test"] {
                try await page.store.record(Recorded.exchange(host: host))
            }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await expect("a.test=1 b.test=2 c.test=1", of: "host", in: browser)
                for _ in 0..<3 { try await page.store.record(Recorded.exchange(host: "c.test")) }
                try await expect("a.test=1 b.test=2 c.test=4", of: "host", in: browser)
                // Values that are shown of many stay shown, whatever counts more than they do.
                for number in 10..<22 { try await page.store.record(Recorded.exchange(host: "h\(number).test")) }
                let first = (10..<17).map { "h\($0).test=1" }.joined(separator: " ")
                try await expect("a.test=1 b.test=2 c.test=4 \(first)", of: "host", in: browser)
                for _ in 0..<2 { try await page.store.record(Recorded.exchange(host: "h21.test")) }
                try await page.store.record(Recorded.exchange(host: "a.test"))
                try await expect("a.test=2 b.test=2 c.test=4 \(first)", of: "host", in: browser)
                try await browser.click(box("rail order"))
                let rest = (10..<16).map { "h\($0).test=1" }.joined(separator: " ")
                let byCount = "c.test=4 h21.test=3 a.test=2 b.test=2 \(rest)"
                try await expect(byCount, of: "host", in: browser)
                try await expect("200=22", of: "code", in: browser)
                try await browser.open("http://127.0.0.1:\(page.port)/")
                try await expect(byCount, of: "host", in: browser)
                let isPressed = "document.querySelector('\(box("rail order"))').getAttribute('aria-pressed')"
                #expect(try await browser.text(isPressed) == "true")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("A value is left out of alternatives as a whole")
    func leavesOut() async throws {
        try await RunningPage.with { page in
            for (code, method) in [(200, "GET"), (200, "POST"), (404, "GET")] {
                try await page.store.record(Recorded.exchange(code: code, method: method, target: "/sse"))
            }
            try await Browser.with { browser in
                let rows = "[...document.querySelectorAll('tr[data-id]')].map((row) => row.dataset.id).join(' ')"
                try await browser.open(
                    "http://127.0.0.1:\(page.port)/?q=code:404%20or%20path:/sse&token=\(page.token)"
                )
                try await browser.wait(until: "\(rows) === '3 2 1'")
                try await expect("GET=2 POST=1", of: "method", in: browser)
                try await browser.run("document.querySelector('\(box("method GET"))').focus()")
                try await browser.press("n")
                try await browser.wait(until: "\(rows) === '2'")
                #expect(try await browser.query() == "(code:404 or path:/sse) -method:GET")
                try await browser.press("n")
                try await browser.wait(until: "\(rows) === '3 2 1'")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("A value that holds a comma is wanted as one, from the rail, by its address and with another beside it")
    func takesCommas() async throws {
        try await RunningPage.with { page in
            for (number, name) in ["cc, the compiler", "cc", "say \"hi, you\"", "curl"].enumerated() {
                var exchange = Recorded.exchange(offset: Int64(number))
                exchange.client = Peer(
                    token: UInt64(number + 1),
                    address: "127.0.0.1:5",
                    tls: nil,
                    process: LocalProcess(id: 7, name: name)
                )
                try await page.store.record(exchange)
            }
            try await Browser.with { browser in
                let rows = "[...document.querySelectorAll('tr[data-id]')].map((row) => row.dataset.id).join(' ')"
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(
                    until: "\(rows) === '4 3 2 1' && document.querySelector('.facet-process .fold')"
                )
                _ = try await browser.run(
                    "for (const one of document.querySelectorAll('.facet-process .fold[aria-expanded=false]')) one.click()"
                )
                let boxes = "[...document.querySelectorAll('.facet-process .value')]"
                for (name, shown) in [("cc, the compiler", "1"), ("say \"hi, you\"", "3 1")] {
                    _ = try await browser.run(
                        "\(boxes).find((one) => one.dataset.value === '\(name)').querySelector('input').click()"
                    )
                    try await browser.wait(until: "\(rows) === '\(shown)'")
                    try await browser.wait(
                        until:
                            "\(boxes).filter((one) => one.querySelector('input').checked).length === \(shown.split(separator: " ").count)"
                    )
                }
                let address = try await browser.text("location.href")
                try await browser.open("about:blank")
                try await browser.open(address)
                try await browser.wait(until: "\(rows) === '3 1'")
                #expect(
                    try await browser.text(
                        "[...document.querySelectorAll('.chip .text')].map((one) => one.textContent).join(' | ')"
                    )
                        == "Process cc, the compiler | Process say \"hi, you\""
                )
                #expect(try await browser.console() == [])
            }
            // The same from a program: a list with a value in quotes.
            let listed = try await page.get("/api/v1/exchanges?process=%22cc,%20the%20compiler%22,curl").object()
            #expect(listed["matched"] as? Int == 2)
        }
    }

    @Test("A rule whose name stands in quotes, between slashes or has a star is wanted as that rule alone")
    func takesOddNames() async throws {
        let names = ["\"api\"", "api", "/api/", "a*", "about"]
        try await RunningPage.with { page in
            for (number, name) in names.enumerated() {
                var exchange = Recorded.exchange(offset: Int64(number))
                exchange.rules = [RuleUse(rule: name, phase: .requestHead, action: "send", what: "host")]
                try await page.store.record(exchange)
            }
            try await Browser.with { browser in
                let rows = "[...document.querySelectorAll('tr[data-id]')].map((row) => row.dataset.id).join(' ')"
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(
                    until: "\(rows) === '5 4 3 2 1' && document.querySelector('.facet-rule .fold')"
                )
                _ = try await browser.run(
                    "for (const one of document.querySelectorAll('.facet-rule .fold[aria-expanded=false]')) one.click()"
                )
                let boxes = "[...document.querySelectorAll('.facet-rule .value')]"
                for (number, name) in names.enumerated() {
                    let box = "\(boxes).find((one) => one.dataset.value === '\(name)')?.querySelector('input')"
                    try await browser.wait(until: "!!\(box)")
                    _ = try await browser.run("\(box).click()")
                    try await browser.wait(until: "\(rows) === '\(number + 1)' && \(box).checked")
                    _ = try await browser.run("\(box).click()")
                    try await browser.wait(until: "\(rows) === '5 4 3 2 1' && !\(box).checked")
                }
                #expect(try await browser.console() == [])
            }
        }
    }
}
