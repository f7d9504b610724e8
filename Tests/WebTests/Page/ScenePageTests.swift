import Foundation
import Testing

/// Every view of the page, light and dark, on a desk, in a hand and on a wall: looked through by the audit and pictured.
@Suite("Views of the page", .timeLimit(.minutes(15)))
struct ScenePageTests {
    @Test(
        "Each view is accessible and fits on a screen of each size, says nothing on the console, and has a picture on two of them"
    )
    func scenes() async throws {
        // What is on the phone is on the desk as well, where it is looked at in both themes.
        try await Self.look(
            on: [.desktop, .darkDesktop, .darkPhone, .wall],
            picturing: [.desktop, .darkPhone],
            loadingForEach: false
        )
    }

    /// Looks through every view on some screens; the pictures are left in .build/screenshots.
    ///
    /// - Parameters:
    ///   - screens: the screens.
    ///   - pictured: those of which pictures are taken.
    ///   - isLoadedForEach: whether a view is loaded for each screen; else once, and the screen changes under it.
    /// - Throws: what the browser throws.
    static func look(
        on screens: [Browser.Screen] = Browser.Screen.all,
        picturing pictured: [Browser.Screen],
        loadingForEach isLoadedForEach: Bool
    ) async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            for scene in Scene.all {
                for (place, screen) in screens.enumerated() {
                    try await browser.emulate(screen)
                    if isLoadedForEach && place > 0 { try await browser.open("about:blank") }
                    if isLoadedForEach || place == 0 {
                        try await page.open(scene.place, until: scene.isReady)
                        if let script = scene.script { try await browser.run(script) }
                    }
                    try await browser.wait(until: scene.isReady)
                    if let script = scene.scriptOfScreen { try await browser.run(script) }
                    let found = try await browser.run(AccessibilityAudit.script) as? [String]
                    #expect(found == [], "\(scene) on \(screen)")
                    let notice = try await browser.text("document.getElementById('notice').textContent")
                    #expect(notice == "", "\(scene) on \(screen)")
                    if pictured.contains(where: { $0.name == screen.name }) {
                        try await Picture(of: browser).keep("\(scene)-\(screen)", sized: screen)
                    }
                }
                #expect(try await browser.console() == [], "\(scene)")
            }
        }
    }

    @Test(
        "The audit finds what is planted: a control without a name, an unknown role, a faint text, a broken reference, a wide page"
    )
    func audit() async throws {
        try await RunningPage.with { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('h2')")
                #expect(try await browser.run(AccessibilityAudit.script) as? [String] == [])
                _ = try await browser.run(
                    """
                    const put = (tag, attributes, text) => {
                      const element = document.createElement(tag);
                      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
                      element.textContent = text;
                      document.querySelector('main').prepend(element);
                      return element;
                    };
                    put('button', {}, '');
                    put('p', { role: 'pane' }, 'pane');
                    put('p', {}, 'faint').style.color = 'rgb(160, 160, 160)';
                    put('div', { role: 'tab', 'aria-selected': 'true', 'aria-controls': 'nowhere' }, 'tab');
                    put('h5', {}, 'deep');
                    document.body.append(put('p', {}, 'wide'));
                    document.body.lastElementChild.style.cssText = 'position: absolute; width: 5000px';
                    document.body.style.overflow = 'visible';
                    """
                )
                let found = try #require(try await browser.run(AccessibilityAudit.script) as? [String])
                for rule in ["name", "role", "contrast", "reference", "context", "headings", "reflow"] {
                    #expect(found.contains { $0.hasPrefix("\(rule):") }, "\(rule) in \(found)")
                }
            }
        }
    }

    @Test(
        "The tab key reaches every control of the page in the order of the document, shows where it is, and comes round"
    )
    func focusOrder() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            try await page.open(
                "/exchanges/8#request",
                until: "document.querySelector('[role=tabpanel]')?.innerText.trim()"
                    + " && document.querySelector('tr[data-id]')"
                    + " && !document.getElementById('strip').hidden && document.querySelector('#strip canvas')"
                    // A control that comes while the key walks comes too late for the walk.
                    + " && document.querySelector('#tools button') && document.querySelector('#rail .value input')"
            )
            _ = try await browser.run(
                """
                window.walk = [];
                window.faults = [];
                document.addEventListener('focusin', ({ target }) => {
                  const before = walk.at(-1);
                  if (before && target.compareDocumentPosition(before) & Node.DOCUMENT_POSITION_FOLLOWING && !walk.includes(target)) {
                    faults.push('goes back to ' + (target.id || target.outerHTML.slice(0, 80)));
                  }
                  const style = getComputedStyle(target);
                  if (style.outlineStyle === 'none' && style.boxShadow === 'none' && !target.matches('.split')) {
                    faults.push('does not show the focus: ' + (target.id || target.outerHTML.slice(0, 80)));
                  }
                  walk.push(target);
                });
                """
            )
            try await browser.press("Tab", times: 150)
            #expect(try await browser.run("return faults") as? [String] == [])
            let missed = try await browser.run(
                """
                const reached = new Set(walk);
                const isRoving = (element) => element.closest('[role=tablist], [role=tree], [role=toolbar], [role=menu], [role=listbox]');
                return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
                  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled && element.tabIndex >= 0 && !isRoving(element))
                  .filter((element) => !reached.has(element)).map((element) => element.id || element.outerHTML.slice(0, 80));
                """
            )
            #expect(missed as? [String] == [])
        }
    }
}
