import Foundation
import Testing
import Traffic

@Suite("Markup and tokens of any shape, at a pace that the page keeps up with", .serialized, .timeLimit(.minutes(15)))
struct MarkupPageTests {
    /// Pieces that a text of them is slow to take apart for whoever looks at it more than once.
    private static let pieces = [
        "<a", "<a \"", "<a \"'", "<a b=\"", "<a ' \" ", "<script></script>", "</a>", "<a>", "<a></b>", "<", "<!--",
        "<![CDATA[", "<title>", "<?",
    ]

    @Test("Markup takes time in proportion to its length, whatever it is made of")
    func proportion() async throws {
        try await RunningPage.with { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                for piece in Self.pieces {
                    let ratio = try await browser.result(
                        of: """
                            const { outline } = await import(asset('body-outline.js'));
                            const piece = \(literal(piece));
                            const [short, long] = [1_500, 24_000].map((length) => piece.repeat(length / piece.length));
                            // Without the frames that the page draws between two slices: a short text has none.
                            const taken = (text, times) => {
                              const start = performance.now();
                              for (let time = 0; time < times; time += 1) for (const reading = outline(text); !reading.next().done;);
                              return performance.now() - start;
                            };
                            taken(short, 2);
                            // As much text in many as in one; the least of each, since whatever disturbs only adds to it.
                            const [many, one] = [[], []];
                            const ratio = () => Math.min(...one) / Math.max(Math.min(...many), 0.5);
                            // A busy machine may disturb every round for a while, and makes nothing quicker.
                            for (let round = 0; round < 5 || round < 100 && ratio() >= 5; round += 1) {
                              many.push(taken(short, 64));
                              one.push(taken(long, 4));
                            }
                            return ratio().toFixed(2);
                            """
                    )
                    print("\(piece): one text takes \(ratio) of what sixteen of a sixteenth take")
                    #expect(try #require(Double(ratio)) < 5, "\(piece)")
                }
            }
        }
    }

    @Test("Tokens are looked for in one pass: a long text takes what as much in short ones takes")
    func tokens() async throws {
        try await RunningPage.with { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                let ratios = try await browser.result(
                    of: """
                        const { isToken, tokens } = await import(asset('body-token.js'));
                        const taken = (does, times) => {
                          const start = performance.now();
                          for (let time = 0; time < times; time += 1) does();
                          return performance.now() - start;
                        };
                        const ratio = (does, piece) => {
                          const [short, long] = [1_024, 16_384].map((length) => piece.repeat(length / piece.length));
                          const [many, one] = [[], []];
                          const least = () => Math.min(...one) / Math.max(Math.min(...many), 0.5);
                          for (let round = 0; round < 5 || round < 100 && least() >= 5; round += 1) {
                            many.push(taken(() => does(short), 64));
                            one.push(taken(() => does(long), 4));
                          }
                          return least();
                        };
                        const pieces = ['eyJaaaa-', 'eyJaaaa.', 'eyJ-', 'eyJaaaa-eyJ.', '.eyJ-eyJaaaa'];
                        return pieces.flatMap((piece) => [ratio(isToken, piece), ratio((text) => tokens([['a', text]]), piece)]).map((one) => one.toFixed(2)).join(' ');
                        """
                )
                print("one text takes of what sixteen of a sixteenth take: \(ratios)")
                for ratio in ratios.split(separator: " ") { #expect(try #require(Double(ratio)) < 5) }
                let found = try await browser.result(
                    of: """
                        const { isToken, tokens } = await import(asset('body-token.js'));
                        const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzYW0ifQ.c2ln';
                        const fields = [token, `Bearer ${token}`, `a=1; sid=${token}; b=2`, `x-${token}`, `x.${token}.y`, `x_${token}`, `eyJaaaa.b.${token}`];
                        return fields.map((text) => [isToken(text), tokens([['a', text]])[0]?.[1] === token].join()).join(' ');
                        """
                )
                #expect(
                    found == "true,true false,true false,true false,true false,true false,false false,true"
                )
            }
        }
    }

    /// An SVG of 0.8 MB and a feed of 3.8 MB, as they are found.
    private static func ordinary() -> [(type: String, text: String)] {
        let path = (0..<40).map { "L\($0 * 7 % 100) \($0 * 13 % 100)" }.joined(separator: " ")
        let paths = (0..<2_600).map { "<g id='g\($0)'><path d='M0 0 \(path)'/></g>" }
        let words = String(repeating: "Some words of an article, and more of them. ", count: 40)
        let items = (0..<1_950).map {
            "<item><title>Article \($0)</title><link>https://example.test/\($0)</link><pubDate>today</pubDate><description><![CDATA[<p>\(words)</p>]]></description><guid>\($0)</guid></item>"
        }
        return [
            ("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'>\(paths.joined())</svg>"),
            ("application/rss+xml", "<rss version='2.0'><channel>\(items.joined())</channel></rss>"),
        ]
    }

    @Test("Of a large file some lines are drawn, the rest on demand, and it is read in slices between frames")
    func ordinaryFiles() async throws {
        try await Pane.with { page in
            for (index, file) in Self.ordinary().enumerated() {
                let bytes = Array(file.text.utf8)
                var exchange = Recorded.exchange(fields: [("Content-Type", file.type)], length: bytes.count)
                exchange.response?.body.sha256 = Array(repeating: UInt8(index + 1), count: 32)
                try await page.store.record(exchange, response: bytes)
            }
        } _: { pane in
            let files = Self.ordinary()
            #expect(files[0].text.utf8.count > 700_000 && files[1].text.utf8.count > 3_700_000)
            for (index, file) in files.enumerated() {
                try await pane.open(index + 1)
                try await pane.run(
                    """
                    window.started = performance.now();
                    window.longest = 0;
                    new PerformanceObserver((list) => { for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration); }).observe({ type: 'longtask' });
                    document.querySelector('#tab-response').click();
                    """
                )
                try await pane.browser.wait(until: "document.querySelectorAll('.markup li').length > 50", within: 60)
                let figures = try await pane.text(
                    "[document.querySelectorAll('.markup li').length, document.querySelector('.markup').textContent.length, Math.round(performance.now() - window.started), Math.round(window.longest)].join(' ')"
                )
                let numbers = figures.split(separator: " ").compactMap { Int($0) }
                print("\(file.type): lines, characters, ms to be drawn, ms of the longest task: \(figures)")
                #expect(numbers[0] < 1_000 && numbers[1] < 250_000)
                // The rest comes when it is asked for.
                let lines = numbers[0]
                try await pane.run(
                    "[...document.querySelectorAll('.markup button')].at(-1).click()"
                )
                try await pane.wait("document.querySelectorAll('.markup li').length > \(lines + 20)")
                #expect(try await pane.text("document.querySelectorAll('.markup li').length < 2000") == "true")
            }
            let slices = try await pane.browser.result(
                of: """
                    const { outline } = await import(asset('body-outline.js'));
                    const text = '<a b="c">text</a>'.repeat(60_000);
                    const reading = outline(text);
                    let count = 0;
                    while (!reading.next().done) count += 1;
                    const long = outline('<p>' + 'x'.repeat(1 << 20));
                    let few = 0;
                    while (!long.next().done) few += 1;
                    return `${count > 20} ${few > 0}`;
                    """
            )
            #expect(slices == "true true")
        }
    }

    /// A text as JavaScript has it.
    private func literal(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
