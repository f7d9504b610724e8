import Foundation
import Support
import Testing

/// What the page makes of bodies that are nearly right: no view may throw, hang or grow.
@Suite("No body hangs a view of the page or makes it grow", .serialized, .timeLimit(.minutes(15)))
struct BodyFuzzPageTests {
    /// A corpus, its type, and what its language is made of.
    struct Kind: Sendable, CustomStringConvertible {
        let corpus: String
        let type: String
        let pieces: [String]

        var description: String { corpus }
    }

    static let kinds = [
        Kind(
            corpus: "page-json",
            type: "application/json",
            pieces: ["{", "}", "[", "]", ",", ":", "\"", "\\u", "1", "e9", "null", "{\"a\":", "[["]
        ),
        Kind(
            corpus: "page-markup",
            type: "text/html",
            pieces: [
                "<", ">", "</", "/>", "<a", "<p>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "\"", "'", "=", "<script>",
                "</script", "&",
            ]
        ),
        Kind(
            corpus: "page-multipart",
            type: "multipart/form-data; boundary=xyz",
            pieces: [
                "--xyz", "\r\n--xyz\r\n", "--xyz--", "\r\n", "\n", ":", "name=\"", "\\", ";",
                "Content-Type: text/html\r\n\r\n",
            ]
        ),
        Kind(
            corpus: "page-form",
            type: "application/x-www-form-urlencoded",
            pieces: ["&", "=", "%", "%41", "+", "a", "é"]
        ),
        Kind(corpus: "page-csv", type: "text/csv", pieces: [",", ";", "\"", "\"\"", "\n", "\r", "\t", "a"]),
        Kind(
            corpus: "page-token",
            type: "text/plain",
            pieces: ["eyJ", ".", "-", "_", "eyJhbGciOiJIUzI1NiJ9", "=", "a"]
        ),
        Kind(
            corpus: "page-text",
            type: "text/plain",
            pieces: ["\n", "\r", "\t", " ", "\u{1B}[31m", "eyJ", "https://", "&", "é", "\u{202E}"]
        ),
    ]

    @Test("Nearly right bodies are drawn in every view, quickly and in little room")
    func random() async throws {
        try await Self.draw(seed: 1, while: "count < corpus.length + 15")
    }

    /// Draws the corpus of each kind and random bodies made from it, as long as an expression of the page's says so.
    static func draw(seed: UInt32, while goesOn: String, within seconds: Int = 120) async throws {
        try await RunningPage.with { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                for kind in kinds {
                    let corpus = try Fuzz.corpus(kind.corpus).map { Data($0).base64EncodedString() }
                    let pieces = kind.pieces.map { Data($0.utf8).base64EncodedString() }
                    let given = String(decoding: try JSONEncoder().encode([corpus, pieces]), as: UTF8.self)
                    let heap = try await browser.heap()
                    let said = try await browser.result(
                        of: """
                            const read = (text) => Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
                            const [corpus, pieces] = \(given).map((list) => list.map(read));
                            const [contentType, seed, limit] = ["\(kind.type)", \(seed), \(100 * Patience.factor)];
                            const goesOn = (count, began) => \(goesOn);
                            \(script)
                            """,
                        within: Patience.seconds(seconds)
                    )
                    let grown = try await browser.heap() - heap
                    let lines = said.split(separator: "\n")
                    print("\(kind): \(lines.first ?? ""), with seed \(seed)")
                    #expect(lines.dropFirst() == [], "\(kind) with seed \(seed)")
                    #expect(grown < 64 << 20, "\(kind) with seed \(seed)")
                }
            }
        }
    }

    /// Says how many bodies were drawn and the longest task, and in a line each what was taken badly.
    ///
    /// A task counts as too long only where the same body takes too long three times: the machine may have been busy.
    private static let script = """
        const { BodyContent } = await import(asset('body-content.js'));
        const { viewsOf } = await import(asset('body-views.js'));
        const most = 16_384;
        let state = seed;
        const below = (count) => {
          state = (state + 0x6D2B79F5) | 0;
          let mixed = Math.imul(state ^ (state >>> 15), state | 1);
          mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
          return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
        };
        const one = (list) => list[below(list.length)];
        const many = (bytes) => {
          if (!bytes.length) return [];
          const count = Math.min(Math.max(1, Math.floor(most / bytes.length)), below(8) ? 1 << below(7) : most);
          return Array.from({ length: count }, () => [...bytes]).flat();
        };
        const mutated = () => {
          const bytes = [...one(corpus)];
          for (let times = 1 + below(5); times > 0; times -= 1) {
            const place = below(bytes.length + 1);
            const end = Math.min(bytes.length, place + (1 << below(9)));
            switch (below(6)) {
              case 0: bytes[place] = below(256); break;
              case 1: bytes.splice(place, end - place); break;
              case 2: bytes.splice(place, 0, ...many(bytes.slice(place, end))); break;
              case 3: bytes.splice(place, 0, ...many(one(pieces))); break;
              case 4: bytes.splice(place, Infinity, ...one(corpus).slice(below(200))); break;
              default: bytes.splice(place, 0, ...one(pieces));
            }
          }
          return new Uint8Array(bytes.slice(0, most));
        };
        const faults = [];
        // A view that is gone before its frame is told of no more sizes, and that is no fault.
        const note = (event) => event.message?.startsWith('ResizeObserver loop') || faults.push(String(event.reason ?? event.message));
        addEventListener('error', note);
        addEventListener('unhandledrejection', note);
        const seen = new PerformanceObserver(() => {});
        seen.observe({ type: 'longtask' });
        const turn = () => new Promise((done) => setTimeout(done));
        const host = document.createElement('div');
        document.body.append(host);
        const draw = async (bytes) => {
          seen.takeRecords();
          let longest = 0;
          const drawPart = (part, contentType) => new BodyContent(part, { contentType, terms: ['a'] });
          const { views } = await viewsOf(new Blob([bytes]), { type: contentType.split(';')[0], contentType, drawPart });
          for (const { name, make } of views) {
            if (name === 'Preview') continue;
            const view = make();
            host.replaceChildren(view.element);
            void host.offsetHeight;
            await turn();
            view.end?.();
            for (const task of seen.takeRecords()) longest = Math.max(longest, task.duration);
          }
          host.replaceChildren();
          return longest;
        };
        const shown = (bytes) => btoa(String.fromCharCode(...bytes.slice(0, 3_000)));
        const bad = [];
        let [count, worst] = [0, 0];
        const began = performance.now();
        while ((count < corpus.length || goesOn(count, began)) && bad.length < 3) {
          const bytes = count < corpus.length ? corpus[count] : mutated();
          count += 1;
          try {
            let costs = [await draw(bytes)];
            worst = Math.max(worst, costs[0]);
            while (costs.at(-1) > limit && costs.length < 4) costs.push(await draw(bytes));
            if (costs.at(-1) > limit) bad.push(`${bytes.length} bytes take ${costs.join(', ')} ms: ${shown(bytes)}`);
          } catch (error) {
            faults.push(String(error?.stack ?? error));
          }
          if (faults.length) bad.push(`${faults.splice(0).join('; ')}: ${shown(bytes)}`);
        }
        seen.disconnect();
        host.remove();
        removeEventListener('error', note);
        removeEventListener('unhandledrejection', note);
        return [`${count} bodies, the longest task ${worst} ms`, ...bad].join('\\n');
        """
}
