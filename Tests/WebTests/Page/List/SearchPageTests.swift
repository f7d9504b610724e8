import Store
import Testing
import Traffic

@Suite("The search box in a real browser", .serialized, .timeLimit(.minutes(15)))
struct SearchPageTests {
    private static let options =
        "[...document.querySelectorAll('#query ~ .suggest [role=option] .label')].map((one) => one.textContent).join(' ')"

    @Test("A term of the text is a chip that is edited, turned round and removed; the whole is said in English")
    func hasChips() async throws {
        try await RunningPage.with { page in
            for code in [200, 404, 500] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.open(
                    "http://127.0.0.1:\(page.port)/?token=\(page.token)&q=-code:404%20path:/v2&method=GET"
                )
                try await browser.wait(until: "document.querySelectorAll('.chip').length === 3")
                let chips =
                    "[...document.querySelectorAll('.chip')].map((chip) => chip.firstChild.textContent).join(' | ')"
                #expect(try await browser.text(chips) == "-code:404 | path:/v2 | Method GET")
                #expect(
                    try await browser.text("document.getElementById('meaning').textContent")
                        == "Exchanges where the method is GET and the code is not 404 and the path contains \"/v2\"."
                )
                try await browser.click(".chip .negate")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 1")
                #expect(try await browser.query() == "code:404 path:/v2")
                try await browser.wait(until: "!document.querySelector('.chip.negated')")
                try await browser.click(".chip .edit")
                let chosen =
                    "document.activeElement.id + ' ' + document.activeElement.selectionStart + '-' + document.activeElement.selectionEnd"
                #expect(try await browser.text(chosen) == "query 0-8")
                try await browser.type("code:500")
                try await browser.press("Enter")
                try await browser.wait(until: "document.querySelector('tr[data-id=\"3\"]')")
                #expect(try await browser.query() == "code:500 path:/v2")
                try await browser.wait(until: "\(chips) === 'code:500 | path:/v2 | Method GET'")
                try await browser.click(".chip:nth-child(2) .remove")
                try await browser.wait(until: "\(chips) === 'code:500 | Method GET'")
                // A selection is left out instead; then all of it goes.
                try await browser.click(".chip:nth-child(2) .negate")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 0")
                #expect(try await browser.query() == "code:500 -method:GET")
                try await browser.click("#chips .clear:last-child")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 3")
                #expect(
                    try await browser.text("document.getElementById('meaning').textContent") == "Nothing is filtered."
                )
                // Back and forward go through every view there was.
                _ = try await browser.run("history.back()")
                try await browser.wait(until: "\(chips) === 'code:500 | -method:GET'")
                _ = try await browser.run("history.go(-2)")
                try await browser.wait(until: "\(chips) === 'code:500 | path:/v2 | Method GET'")
                #expect(try await browser.text("document.getElementById('query').value") == "code:500 path:/v2")
                _ = try await browser.run("history.go(3)")
                try await browser.wait(
                    until: "document.querySelectorAll('tr[data-id]').length === 3 && location.search === ''"
                )
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("Of two chips that are removed at once none stays, though the first one moves the second")
    func removed() async throws {
        try await RunningPage.with { page in
            for code in [200, 404] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                let query = "-code:404%20path:/v2%20method:GET%20path:/v2"
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)&q=\(query)")
                try await browser.wait(until: "document.querySelectorAll('.chip').length === 4")
                try await browser.run(
                    "[...document.querySelectorAll('.chip .remove')].slice(0, 3).forEach((button) => button.click())"
                )
                try await browser.wait(until: "document.querySelectorAll('.chip').length === 1")
                #expect(try await browser.query() == "path:/v2")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("Of two searches the later one holds, whichever is read first; of two clicks in the rail neither is lost")
    func order() async throws {
        try await RunningPage.with { page in
            for code in [200, 404, 500] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 3")
                try await browser.run(
                    """
                    const real = window.fetch;
                    window.held = [];
                    window.holds = (text) => { window.hold = text; held.splice(0).forEach((answer) => answer()); };
                    window.fetch = (path, options) => !window.hold || !path.includes(`filter?${window.hold}`) ? real(path, options)
                      : new Promise((done) => held.push(() => done(real(path, options))));
                    window.search = (text) => {
                      document.getElementById('query').value = text;
                      document.getElementById('find').requestSubmit();
                    };
                    holds('q=code%3A404');
                    search('code:404');
                    search('path:/v2');
                    """
                )
                try await browser.wait(until: "location.search === '?q=path%3A%2Fv2' && held.length === 1")
                try await browser.run("holds('q='); return new Promise((done) => setTimeout(done, 50))")
                #expect(try await browser.query() == "path:/v2")

                try await browser.run(
                    "history.pushState(null, '', '/?q=path:/'); dispatchEvent(new PopStateEvent('popstate'))"
                )
                try await browser.wait(until: "held.length === 1")
                try await browser.run(
                    """
                    for (const code of [404, 500]) document.querySelector(`[data-key="code ${code}"]`).click();
                    holds('');
                    """
                )
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 2")
                #expect(
                    try await browser.text("new URLSearchParams(location.search).getAll('code').join()") == "404,500"
                )
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("Keys and seen values are completed in a listbox that keys walk")
    func completes() async throws {
        try await RunningPage.with { page in
            for code in [200, 404, 404] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 3")
                let state = "document.getElementById('query').getAttribute('aria-expanded')"
                #expect(try await browser.text("document.getElementById('query').getAttribute('role')") == "combobox")
                try await browser.press("/")
                try await browser.type("path:/v2 co")
                try await browser.wait(until: "\(Self.options) === 'code:' && \(state) === 'true'")
                try await browser.press("ArrowDown")
                let active =
                    "document.getElementById(document.getElementById('query').getAttribute('aria-activedescendant'))"
                #expect(try await browser.text("\(active).getAttribute('aria-selected')") == "true")
                #expect(try await browser.text("\(active).querySelector('.about').textContent").contains("404, 5xx"))
                try await browser.press("Enter")
                try await browser.wait(until: "\(Self.options).startsWith('code:200 code:404 code:1xx')")
                #expect(try await browser.text("document.getElementById('query').value") == "path:/v2 code:")
                try await browser.press("ArrowDown", "ArrowDown")
                #expect(try await browser.text("\(active).querySelector('.about').textContent") == "2")
                try await browser.press("Enter", "Enter")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 2")
                #expect(try await browser.query() == "path:/v2 code:404")
                #expect(try await browser.text(state) == "false")
                // The box for a host offers those that were seen.
                try await browser.press("Tab")
                _ = try await browser.run("document.getElementById('host').focus()")
                try await browser.press("ArrowDown")
                try await browser.wait(
                    until:
                        "document.querySelector('#host ~ .suggest [role=option] .label')?.textContent === 'api.example.test'"
                )
                try await browser.press("ArrowDown", "Enter")
                try await browser.wait(until: "location.search.endsWith('&host=api.example.test')")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("What cannot be read is underlined where it is wrong, with the reason beside it, and searches nothing")
    func underlines() async throws {
        try await RunningPage.with { page in
            for code in [200, 404] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 2")
                try await browser.press("/")
                try await browser.type("\"🧭\" code:4x")
                let marked = "document.querySelector('#query-line mark')?.textContent"
                try await browser.wait(until: "\(marked) === '4x'")
                let problem = try await browser.text("document.getElementById('query-problem').textContent")
                #expect(problem.hasPrefix("column 10: code:4x: expected a code such as 404"))
                #expect(
                    try await browser.text("document.getElementById('query').getAttribute('aria-invalid')") == "true"
                )
                try await browser.press("Enter")
                try await browser.wait(until: "document.getElementById('query').selectionStart === 10")
                #expect(try await browser.query() != "\"🧭\" code:4x")
                try await browser.press("End")
                try await browser.type("x")
                try await browser.wait(until: "!\(marked) && document.getElementById('query-problem').hidden")
                try await browser.wait(
                    until: "document.getElementById('meaning').textContent.includes('from 400 to 499')"
                )
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("The list narrows once the keys rest; a mistake leaves it as it is, and Back undoes it in one step")
    func narrows() async throws {
        try await RunningPage.with { page in
            for code in [200, 404, 500] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                let rows = "[...document.querySelectorAll('tr[data-id]')].map((row) => row.dataset.id).join(' ')"
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "\(rows) === '3 2 1'")
                try await browser.press("/")
                // Three keys at once: only what stands there when they rest is searched for.
                try await browser.run(
                    """
                    window.asked = [];
                    const real = window.fetch;
                    window.fetch = (path, options) => { asked.push(String(path)); return real(path, options); };
                    const box = document.getElementById('query');
                    window.typed = (text) => { box.value = text; box.dispatchEvent(new InputEvent('input', { bubbles: true })); };
                    for (const text of ['c', 'co', 'code:404']) typed(text);
                    """
                )
                try await browser.wait(until: "\(rows) === '2'")
                #expect(try await browser.query() == "code:404")
                let early = "asked.filter((path) => /filter\\?q=co?(&|$)/.test(path)).length"
                #expect(try await browser.text(early) == "0")
                // A blank at the end stays, and what cannot be read changes nothing.
                try await browser.run("typed('code:404, ')")
                try await browser.wait(until: "!document.getElementById('query-problem').hidden")
                #expect(try await browser.query() == "code:404")
                #expect(try await browser.text(rows) == "2")
                try await browser.run("typed('code:404,500 ')")
                try await browser.wait(until: "\(rows) === '3 2'")
                #expect(
                    try await browser.text("document.activeElement.id + ' ' + document.activeElement.value + '|'")
                        == "query code:404,500 |"
                )
                _ = try await browser.run("history.back()")
                try await browser.wait(until: "\(rows) === '3 2 1' && location.search === ''")
                #expect(try await browser.text("document.getElementById('query').value") == "")
                // What is typed after an exchange was chosen leaves the choice in the history.
                try await browser.run("typed('code:404,500')")
                try await browser.wait(until: "\(rows) === '3 2'")
                try await browser.run("document.querySelector('tr[data-id=\"2\"]').click()")
                try await browser.wait(until: "location.pathname === '/exchanges/2'")
                try await browser.run("typed('code:500')")
                try await browser.wait(until: "\(rows) === '3'")
                #expect(try await browser.text("location.pathname") == "/exchanges/2")
                _ = try await browser.run("history.back()")
                try await browser.wait(until: "\(rows) === '3 2'")
                #expect(try await browser.text("location.pathname") == "/exchanges/2")
                #expect(try await browser.query() == "code:404,500")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("An empty box offers recent and saved searches, and each is forgotten on request")
    func remembers() async throws {
        try await RunningPage.with { page in
            for code in [200, 404, 500] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)&since=1d")
                // The chip and the tools are there last, after what listens to keys.
                try await browser.wait(
                    until:
                        "document.getElementById('window').value === '1d' && document.querySelectorAll('.chip').length === 1 && document.querySelector('#tools button')"
                )
                try await browser.press("/")
                try await browser.wait(until: "document.activeElement.id === 'query'")
                try await browser.type("code:404")
                try await browser.press("Enter")
                try await browser.wait(
                    until: "document.getElementById('save-search') && document.querySelectorAll('.chip').length === 2"
                )
                // Saved as it is, with a time that goes on counting back from now.
                try await browser.click("#save-search")
                try await browser.wait(until: "document.activeElement.id === 'search-name'")
                try await browser.type("lost")
                try await browser.press("Enter")
                try await browser.wait(until: "!document.querySelector('dialog')")
                #expect(try page.store.savedSearches() == [SavedSearch(name: "lost", query: "code:404 since:1d")])
                try await browser.click("#query-clear")
                try await browser.wait(until: "location.search === '?since=1d'")
                try await browser.press("ArrowDown")
                try await browser.wait(until: "\(Self.options) === '@lost code:404'")
                try await browser.press("ArrowDown", "Enter")
                try await browser.wait(until: "new URLSearchParams(location.search).get('q') === '@lost'")
                try await browser.wait(until: "document.querySelector('.chip .edit')?.textContent === '@lost'")
                #expect(
                    try await browser.text("document.querySelector('.chip').title").contains("the code is 404")
                )
                try await browser.click("#query-clear")
                try await browser.press("ArrowDown")
                try await browser.wait(until: "\(Self.options) === '@lost @lost code:404'")
                try await browser.press("ArrowDown", "Shift+Delete")
                try await browser.wait(until: "\(Self.options) === '@lost code:404'")
                #expect(try page.store.savedSearches() == [])
                try await browser.press("ArrowDown", "Shift+Delete")
                try await browser.wait(until: "\(Self.options) === 'code:404'")
                try await browser.press("Escape")
                try await browser.wait(until: "document.querySelector('#query ~ .suggest').hidden")
                #expect(try await browser.console() == [])
            }
        }
    }
}
