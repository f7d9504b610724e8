import Foundation
import NIOCore
import Store
import Support
import Testing
import Traffic
import Web

@Suite("Captured content on the page is inert (X2)", .serialized, .timeLimit(.minutes(15)))
struct HostilePageTests {
    private static let facts: @Sendable ([UInt8]) -> CertificateFacts? = { der in
        let payload = String(decoding: der, as: UTF8.self)
        return CertificateFacts(
            subject: payload,
            issuer: payload,
            names: [payload],
            notBefore: 0,
            notAfter: 0,
            serial: payload,
            sha256: payload,
            key: payload,
            signature: payload
        )
    }

    /// What a test has at hand: the page, a browser with the watch in it, and the payloads as the store has them.
    struct Scene: Sendable {
        let browser: Browser
        let page: RunningPage
        let payloads: [String]

        /// Opens the page.
        func open() async throws {
            try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
            try await browser.wait(until: "document.querySelectorAll('[data-id]').length > 5")
        }

        /// Takes some payloads, with their places from 1, through a part of the page.
        ///
        /// - Parameters:
        ///   - number: payloads that one script goes through.
        ///   - share: each payload is taken through one of so many parts where a script asks `isMine`.
        ///   - script: the body of an async function that has `HostileWatch.steps`, `payloads`, `first`, the place of the first, and
        ///     `isMine(place, at)`: whether the payload of a place is taken through the part of a number.
        /// - Throws: what the script or the watch has to say.
        func walk(_ number: Int, oneIn share: Int = 1, _ script: String) async throws {
            for first in stride(from: 0, to: payloads.count, by: number) {
                let part = Array(payloads[first..<min(first + number, payloads.count)])
                let json = String(decoding: try JSONSerialization.data(withJSONObject: part), as: UTF8.self)
                _ = try await browser.result(
                    of:
                        "\(HostileWatch.steps)\nconst payloads = \(json); const first = \(first + 1); const isMine = (place, at) => (place + at) % \(share) === 0;\n\(script)\njudge('at the end');"
                )
            }
        }
    }

    /// Runs a closure with a page whose store has every payload in every field; nobody may be asked and the console has to stay empty.
    ///
    /// - Parameters:
    ///   - payloads: the texts, `BEACON` in them.
    ///   - allows: lines of the console that belong to what is tested.
    ///   - record: records the exchanges.
    ///   - body: the closure.
    /// - Throws: what the closures throw.
    private static func with(
        _ payloads: [String] = HostilePayloads.fields,
        allows: @escaping @Sendable (String) -> Bool = { _ in false },
        recording record: @escaping @Sendable (RunningPage, [String]) async throws -> Void = { page, payloads in
            for (index, payload) in payloads.enumerated() {
                try await HostileCapture.record(payload, index, in: page.store)
            }
        },
        _ body: @escaping @Sendable (Scene) async throws -> Void
    ) async throws {
        let beacon = try await LoopbackOrigin.start { _ in LoopbackOrigin.Reply(consuming: 0, .close) }
        let known = payloads.map { $0.replacing("BEACON", with: "http://127.0.0.1:\(beacon.port)/x") }
        try await RunningPage.with(control: ReplayRecorder(), configure: { $0.readCertificate = Self.facts }) { page in
            try await record(page, known)
            try page.store.index()
            try await Browser.with { browser in
                try await browser.emulate(Browser.Screen(name: "tall", width: 1_600, height: 3_000, isDark: false))
                try await HostileWatch.install(in: browser)
                let scene = Scene(browser: browser, page: page, payloads: known)
                try await scene.open()
                try await body(scene)
                let said = try await browser.console().filter { !allows($0) }
                #expect(said.isEmpty, "the console: \(said)")
            }
        }
        #expect(beacon.connections.isEmpty)
    }

    @Test("There are two hundred payloads and more, none of them twice, for every field there is")
    func isMany() {
        let all = HostilePayloads.all
        #expect(all.count >= 200 && Set(all).count == all.count)
        #expect(HostilePayloads.families.count >= 12 && HostilePayloads.families.allSatisfy { $0.texts.count >= 5 })
        #expect(!all.contains { $0.contains("RUN") && !$0.contains("%52UN") })
        #expect(HostileCapture.fieldCount >= 40)
        #expect(all.allSatisfy { text in HostilePayloads.fields.contains { $0.contains(text) } })
    }

    @Test("The watch sees what a page would do that took the payloads for markup, or nothing of this proves anything")
    func watches() async throws {
        let html = "<!doctype html><title>careless</title><div id=place></div>"
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(html.utf8.count)\r\nConnection: close\r\n\r\n"
        let careless = try await LoopbackOrigin.start {
            LoopbackOrigin.Reply(consuming: $0.count, .send(Array((head + html).utf8)), .close)
        }
        let beacon = try await LoopbackOrigin.start { _ in LoopbackOrigin.Reply(consuming: 0, .close) }
        try await Browser.with { browser in
            try await HostileWatch.install(in: browser)
            try await browser.open("http://127.0.0.1:\(careless.port)/")
            for family in HostilePayloads.families {
                // What would take the careless page away ends the look at the rest.
                let texts = family.texts.filter { !$0.contains("http-equiv") }
                    .map { $0.replacing("BEACON", with: "http://127.0.0.1:\(beacon.port)/x") }
                let json = String(decoding: try JSONSerialization.data(withJSONObject: texts), as: UTF8.self)
                let missed = try await browser.result(
                    of: """
                        const place = document.getElementById('place');
                        const missed = [];
                        for (const text of \(json)) {
                          __told.length = 0;
                          place.innerHTML = text;
                          await new Promise((resolve) => setTimeout(resolve));
                          if (!__told.length) missed.push(text);
                          place.textContent = '';
                        }
                        return missed.join('\\n');
                        """
                )
                #expect(!family.isMarkup || missed.isEmpty, "\(family.name): \(missed)")
            }
            let scripts = [
                "window.__ran = 1", "alert(1)", "print()", "new Image().src = 'http://127.0.0.1:\(beacon.port)/x'",
            ]
            for script in scripts {
                let told = try await browser.result(
                    of: """
                        __told.length = 0;
                        const script = document.createElement('script');
                        script.textContent = `\(script)`;
                        document.body.append(script);
                        for (const end = performance.now() + \(Patience.seconds(5) * 1_000); __told.length < 2 && performance.now() < end;) await new Promise((resolve) => setTimeout(resolve, 5));
                        return __told.join('; ');
                        """
                )
                #expect(
                    told.contains("ran") || told.contains("called") || told.contains("asked for"),
                    "\(script): \(told)"
                )
            }
        }
        _ = try await beacon.connections("the picture") { !$0.isEmpty }
    }

    @Test(
        "Every payload in every field is read in a sixth of the detail's parts, in each layout of the list, in dialogs and findings: nothing runs, nothing is asked for"
    )
    func everywhere() async throws {
        try await Self.with(allows: Self.isRefusal) { scene in
            try await Self.walkFields(scene, oneIn: 6)
            // Up to here nothing is refused either.
            #expect(try await scene.browser.console() == [])
            try await scene.open()
            try await Self.walkPlaces(scene, oneIn: 6)
        }
    }

    /// Whether a line of the console tells that a query text was refused, since it cannot be read.
    private static let isRefusal: @Sendable (String) -> Bool = {
        $0.contains("status of 400") || $0.contains("status of 431")
    }

    /// Takes every payload in every field through one of so many of the detail's parts, beside the overview.
    static func everyField(oneIn share: Int) async throws {
        try await Self.with { scene in try await Self.walkFields(scene, oneIn: share) }
    }

    private static func walkFields(_ scene: Scene, oneIn share: Int) async throws {
        try await scene.walk(
            40,
            oneIn: share,
            """
            for (const [index, payload] of payloads.entries()) {
              const id = first + index;
              go(`/exchanges/${id}?q=id:1#overview`);
              await until(`exchange ${id}`, () => one('#panel dd')?.textContent === String(id));
              judge(`${id} overview`);
              if (!isRead('#detail', payload)) throw new Error(`payload ${id} is not to be read: ${payload}`);
              const tabs = ['request', 'response', 'messages', 'connection', 'problems'].filter((_, at) => isMine(id, at));
              for (const tab of [...tabs, ...(id % 20 ? [] : ['timing', 'decoded', 'replays'])]) {
                one(`#tab-${tab}`).click();
                await until(`${id} ${tab}`, () => one(`#tab-${tab}`)?.getAttribute('aria-selected') === 'true' && !one('#panel [role=status]')?.textContent.includes('…'));
                if (tab === 'request' || tab === 'response') {
                  await until('the body', () => one('.body-content .toolbar'));
                  press('Table', one('#panel'));
                  all('#panel details').forEach((details) => { details.open = true; });
                  judge(`${id} ${tab} parsed`);
                  press('Raw', one('#panel'));
                  // Another view of each body; all of them are drawn of bodies full of payloads.
                  const views = all('.body-section > .body > .body-content > .toolbar .segments button').filter(({ textContent }) => textContent !== 'Preview');
                  views[id % views.length].click();
                  await until('the view', () => one('.content').hasChildNodes() && !one('.content > [role=status]'));
                }
                if (tab === 'messages') {
                  for (const place of [0, 1]) {
                    await until('the messages', () => all('.message-row').length === 2);
                    all('.message-row')[place].click();
                    await until('a message', () => one('.message-open .content')?.hasChildNodes() && one('.message-head h3').textContent.startsWith(`Message ${place + 1},`));
                    if (!isRead('.message-open .problem', payload)) throw new Error(`message ${id} is not to be read`);
                  }
                }
                if (tab === 'connection') await until('the certificate', () => one('.certificate dd'));
                judge(`${id} ${tab}`);
              }
              if (id % 10 === 0) {
                press('Edit and replay', one('.actions'));
                await until('the form', () => one('dialog .edit-form'));
                judge(`${id} edit`);
                one('dialog').close();
                one('.copy-menu summary').click();
                judge(`${id} copy`);
              }
            }
            """
        )
    }

    @Test("Bodies of every kind full of payloads, in each of their views")
    func bodies() async throws {
        let chunk = 120
        try await Self.with(
            HostilePayloads.all,
            recording: { page, payloads in
                for first in stride(from: 0, to: payloads.count, by: chunk) {
                    let part = Array(payloads[first..<min(first + chunk, payloads.count)])
                    try await HostileCapture.recordBodies(part, from: first * 10, in: page.store)
                }
            }
        ) { scene in
            let count = try scene.page.store.list(ListingQuery(limit: 1, countsFacets: false)).exchanges.first?.id ?? 0
            #expect(count >= 60)
            _ = try await scene.browser.result(
                of: """
                    \(HostileWatch.steps)
                    for (let id = 1; id <= \(count); id += 1) {
                      go(`/exchanges/${id}?q=id:1#response`);
                      await until(`body ${id}`, () => document.title.startsWith(`${id} `) && one('.detail-head') && one('.body-content .toolbar')?.closest('#panel') && one('#tab-response').getAttribute('aria-selected') === 'true' && one('a[href*="/exchanges/' + id + '/response"]'));
                      for (const view of all('.body-section > .body > .body-content > .toolbar .segments button')) {
                        if (view.textContent === 'Preview') continue;
                        view.click();
                        await until(`view ${view.textContent} of ${id}`, () => one('.content').hasChildNodes() && !one('.content > [role=status]'));
                        all('.content details').forEach((details) => { details.open = true; });
                        if (view.textContent === 'Text') await until(`the text of ${id}`, () => one('.content').textContent.length > 1);
                        // A long body is drawn where it is looked at.
                        for (const place of all('.content .windowed')) {
                          for (let top = 0; top < place.scrollHeight; top += place.clientHeight) {
                            place.scrollTop = top;
                            await new Promise(requestAnimationFrame);
                          }
                        }
                        judge(`body ${id}, ${view.textContent}`);
                      }
                    }
                    judge('at the end');
                    """,
                within: 300
            )
        }
    }

    /// Lists every payload, and searches for and compares one in so many.
    static func everyPlace(oneIn share: Int) async throws {
        try await Self.with(allows: Self.isRefusal) { scene in try await Self.walkPlaces(scene, oneIn: share) }
    }

    private static func walkPlaces(_ scene: Scene, oneIn share: Int) async throws {
        for (index, payload) in scene.payloads.enumerated() {
            guard let name = try? Tag.name("saved\(index)"), !payload.contains("\n") else { continue }
            try scene.page.store.save(SavedSearch(name: name, query: payload))
        }
        _ = try await scene.browser.result(
            of:
                "\(HostileWatch.steps) all('#view-menu input[type=checkbox]:not(:checked, :disabled)').forEach((box) => box.click());"
        )
        try await scene.walk(25, Self.listed)
        try await scene.walk(40, oneIn: share, Self.searched)
        try await scene.walk(40, oneIn: share, Self.compared)
        _ = try await scene.browser.result(of: "\(HostileWatch.steps)\n\(Self.gathered)")
    }

    /// The list and the rail: a stretch of the exchanges at a time.
    private static let listed = """
        for (const layout of ['cards', 'compact', 'table']) {
          one(`#view-menu input[value=${layout}]`).click();
          go(`/?q=id:${first}..${first + payloads.length - 1}`);
          await until(`the rows of ${layout}`, () => all('[data-id]').length === payloads.length && one(`[data-id="${first}"]`));
          judge(layout);
        }
        payloads.forEach((payload) => { if (!isRead('[data-id]', payload)) throw new Error(`not in the list: ${payload}`); });
        await until('the categories', () => all('.facet-host .value').length > 0);
        for (const button of all('.rail .more')) if (!button.hidden && button.textContent.startsWith('Show all')) button.click();
        await until('all hosts', () => all('.facet-host .value').length >= payloads.length - 2);
        judge('categories');
        """

    /// The search box: each payload as a phrase, as a query, as a wanted host and among the searches of before.
    private static let searched = """
        for (const [index, payload] of payloads.entries()) {
          if (payload.length > 2_000 || !isMine(first + index, 0)) continue;
          const bare = payload.replace(/[\\r\\n]/g, '');
          const phrase = `"${bare.replace(/["\\\\]/g, '\\\\$&')}"`;
          go('/?' + new URLSearchParams({ q: phrase }));
          await until(`the phrase ${payload}`, () => isRead('#chips', phrase));
          go('/?' + new URLSearchParams({ q: bare }));
          await until(`the query ${payload}`, () => one('#query').value === bare.trim() || one('#query').value === bare);
          const host = payload.replace(/[",]/g, '') || 'x';
          go('/?' + new URLSearchParams([['host', host], ['tag', 'x']]));
          await until(`the host ${payload}`, () => isRead('#chips', host));
          judge(`search for ${payload}`);
        }
        localStorage.setItem('inspect.search.recent', JSON.stringify(payloads));
        go('/');
        const box = one('#query');
        box.focus();
        box.dispatchEvent(new Event('click'));
        await until('the searches of before', () => one('[role=option]'));
        judge('suggestions');
        box.value = payloads[0];
        box.dispatchEvent(new Event('input'));
        await until('what is wrong with it, or what it means', () => all('.suggest p').some((line) => !line.hidden && line.textContent));
        judge('reading');
        box.value = '';
        box.blur();
        """

    /// Pairs of exchanges beside each other.
    private static let compared = """
        for (let id = first; id < first + payloads.length - 1; id += 2) {
          if (!isMine((id - first) / 2, 1)) continue;
          go(`/compare?left=${id}&right=${id + 1}`);
          await until(`the comparison of ${id}`, () => all('.compare-result .sides .to-exchange').map((link) => link.textContent).join() === `exchange ${id},exchange ${id + 1}`);
          judge(`comparison of ${id}`);
        }
        if (!isRead('.compare-result', payloads[0]) && payloads.length < 2) throw new Error('not compared');
        """

    /// What shows many at once.
    private static let gathered = """
        go('/compare?left=id:1..150&right=id:151..400');
        await until('the sets', () => one('.compare-result .sets tbody tr'));
        judge('sets');
        go('/findings');
        await until('the findings', () => one('.findings .rule, .findings .sum')?.textContent && !one('.place-notice p'));
        all('.findings details').forEach((details) => { details.open = true; });
        judge('findings');
        go('/findings?by=exchange');
        await until('the findings by exchange', () => !one('.place-notice p'));
        all('.findings details').forEach((details) => { details.open = true; });
        judge('findings by exchange');
        go('/?' + new URLSearchParams({ q: '"<svg onload=window.__ran=1>"' }));
        await until('the rows', () => one('.chip'));
        for (const key of ['e', 's', 'x', '?']) {
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
          await until(`the dialog of ${key}`, () => one('dialog[open]'));
          judge(`dialog ${key}`);
          one('dialog').close();
          await until('it to close', () => !one('dialog'));
        }
        """
}
