import Foundation
import Testing

@Suite("Two sides compared, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct ComparePageTests {
    private static let number = "document.querySelectorAll('.compare-result .diff').length"

    /// Two captures of an endpoint between which a lens sees a change, and its first sentence.
    private struct Pair {
        let left: String
        let right: String
        let sentence: String

        init(on page: PlacesPage) async throws {
            let told = try await page.value(
                "(await ask('check?limit=1')).changes.map((one) => [one.before, one.after, one.changes[0]].join('|'))[0]"
            ).split(separator: "|").map(String.init)
            try #require(told.count >= 3)
            (left, right, sentence) = (told[0], told[1], told[2])
        }

        /// The address of their comparison.
        var address: String { "/compare?left=\(left)&right=\(right)" }
    }

    @Test(
        "The lens's words come first, then heads and bodies; keys walk the differences, noise is passed over, and sets stand in a table"
    )
    func compares() async throws {
        // One program and one page: to find the pair, all that was recorded is checked.
        try await PlacesPage.with { page in
            let pair = try await Pair(on: page)
            try await Self.two(pair, page)
            try await Self.walk(pair, page)
            try await Self.noise(pair, page)
            try await Self.sets(pair, page)
        }
    }

    /// The lens's words come first, heads stand line by line with what is the same folded, JSON by its structure.
    private static func two(_ pair: Pair, _ page: PlacesPage) async throws {
        let browser = page.browser
        try await page.open(pair.address, until: "document.querySelector('.diff')")
        #expect(try await page.nameless(in: "#place") == "")
        #expect(try await browser.text("document.querySelector('.compare-result .diff').textContent") == pair.sentence)
        #expect(try await browser.text("document.querySelectorAll('.beside').length") == "2")
        let lines = "document.querySelectorAll('.beside .pair:not(.folded-lines)').length"
        let folded = try await browser.text(lines)
        try await browser.click(".beside .fold-lines")
        let unfolded = try await browser.text(lines)
        #expect(try #require(Int(folded)) < #require(Int(unfolded)))
        let told = try await page.value(
            "(await ask('diff?left=\(pair.left)&right=\(pair.right)')).comparisons[0].differences.filter(({ part }) => part === 'json').length"
        )
        #expect(try await browser.text("document.querySelectorAll('.json-diff .change').length") == told)
        // In the bar while it is open.
        #expect(try await browser.text("document.querySelector('#places [aria-current]').textContent") == "Compare")
    }

    /// Keys walk from difference to difference of the comparison that is open, and the sides change places.
    private static func walk(_ pair: Pair, _ page: PlacesPage) async throws {
        let browser = page.browser
        let number = try await browser.text(Self.number)
        let status = "document.querySelector('.walk [role=status]').textContent"
        try await browser.press("n")
        #expect(try await browser.text(status) == "1 of \(number)")
        #expect(try await browser.text("document.activeElement === document.querySelector('.diff.at')") == "true")
        try await browser.press("n")
        #expect(try await browser.text(status) == "2 of \(number)")
        _ = try await browser.run(
            "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'N', bubbles: true }))"
        )
        #expect(try await browser.text(status) == "1 of \(number)")
        let removed = "[...document.querySelectorAll('.json-diff del')].map((one) => one.textContent).join()"
        let added = "[...document.querySelectorAll('.json-diff ins')].map((one) => one.textContent).join()"
        let before = try await browser.text(removed)
        _ = try await browser.run(
            "[...document.querySelectorAll('.compare-form button')].find((one) => one.textContent === 'Swap sides').click()"
        )
        try await browser.wait(
            until: "location.search.includes('left=\(pair.right)') && document.querySelector('.diff')"
        )
        try await browser.wait(until: "\(Self.number) > 0")
        #expect(try await browser.text(added) == before)
    }

    /// What is declared to be noise is passed over and said; what is passed over by default can be counted.
    private static func noise(_ pair: Pair, _ page: PlacesPage) async throws {
        let browser = page.browser
        try await page.open(pair.address, until: "document.querySelector('.diff')")
        let all = try #require(Int(try await browser.text(Self.number)))
        try await page.write("json:$..modified", into: ".compare-form [name=ignore]")
        try await browser.press("Enter")
        try await browser.wait(
            until: "document.querySelector('.compare-result').innerText.includes('json:$..modified')"
        )
        #expect(try #require(Int(try await browser.text(Self.number))) < all)
        #expect(try await browser.text("location.search").contains("ignore="))
        try await page.open(
            "\(pair.address)&all=yes",
            until: "document.querySelector('.compare-result .diff')"
        )
        #expect(try #require(Int(try await browser.text(Self.number))) > all)
        try await page.open(
            "\(pair.address)&ignore=nonsense",
            until: "document.querySelector('.compare-result .problem')"
        )
        #expect(
            try await browser.text("document.querySelector('.problem').textContent")
                == "ignore: 'nonsense' is nothing to ignore; expected header:NAME, json:$.PATH or query:NAME"
        )
        #expect(try await browser.refusedStatuses() == [400])
    }

    /// Two sets stand in a table of what differs, each pair with the way to both sides.
    private static func sets(_ pair: Pair, _ page: PlacesPage) async throws {
        let browser = page.browser
        try await page.open(
            "/compare?left=id:\(pair.left)&right=id:\(pair.right)",
            until: "document.querySelector('.sets tr.changed')"
        )
        #expect(try await browser.text("document.querySelector('.sets tr.changed').innerText").contains(pair.sentence))
        try await browser.click(".sets tr.changed td:last-child a")
        try await browser.wait(until: "document.querySelector('.said')")
        #expect(try await browser.text("location.search") == "?left=\(pair.left)&right=\(pair.right)")
        try await page.open("/compare?left=code:404&right=code:404", until: "document.querySelector('.same')")
        #expect(
            try await browser.text("document.querySelector('.same').textContent")
                == "The two sides have no relevant difference."
        )
        #expect(try await browser.text(Self.number) == "0")
        try await browser.emulate(.phone)
        try await page.open(pair.address, until: "document.querySelector('.diff')")
        #expect(
            try await browser.text(
                "document.querySelector('#place').scrollWidth <= document.querySelector('#place').clientWidth"
            ) == "true"
        )
    }

    @Test(
        "Noise is learnt by sending the left request twice, and is not passed over in another comparison that is open by then"
    )
    func learns() async throws {
        try await PlacesPage.with(.running) { page in
            let pair = try await Pair(on: page)
            try await Self.learning(pair, page)
            try await Self.learningLate(pair, page)
        }
    }

    private static let learn =
        "[...document.querySelectorAll('.compare-form button')].find((one) => one.textContent === 'Learn the noise').click();"

    /// What is learnt is in the address, and the lens's words stay.
    private static func learning(_ pair: Pair, _ page: PlacesPage) async throws {
        let browser = page.browser
        try await page.open(pair.address, until: "document.querySelector('.diff')")
        try await browser.run(Self.learn)
        try await browser.wait(
            until: "/learn=\\d+%2C\\d+/.test(location.search) && document.querySelector('.diff')"
        )
        #expect(try await browser.text("document.querySelector('.compare-result').innerText").contains(pair.sentence))
        let replays = try await page.value(
            "(await ask('exchanges?q=is:replay')).exchanges.map(({ replayOf }) => replayOf ?? \(pair.left)).join()"
        )
        #expect(replays == "\(pair.left),\(pair.left)")
    }

    /// What was learnt of one exchange is not passed over in another that is compared by then, nor is that opened again.
    private static func learningLate(_ pair: Pair, _ page: PlacesPage) async throws {
        let browser = page.browser
        try await page.open(pair.address, until: "document.querySelector('.diff')")
        try await browser.run(
            """
            const real = window.fetch;
            window.posts = [];
            window.fetch = (address, options) => !String(address).endsWith('/replay') ? real(address, options)
              : new Promise((done) => posts.push(async () => {
                done(await real(address, options));
                await new Promise((read) => setTimeout(read, 50));
              }));
            \(Self.learn)
            """
        )
        try await browser.wait(until: "posts.length === 1")
        try await browser.run(
            """
            history.pushState(null, '', '/compare?left=\(pair.right)&right=\(pair.left)'); dispatchEvent(new PopStateEvent('popstate'));
            posts[0]();
            """
        )
        try await browser.wait(until: "posts.length === 2")
        try await browser.run("return posts[1]()")
        try await browser.wait(until: "document.querySelector('.diff')")
        #expect(try await browser.text("location.search") == "?left=\(pair.right)&right=\(pair.left)")
    }
}
