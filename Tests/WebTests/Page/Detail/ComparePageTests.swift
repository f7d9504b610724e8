import Foundation
import Support
import Testing

@Suite("Two sides compared, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct ComparePageTests {
    private static let number = "document.querySelectorAll('.compare-result .diff').length"

    /// Two captures of an endpoint between which a lens sees a change, and its first sentence.
    private static func pair(_ page: PlacesPage) async throws -> (left: String, right: String, sentence: String) {
        let told = try await page.value(
            "(await ask('check?limit=1')).changes.map((one) => [one.before, one.after, one.changes[0]].join('|'))[0]"
        ).split(separator: "|").map(String.init)
        return (try #require(told.first), told[1], told[2])
    }

    @Test("The lens's words come first, heads stand line by line with what is the same folded, JSON by its structure")
    func two() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            let (left, right, sentence) = try await Self.pair(page)
            try await page.open("/compare?left=\(left)&right=\(right)", until: "document.querySelector('.diff')")
            #expect(try await page.nameless(in: "#place") == "")
            #expect(try await browser.text("document.querySelector('.compare-result .diff').textContent") == sentence)
            #expect(try await browser.text("document.querySelectorAll('.beside').length") == "2")
            let folded = try await browser.text("document.querySelectorAll('.beside .pair:not(.folded-lines)').length")
            try await browser.click(".beside .fold-lines")
            let unfolded = try await browser.text(
                "document.querySelectorAll('.beside .pair:not(.folded-lines)').length"
            )
            #expect(try #require(Int(folded)) < #require(Int(unfolded)))
            let told = try await page.value(
                "(await ask('diff?left=\(left)&right=\(right)')).comparisons[0].differences.filter(({ part }) => part === 'json').length"
            )
            #expect(try await browser.text("document.querySelectorAll('.json-diff .change').length") == told)
            // In the bar while it is open.
            #expect(try await browser.text("document.querySelector('#places [aria-current]').textContent") == "Compare")
        }
    }

    @Test("Keys walk from difference to difference, and the sides change places")
    func walk() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            let (left, right, _) = try await Self.pair(page)
            try await page.open("/compare?left=\(left)&right=\(right)", until: "document.querySelector('.diff')")
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
                until: "location.search.includes('left=\(right)') && document.querySelector('.diff')"
            )
            try await browser.wait(until: "\(Self.number) > 0")
            #expect(try await browser.text(added) == before)
        }
    }

    @Test("What is declared to be noise is passed over and said; what is passed over by default can be counted")
    func noise() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            let (left, right, _) = try await Self.pair(page)
            try await page.open("/compare?left=\(left)&right=\(right)", until: "document.querySelector('.diff')")
            let all = try #require(Int(try await browser.text(Self.number)))
            try await page.write("json:$..modified", into: ".compare-form [name=ignore]")
            try await browser.press("Enter")
            try await browser.wait(
                until: "document.querySelector('.compare-result').innerText.includes('json:$..modified')"
            )
            #expect(try #require(Int(try await browser.text(Self.number))) < all)
            #expect(try await browser.text("location.search").contains("ignore="))
            try await page.open(
                "/compare?left=\(left)&right=\(right)&all=yes",
                until: "document.querySelector('.compare-result .diff')"
            )
            #expect(try #require(Int(try await browser.text(Self.number))) > all)
            try await page.open(
                "/compare?left=\(left)&right=\(right)&ignore=nonsense",
                until: "document.querySelector('.compare-result .problem')"
            )
            #expect(
                try await browser.text("document.querySelector('.problem').textContent")
                    == "ignore: 'nonsense' is nothing to ignore; expected header:NAME, json:$.PATH or query:NAME"
            )
            #expect(try await browser.refusedStatuses() == [400])
        }
    }

    @Test("Noise is learnt by sending the left request twice")
    func learning() async throws {
        try await PlacesPage.with(.running) { page in
            let browser = page.browser
            let (left, right, sentence) = try await Self.pair(page)
            try await page.open("/compare?left=\(left)&right=\(right)", until: "document.querySelector('.diff')")
            _ = try await browser.run(
                "[...document.querySelectorAll('.compare-form button')].find((one) => one.textContent === 'Learn the noise').click()"
            )
            try await browser.wait(
                until: "/learn=\\d+%2C\\d+/.test(location.search) && document.querySelector('.diff')"
            )
            #expect(try await browser.text("document.querySelector('.compare-result').innerText").contains(sentence))
            let replays = try await page.value(
                "(await ask('exchanges?q=is:replay')).exchanges.map(({ replayOf }) => replayOf ?? \(left)).join()"
            )
            #expect(replays == "\(left),\(left)")
        }
    }

    @Test("What was learnt of one exchange is not passed over in another that is compared by then, nor opened again")
    func learningLate() async throws {
        try await PlacesPage.with(.running) { page in
            let browser = page.browser
            let (left, right, _) = try await Self.pair(page)
            try await page.open("/compare?left=\(left)&right=\(right)", until: "document.querySelector('.diff')")
            try await browser.run(
                """
                const real = window.fetch;
                window.posts = [];
                window.fetch = (address, options) => !String(address).endsWith('/replay') ? real(address, options)
                  : new Promise((done) => posts.push(async () => {
                    done(await real(address, options));
                    await new Promise((read) => setTimeout(read, 50));
                  }));
                [...document.querySelectorAll('.compare-form button')].find((one) => one.textContent === 'Learn the noise').click();
                """
            )
            try await browser.wait(until: "posts.length === 1")
            try await browser.run(
                """
                history.pushState(null, '', '/compare?left=\(right)&right=\(left)'); dispatchEvent(new PopStateEvent('popstate'));
                posts[0]();
                """
            )
            try await browser.wait(until: "posts.length === 2")
            try await browser.run("return posts[1]()")
            try await browser.wait(until: "document.querySelector('.diff')")
            #expect(try await browser.text("location.search") == "?left=\(right)&right=\(left)")
        }
    }

    @Test("Two sets stand in a table of what differs, each pair with the way to both sides")
    func sets() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            let (left, right, sentence) = try await Self.pair(page)
            try await page.open(
                "/compare?left=id:\(left)&right=id:\(right)",
                until: "document.querySelector('.sets tr.changed')"
            )
            #expect(try await browser.text("document.querySelector('.sets tr.changed').innerText").contains(sentence))
            try await browser.click(".sets tr.changed td:last-child a")
            try await browser.wait(until: "document.querySelector('.said')")
            #expect(try await browser.text("location.search") == "?left=\(left)&right=\(right)")
            try await page.open("/compare?left=code:404&right=code:404", until: "document.querySelector('.same')")
            #expect(try await browser.text(Self.number) == "0")
            try await browser.emulate(.phone)
            try await page.open("/compare?left=\(left)&right=\(right)", until: "document.querySelector('.diff')")
            #expect(
                try await browser.text(
                    "document.querySelector('#place').scrollWidth <= document.querySelector('#place').clientWidth"
                ) == "true"
            )
        }
    }
}
