import Foundation
import Support
import Synchronization
import Testing
import Traffic

@Suite("What lenses read of hostile captures is inert in their places (X2)", .serialized, .timeLimit(.minutes(15)))
struct HostilePlacesPageTests {
    /// Scripts that take the copies of a lens's answers, `ids`, through its place; `look` takes what could be read there off what is unseen.
    private static let walks: [(lenses: [String], script: String)] = [
        (
            ["whatsopen"],
            """
            for (const id of ids) {
              go(`/facilities?q=id:${id}&at=2026-11-18T12:00`);
              await settled(`facilities of ${id}`);
              judge(`facilities of ${id}`);
              if (one('.absent')) continue;
              for (const button of all('tr.facility .twist-button').slice(0, 3)) {
                button.click();
                await until('the reasons', () => !isRead('.why:not([hidden])', 'Working it out'));
                judge(`reasons of ${id}`);
              }
              look('#place');
            }
            // The newest of each kind together: alerts stand over the facilities.
            go(`/facilities?q=id:${ids.join()}&at=2026-11-20T14:00`);
            await settled('the alerts');
            judge('alerts');
            look('#place');
            """
        ),
        (
            ["meetings"],
            """
            for (const id of ids) {
              for (const day of ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']) {
                go(`/meetings?q=id:${id}&day=${day}&zone=UTC`);
                await settled(`meetings of ${id}`);
                judge(`meetings of ${id}`);
                if (one('.absent')) break;
                look('#place');
              }
              const hidden = one('.hidden-meetings');
              if (hidden?.querySelector('.rest') && !hidden.hidden) {
                hidden.open = true;
                await until('the hidden ones', () => hidden.querySelector('.rest').hasChildNodes());
                judge(`hidden meetings of ${id}`);
              }
            }
            """
        ),
        (
            ["ckan", "notices"],
            """
            for (const id of ids) {
              go(`/datasets?q=id:${id}`);
              await settled(`datasets of ${id}`);
              all('.card details').forEach((details) => { details.open = true; });
              judge(`datasets of ${id}`);
              look('#place');
            }
            """
        ),
        (
            ["cloudkit"],
            """
            for (const id of ids) {
              go(`/menus?q=id:${id}`);
              await settled(`menus of ${id}`);
              for (const name of all('[aria-label=Day] button').map((button) => button.dataset.value)) {
                one(`[aria-label=Day] [data-value="${name}"]`).click();
                await settled('the day');
                all('.menu-tree details').forEach((details) => { details.open = true; });
                for (const food of all('.food').slice(0, 2)) {
                  food.click();
                  await settled('the food');
                  judge(`food of ${id}`);
                }
                judge(`menus of ${id}, ${name}`);
                look('#place');
              }
            }
            """
        ),
    ]

    /// Each exchange decoded, and what breaks the rules in all of them.
    private static let others = """
        for (const id of ids) {
          go(`/exchanges/${id}#decoded`);
          await until(`exchange ${id}`, () => one('#detail .detail-head') && document.title.startsWith(`${id} `) && one('#tab-decoded')?.getAttribute('aria-selected') === 'true' && one('.decoded')?.hasChildNodes() && !one('#panel [role=status]'));
          press('Unfold all', one('#panel'));
          all('#panel details').forEach((details) => { details.open = true; });
          judge(`decoded ${id}`);
          look('#panel');
        }
        for (const by of ['rule', 'exchange']) {
          go('/findings?' + new URLSearchParams({ q: `id:${ids.join()}`, by }));
          await settled('the findings');
          all('.findings details').forEach((details) => { details.open = true; });
          judge(`findings by ${by}`);
        }
        if (ids.length > 1) {
          go(`/compare?left=${ids[0]}&right=${ids[1]}`);
          await until('the comparison', () => one('.compare-result .sides'));
          judge('comparison');
          look('.compare-result');
        }
        """

    @Test(
        "Facilities, meetings, datasets and menus made of payloads: nothing runs, nothing is asked for, and they can be read"
    )
    func places() async throws { try await Self.places(oneIn: 6, copies: 2) }

    /// Takes so many answers of each kind, made of payloads, through their places, and one in so many through what shows any exchange.
    static func places(oneIn share: Int, copies copyCount: Int = 3) async throws {
        let beacon = try await LoopbackOrigin.start { _ in LoopbackOrigin.Reply(consuming: 0, .close) }
        // A text of four thousand letters says nothing that a shorter one does not.
        let payloads = HostilePayloads.all.filter { $0.utf8.count < 1_000 }
            .map { $0.replacing("BEACON", with: "http://127.0.0.1:\(beacon.port)/x") }
        let copies = Mutex<[String: [ExchangeID]]>([:])
        try await PlacesPage.with(
            .nothing,
            preparing: { path in
                let capture = try await HostileLensCapture(payloads, copies: copyCount, in: path)
                copies.withLock { $0 = capture.copies }
            }
        ) { page in
            let copies = copies.withLock { $0 }
            let browser = page.browser
            try await browser.emulate(Browser.Screen(name: "tall", width: 1_600, height: 3_000, isDark: false))
            try await HostileWatch.install(in: browser)
            try await page.open("/", until: "document.querySelectorAll('[data-id]').length > 5")
            let json = String(decoding: try JSONSerialization.data(withJSONObject: payloads), as: UTF8.self)
            let steps = """
                \(HostileWatch.steps)
                const payloads = \(json);
                let unseen = payloads.map(plain);
                const look = (selector) => {
                  const text = plain(all(selector).map((element) => element.textContent).join('\\n'));
                  unseen = unseen.filter((payload) => !text.includes(payload));
                };
                """
            for (lenses, script) in Self.walks {
                let ids = lenses.flatMap { copies[$0] ?? [] }
                #expect(ids.count >= 2, "\(lenses)")
                var seen = 0
                for (walk, share) in [(script, 1), (Self.others, share)] {
                    let taken = ids.enumerated().filter { $0.offset % share == 0 }.map { "\($0.element)" }
                    let told = try await browser.result(
                        of:
                            "\(steps)\nconst ids = [\(taken.joined(separator: ","))];\n\(walk)\njudge('at the end');\nreturn payloads.length - unseen.length;"
                    )
                    seen = max(seen, Int(told) ?? 0)
                }
                #expect(seen >= 100, "\(lenses): only \(seen) payloads could be read")
            }
        }
        #expect(beacon.connections.isEmpty)
    }
}
