import Foundation
import Testing

@Suite("The findings of a check, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct FindingsPageTests {
    private static let rules = "document.querySelectorAll('#place .rule').length"

    @Test("They stand by rule or by exchange, breaches or notices, and are found by words")
    func list() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            try await page.open("/findings", until: "document.querySelector('.rule')")
            #expect(try await page.nameless(in: "#place") == "")
            let told = try await page.value(
                """
                await ask('check').then(({ rules }) => [
                  rules.length, ...['breach', 'notice'].flatMap((one) => {
                    const counts = rules.filter(({ severity }) => severity === one).map(({ count }) => count);
                    return [counts.length, counts.reduce((sum, count) => sum + count, 0)];
                  }),
                ].join())
                """
            ).split(separator: ",").map(String.init)
            try #require(told.count == 5)
            let (number, breached) = (told[0], told[1])
            #expect(try await browser.text(Self.rules) == number)
            #expect(
                try await browser.text("document.querySelector('.sum').textContent").hasPrefix(
                    "\(told[2]) breaches of \(breached) rules and \(told[4]) notices of \(told[3]) rules in "
                )
            )
            _ = try await browser.run(
                "const select = document.querySelector('.controls select'); select.value = 'breach'; select.dispatchEvent(new Event('change'))"
            )
            try await browser.wait(until: "\(Self.rules) === \(breached)")
            try await browser.run("document.querySelector('.controls [data-value=exchange]').focus()")
            try await browser.press("Enter")
            try await browser.wait(
                until: "document.querySelector('.rule[data-exchange]') && location.search.includes('by=exchange')"
            )
            // The button that was pressed keeps the focus and says so; a box that is gone by the time that its typing rests chooses nothing.
            #expect(
                try await browser.text("document.activeElement.dataset.value + document.activeElement.ariaPressed")
                    == "exchangetrue"
            )
            try await browser.run(
                """
                const box = document.querySelector('.controls input[type=search]');
                box.value = 'gone';
                box.dispatchEvent(new Event('input'));
                document.querySelector('#places a[href^="/findings"]').click();
                setTimeout(() => { window.isRested = true; }, 400);
                """
            )
            try await browser.wait(until: "window.isRested")
            #expect(try await browser.text("location.search + document.querySelector('.controls input').value") == "")
            try await browser.click(".controls [data-value=exchange]")
            try await page.write("T10", into: ".controls input[type=search]")
            try await browser.wait(until: "location.search.includes('search=T10')")
            let findings = "[...document.querySelectorAll('.rule .found > li')]"
            try await browser.wait(
                until:
                    "\(findings).length > 0 && \(findings).every((one) => /T10/i.test(one.textContent + one.closest('.rule').textContent))"
            )
        }
    }

    @Test("A finding leads to its place: the body's tree is unfolded down to it, and it is marked")
    func jump() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            // Of every rule one finding that points at a value of a response.
            let places = try await page.value(
                """
                await (async () => {
                  const found = [];
                  for (const { rule, findings } of (await ask('check')).rules) {
                    for (const { exchange, side, pointer } of findings.slice(0, 3)) {
                      if (side !== 'response' || pointer.split('/').length < 3) continue;
                      const body = await page(`/api/v1/exchanges/${exchange}/response/body?decoded=1`);
                      let value = await body.json().catch(() => undefined);
                      for (const step of pointer.split('/').slice(1)) value = value?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
                      if (value === undefined || value === null || typeof value === 'object') continue;
                      found.push([rule, exchange, pointer, JSON.stringify(value).slice(0, 40)].join('\\u0001'));
                      break;
                    }
                  }
                  return found.slice(0, 4).join('\\u0002');
                })()
                """
            ).split(separator: "\u{2}").map { $0.split(separator: "\u{1}").map(String.init) }
            #expect(places.count == 4)
            try await page.open("/findings", until: "document.querySelector('.rule')")
            let marked = "document.querySelector('#detail .pointed').textContent"
            var addresses: [(address: String, value: String)] = []
            for (index, place) in places.enumerated() {
                let (rule, id, pointer, value) = (place[0], place[1], place[2], place[3])
                let link = """
                    [...document.querySelectorAll('.rule[data-rule="\(rule)"] a')].find((one) => decodeURI(one.hash) === '#response:\(pointer)' && one.pathname === '/exchanges/\(id)')
                    """
                guard index == places.count - 1 else {
                    let address = try await browser.text("\(link).pathname + \(link).search + \(link).hash")
                    addresses.append((address, value))
                    continue
                }
                // The last is followed.
                try await browser.run("const link = \(link); link.closest('details').open = true; link.click()")
                try await browser.wait(until: "document.querySelector('#detail .pointed')")
                #expect(try await browser.text(marked).contains(value), "\(rule) \(id) \(pointer)")
                #expect(try await browser.text("location.pathname") == "/exchanges/\(id)")
                let address = try await browser.text("location.pathname + location.search + location.hash")
                addresses.append((address, value))
            }
            // The address by itself leads to each.
            for (address, value) in addresses {
                try await browser.open("about:blank")
                try await page.open(address, until: "document.querySelector('#detail .pointed')")
                #expect(try await browser.text(marked).contains(value), "\(address)")
            }
        }
    }

    @Test(
        "What a lens reads has parts to go to, tables to scroll, trees to fold, and findings that lead to their place"
    )
    func decoded() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            let id = try await page.value(
                "(await ask('exchanges?q=' + encodeURIComponent('path:/whatsopen/v2/facilities code:200 method:GET lens:whatsopen'))).exchanges.find(({ responseBytes }) => responseBytes > 20000).id"
            )
            try await page.open("/exchanges/\(id)#decoded", until: "document.querySelector('.decoded .wide tbody tr')")
            try await browser.wait(until: "document.querySelector('.decoded .found a')")
            #expect(try await page.nameless(in: ".decoded") == "")
            let panel = "document.querySelector('.panel')"
            #expect(try await browser.text("\(panel).scrollWidth <= \(panel).clientWidth") == "true")
            _ = try await browser.run(
                "[...document.querySelectorAll('.decoded .found a')].find((one) => one.hash.includes(':/')).click()"
            )
            try await browser.wait(until: "document.querySelector('#detail .pointed')")
            let menus = try await page.value(
                "(await ask('exchanges?q=' + encodeURIComponent('path:/records/query code:200 lens:cloudkit'))).exchanges.find(({ responseBytes }) => responseBytes > 20000).id"
            )
            try await page.open(
                "/exchanges/\(menus)#decoded",
                until: "document.querySelector('.decoded .nodes details')"
            )
            #expect(
                try await browser.text("document.querySelectorAll('.decoded .sections button').length > 3") == "true"
            )
            _ = try await browser.run(
                "[...document.querySelectorAll('.tree-tools button')].find((one) => one.textContent === 'Unfold all').click()"
            )
            #expect(
                try await browser.text(
                    "[...document.querySelector('.tree-tools').nextElementSibling.querySelectorAll('details')].every(({ open }) => open)"
                ) == "true"
            )
        }
    }

    /// Has each question for a check wait for the lines that a test gives it, in `checks`.
    private static let told = """
        window.checks = [];
        const real = window.fetch;
        window.fetch = (path, options) => {
          if (!String(path).startsWith('/api/v1/check?')) return real(path, options);
          const check = { path: String(path), isGivenUp: false };
          const body = new ReadableStream({ start(stream) {
            check.say = (line) => stream.enqueue(new TextEncoder().encode(JSON.stringify(line) + '\\n'));
            check.end = () => stream.close();
            options.signal.addEventListener('abort', () => {
              if (check.isEnded) return;
              check.isGivenUp = true;
              stream.error(options.signal.reason);
            });
          } });
          window.checks.push(check);
          return Promise.resolve(new Response(body));
        };
        window.rule = (name, exchanges, findings) => ({
          rule: name, title: `it is no ${name}`, severity: 'breach', consequence: 'It is one.', count: exchanges, exchanges,
          findings: Array.from({ length: findings }, (_, at) => ({
            exchange: at + 1, method: 'GET', url: 'https://api.example.test/a', side: 'response', pointer: '', message: `Number ${at}.`, more: 0, consequence: 'It is one.',
          })),
        });
        """

    @Test(
        "A check that takes long says how far it is and what it has found, and leaves what is read or pointed at where it is"
    )
    func underWay() async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('#places a[href=\"/findings\"]')")
                try await browser.run(Self.told)
                try await browser.click("#places a[href='/findings']")
                try await browser.wait(until: "checks.length === 1")
                #expect(try await browser.text("checks[0].path") == "/api/v1/check?progress=true")
                try await browser.run(
                    "checks[0].say({ looked: 3, total: 2000, exchanges: 3, checked: 3, rules: [rule('A', 2, 2)] })"
                )
                try await browser.wait(until: "document.querySelector('.broken[data-rule=A]')")
                let way = "document.querySelector('.under-way')"
                #expect(
                    try await browser.text("\(way).querySelector('.sum').textContent")
                        == "Looked at 3 of 2,000 exchanges; 1 rule is broken so far."
                )
                #expect(
                    try await browser.text(
                        "[\(way).querySelector('progress').value, \(way).querySelector('progress').max].join()"
                    ) == "3,2000"
                )
                #expect(try await browser.run(AccessibilityAudit.script) as? [String] == [])
                try await browser.run(
                    """
                    window.first = document.querySelector('.broken[data-rule=A]');
                    first.open = true;
                    first.querySelector('summary').focus();
                    checks[0].say({ looked: 900, total: 2000, exchanges: 900, checked: 900, rules: [rule('B', 700, 5), rule('A', 4, 4)] });
                    """
                )
                try await browser.wait(until: "document.querySelector('.broken[data-rule=B]')")
                // Though B is broken more often now.
                #expect(
                    try await browser.text(
                        "[...document.querySelectorAll('.broken')].map(({ dataset }) => dataset.rule).join()"
                    )
                        == "A,B"
                )
                #expect(
                    try await browser.text(
                        "[first.isConnected, document.activeElement === first.firstChild, first.querySelector('.times').textContent, first.querySelectorAll('.found > li').length].join()"
                    ) == "true,true,4 in 4 exchanges,4"
                )
                try await browser.run(
                    """
                    checks[0].isEnded = true;
                    checks[0].say({
                      holds: false, query: 'all exchanges', searchedInPart: 0, exchanges: 2000, checked: 2000, notDescribed: 0,
                      rules: [rule('B', 1000, 9), rule('A', 5, 5)], changed: 0, changes: [], unchecked: [],
                    });
                    checks[0].end();
                    """
                )
                try await browser.wait(
                    until: "document.querySelectorAll('.rule').length === 2 && !document.querySelector('.broken')"
                )
                #expect(
                    try await browser.text(
                        "[...document.querySelectorAll('.rule')].map(({ dataset, open }) => dataset.rule + open).join()"
                    )
                        == "Bfalse,Atrue"
                )
                #expect(try await browser.text("document.activeElement.parentElement.dataset.rule") == "A")
                #expect(
                    try await browser.text("document.querySelector('.rule summary').textContent").contains(
                        "it is no B B 1,000 in 1,000 exchanges as in 1: Number 0."
                    )
                )
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("A check under way is given up when the filter changes and when the place is left")
    func givenUp() async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('#places a[href=\"/findings\"]')")
                try await browser.run(Self.told)
                try await browser.click("#places a[href='/findings']")
                try await browser.wait(until: "checks.length === 1")
                try await browser.run(
                    "checks[0].say({ looked: 3, total: 9, exchanges: 3, checked: 3, rules: [rule('A', 2, 2)] })"
                )
                try await browser.wait(until: "document.querySelector('.broken')")
                try await browser.run(
                    "const box = document.getElementById('query'); box.value = 'code:200'; box.form.requestSubmit()"
                )
                try await browser.wait(until: "checks.length === 2 && checks[0].isGivenUp")
                #expect(try await browser.text("checks[1].path").contains("code"))
                // What the check before has found is not under this filter.
                #expect(
                    try await browser.text("document.querySelectorAll('.broken').length + ' ' + checks[1].isGivenUp")
                        == "0 false"
                )
                try await browser.run("checks[1].say({ looked: 3, total: 9, exchanges: 2, checked: 2, rules: [] })")
                try await browser.wait(
                    until:
                        "document.querySelector('.under-way .sum')?.textContent === 'Looked at 3 of 9 exchanges, of which the filter selects 2; nothing found so far.'"
                )
                try await browser.click("#places a")
                try await browser.wait(until: "checks[1].isGivenUp && document.querySelector('tr[data-id]')")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test(
        "A check that breaks off leaves no bar behind, and the controls say what the list shows, however one came there"
    )
    func brokenOff() async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('#places a[href=\"/findings\"]')")
                try await browser.run(Self.told)
                try await browser.click("#places a[href='/findings']")
                try await browser.wait(until: "checks.length === 1")
                try await browser.run(
                    "checks[0].say({ looked: 3, total: 9, exchanges: 3, checked: 3, rules: [rule('A', 2, 2)] })"
                )
                try await browser.wait(until: "document.querySelector('.under-way progress')")
                try await browser.run("checks[0].isEnded = true; checks[0].end()")
                try await browser.wait(
                    until: "document.querySelector('#place .problem')?.textContent === 'The check broke off.'"
                )
                #expect(try await browser.text("document.querySelectorAll('.under-way').length") == "0")
                try await browser.run("document.querySelector('#places a').click()")
                try await browser.wait(until: "location.pathname === '/'")
                try await browser.click("#places a[href='/findings']")
                try await browser.wait(until: "checks.length === 2")
                try await browser.run(
                    """
                    const check = checks[1];
                    check.isEnded = true;
                    check.say({
                      holds: false, query: 'all exchanges', searchedInPart: 0, exchanges: 9, checked: 9, notDescribed: 0,
                      rules: [rule('A', 2, 2), { ...rule('B', 1, 1), severity: 'notice' }], changed: 0, changes: [], unchecked: [],
                    });
                    check.end();
                    """
                )
                try await browser.wait(until: "\(Self.rules) === 2")
                let select = "document.querySelector('.controls select')"
                try await browser.run("\(select).value = 'breach'; \(select).dispatchEvent(new Event('change'))")
                try await browser.wait(until: "\(Self.rules) === 1 && location.search === '?severity=breach'")
                try await browser.run(
                    """
                    const box = document.querySelector('.controls input[type=search]');
                    box.focus();
                    box.value = 'A';
                    box.dispatchEvent(new Event('input'));
                    """
                )
                // Whoever writes there goes on.
                try await browser.wait(until: "location.search.includes('search=A')")
                #expect(try await browser.text("document.activeElement.type") == "search")
                try await browser.click("#places a[href='/findings']")
                try await browser.wait(until: "\(Self.rules) === 2")
                #expect(
                    try await browser.text(
                        "[\(select).value, document.querySelector('.controls input[type=search]').value].join()"
                    ) == ","
                )
            }
        }
    }
}
