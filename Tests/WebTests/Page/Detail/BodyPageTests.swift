import Foundation
import Testing
import Traffic

@Suite("Every kind of body on the page", .serialized, .timeLimit(.minutes(15)))
struct BodyPageTests {
    /// A body, the views it should offer with the shown one starred, and what its view should say.
    struct Kind: Sendable, CustomStringConvertible {
        let type: String
        let bytes: [UInt8]
        let views: String
        /// An expression over the shown view that is true once it is right.
        let holds: String

        var description: String { type }

        init(_ type: String, _ text: String, _ views: String, _ holds: String) {
            self.init(type, Array(text.utf8), views, holds)
        }

        init(_ type: String, _ bytes: [UInt8], _ views: String, _ holds: String) {
            (self.type, self.bytes, self.views, self.holds) = (type, bytes, views, holds)
        }
    }

    private static let picture = Array(
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
        ) ?? Data()
    )

    /// A quarter of a second of silence, RIFF.
    private static let sound: [UInt8] = {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        let samples = [UInt8](repeating: 128, count: 2_000)
        return Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
            + little(1, 2) + little(1, 2) + little(8_000, 4) + little(8_000, 4) + little(1, 2) + little(8, 2)
            + Array("data".utf8) + little(samples.count, 4) + samples
    }()

    private static let token = """
        eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJzYW0iLCJleHAiOjEwMDAwMDAwMDAsIm4iOjEyMzQ1Njc4OTAxMjM0NTY3ODkwfQ.c2ln
        """

    static let kinds = [
        Kind(
            "application/json",
            #"{"n": 12345678901234567890, "f": 1.50, "twice": 1, "twice": 2, "deep": {"a": [1, {"b c": "Caf\u00e9"}]}}"#,
            "Tree* Text Hex",
            "shown.innerText.includes('12345678901234567890') && shown.innerText.includes('1.50') && shown.innerText.split('twice').length === 3 && shown.innerText.includes('Café')"
        ),
        Kind(
            "application/problem+json; charset=utf-8",
            "\u{FEFF}[1, 2]",
            "Tree* Text Hex",
            "shown.querySelectorAll('[role=treeitem]').length === 3"
        ),
        Kind(
            "application/json",
            #"{"broken": "#,
            "Text* Hex",
            "shown.querySelector('pre').textContent === '{\"broken\": '"
        ),
        Kind(
            "application/xml",
            "<?xml version='1.0'?><a><!-- c --><b id='1'>x &amp; y</b><c><d/><e/></c></a>",
            "Markup* Text Hex",
            "shown.textContent.includes('x &amp; y') && shown.querySelectorAll('details').length === 2 && shown.querySelector('.comment')"
        ),
        Kind(
            "text/html",
            "<html><body onload='window.__ran=1'><p>One<br>Two<script>window.__ran=1</script></body></html>",
            "Markup* Text Preview Hex",
            "shown.textContent.includes('<script>window.__ran=1') && !document.querySelector('iframe')"
        ),
        Kind(
            "application/x-www-form-urlencoded",
            "a=1&b=two+words&c=%C3%A9&c=",
            "Form* Text Hex",
            "[...shown.querySelectorAll('td')].map((one) => one.textContent).join('|') === '1|two words|é|'"
        ),
        Kind(
            "text/csv",
            "name,count\r\n\"a, b\",1\r\n\"say \"\"hi\"\"\",2",
            "Table* Text Hex",
            "[...shown.querySelectorAll('td')].map((one) => one.textContent).join('|') === 'a, b|1|say \"hi\"|2'"
        ),
        Kind(
            "application/jwt",
            token,
            "Token* Text Hex",
            "shown.innerText.includes('HS256') && shown.innerText.includes('has expired') && shown.innerText.includes('not verified') && shown.innerText.includes('12345678901234567890')"
        ),
        Kind("image/png", picture, "Picture* Hex", "shown.querySelector('figcaption').textContent === '1 × 1'"),
        Kind(
            "image/png",
            "<html><script>window.__ran=1</script>",
            "Picture* Markup Text Hex",
            "shown.querySelector('figcaption').textContent.startsWith('These bytes are not')"
        ),
        Kind(
            "image/svg+xml",
            "<svg xmlns='http://www.w3.org/2000/svg' onload='window.__ran=1'><script>window.__ran=1</script></svg>",
            "Markup* Text Picture Hex",
            "shown.textContent.includes('<script>window.__ran=1')"
        ),
        Kind("audio/wav", sound, "Player* Hex", "shown.querySelector('figcaption').textContent === '0.3 s'"),
        Kind(
            "video/mp4",
            [0, 1, 2],
            "Player* Hex",
            "shown.querySelector('figcaption').textContent.includes('cannot play')"
        ),
        Kind("font/woff2", [0, 1, 2], "Font* Hex", "shown.textContent.includes('not a font')"),
        Kind(
            "multipart/form-data; boundary=\"B x\"",
            "--B x\r\nContent-Disposition: form-data; name=\"one\"\r\n\r\nHello\r\n--B x\r\nContent-Disposition: form-data; name=\"two\"; filename=\"f.json\"\r\n"
                + "Content-Type: application/json\r\n\r\n{\"a\": [1]}\r\n--B x\r\n\r\n--B x--\r\n",
            "Parts* Text Hex",
            "shown.querySelectorAll('.part').length === 3 && shown.querySelector('.part .tree') && shown.querySelector('.part pre.text').textContent === 'Hello'"
        ),
        Kind(
            "multipart/mixed; boundary=q",
            "nothing of it",
            "Parts* Text Hex",
            "shown.textContent.includes('does not occur')"
        ),
        Kind("text/plain", [0x61, 0xFF, 0xFE, 0x62], "Text* Hex", "shown.textContent === 'a\\uFFFD\\uFFFDb'"),
        Kind("text/plain; charset=iso-8859-1", [0x63, 0x61, 0x66, 0xE9], "Text* Hex", "shown.textContent === 'café'"),
        Kind("text/plain; charset=utf-16le", [0x63, 0, 0xE9, 0], "Text* Hex", "shown.textContent === 'cé'"),
        Kind("text/plain; charset=nonsense", "abc", "Hex*", "shown.textContent.includes('61 62 63')"),
        Kind(
            "application/octet-stream",
            Array(0...255),
            "Hex*",
            "shown.innerText.includes('40 41 42') && shown.innerText.includes('@ABC')"
        ),
        Kind("application/json", [], "", "document.querySelector('.body').textContent === 'No body.'"),
    ]

    @Test("Each opens in the view that its type suggests, with the others beside it, and the console stays empty")
    func opens() async throws {
        try await Pane.with { page in
            for (index, kind) in Self.kinds.enumerated() {
                var exchange = Recorded.exchange(fields: [("Content-Type", kind.type)], length: kind.bytes.count)
                // Bodies of one digest are kept once.
                exchange.response?.body.sha256 = Array(repeating: UInt8(index + 1), count: 32)
                try await page.store.record(exchange, response: kind.bytes)
            }
        } _: { pane in
            try await pane.open(1)
            for (index, kind) in Self.kinds.enumerated() {
                try await pane.go(index + 1, "response")
                do {
                    // Its own body, and not that of the one before.
                    try await pane.wait(
                        """
                        (\(kind.bytes.isEmpty) || document.querySelector('#panel a[href*="/exchanges/\(index + 1)/response"]'))
                          && ((shown) => \(kind.holds))(document.querySelector('.content'))
                        """
                    )
                } catch { Issue.record("\(kind): \(error)") }
                #expect(try await pane.views() == kind.views, "\(kind)")
                #expect(try await pane.text("window.__ran") == "undefined", "\(kind)")
            }
        }
    }

    @Test("A body of 9 MB opens with its first rows, scrolls to its end, and is searched whole, within a small heap")
    func opensLong() async throws { try await Self.opensLong(84_000, lines: 220_000) }

    /// Opens two bodies, scrolls through them and searches them.
    ///
    /// - Parameters:
    ///   - count: the objects of the one, which is JSON.
    ///   - lineCount: the lines of the other, which is text.
    /// - Throws: what the page throws.
    static func opensLong(_ count: Int, lines lineCount: Int) async throws {
        let rows = (0..<count).map {
            #"{"id": \#($0), "name": "item \#($0) – Café", "tags": ["a", "b"], "of": {"x": \#($0).50, "y": null}}"#
        }
        let list = Array("[\(rows.joined(separator: ","))]".utf8)
        let lines = Array(
            (0..<lineCount).map { "line \($0) of a log that has some words" }.joined(separator: "\n").utf8
        )
        try await Pane.with { page in
            for (type, bytes) in [("application/json", list), ("text/plain", lines)] {
                try await page.store.record(
                    Recorded.exchange(fields: [("Content-Type", type)], length: bytes.count),
                    response: bytes
                )
            }
        } _: { pane in
            try await pane.open(1, "response")
            try await pane.browser.wait(until: "document.querySelectorAll('.tree-row').length > 20", within: 60)
            #expect(try await pane.text("document.querySelectorAll('.tree-row').length < 120") == "true")
            func find(_ text: String) async throws {
                try await pane.run(
                    "const box = document.querySelector('.find-inside'); box.value = '\(text)'; box.dispatchEvent(new Event('input'));"
                )
                try await pane.browser.wait(
                    until: "/of|none/.test(document.querySelector('.found-count').textContent)",
                    within: 60
                )
            }
            try await find("ITEM \(count - 877) ")
            try await pane.wait("document.querySelector('.tree-path')?.textContent === '/\(count - 877)/name'")
            try await pane.wait("document.querySelector('.tree mark')?.textContent === 'item \(count - 877) '")
            #expect(try await pane.text("document.querySelector('.found-count').textContent") == "1 of 1")
            try await pane.run(
                "document.querySelector('.tree').dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))"
            )
            try await pane.wait("[...document.querySelectorAll('.tree-row')].at(-1).textContent === ']'")

            try await pane.open(2, "response")
            try await pane.browser.wait(
                until: "document.querySelector('.long-text')?.dataset.lines === '\(lineCount)'",
                within: 60
            )
            try await pane.run(
                "const place = document.querySelector('.windowed'); place.scrollTop = place.scrollHeight;"
            )
            try await pane.wait(
                "[...document.querySelectorAll('.line-text')].at(-1).textContent === 'line \(lineCount - 1) of a log that has some words'"
            )
            try await find("line 77777 ")
            try await pane.wait("document.querySelector('.text-row mark.now')?.textContent === 'line 77777 '")
            #expect(try await pane.text("document.querySelectorAll('.text-row').length < 120") == "true")
            let heap = try await pane.browser.heap()
            #expect(heap < 20_000_000 + 3 * lines.count)
        }
    }

    @Test("A JSON tree is walked by keys, folds, says where a value is, and copies are as they stand in the text")
    func walksTree() async throws {
        let body = Array(
            #"{"a/b": {"c~d": [1, 20.00, {"x y": "long \#(String(repeating: "word ", count: 60))"}]}, "z": null}"#.utf8
        )
        try await Pane.with { page in
            try await page.store.record(Recorded.exchange(length: body.count), response: body)
        } _: { pane in
            try await pane.open(1, "response")
            try await pane.wait("document.querySelectorAll('[role=treeitem]').length >= 6")
            func key(_ name: String) async throws {
                try await pane.run(
                    "document.querySelector('.tree').dispatchEvent(new KeyboardEvent('keydown', { key: '\(name)', bubbles: true, cancelable: true }))"
                )
            }
            let path = "document.querySelector('.tree-path')?.textContent"
            for (name, expected) in [
                ("ArrowDown", "/a~1b"), ("ArrowDown", "/a~1b/c~0d"), ("ArrowDown", "/a~1b/c~0d/0"),
                ("ArrowDown", "/a~1b/c~0d/1"),
                ("ArrowDown", "/a~1b/c~0d/2"), ("ArrowDown", "/a~1b/c~0d/2/x y"),
            ] {
                try await key(name)
                try await pane.wait("\(path) === '\(expected)'")
            }
            try await pane.wait("document.querySelector('.tree-value')?.textContent.startsWith('\"long word')")
            // What would go to the clipboard.
            try await pane.run(
                "window.copied = []; Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied.push(text); }, write: async ([item]) => { window.copied.push(await (await item.getType('text/plain')).text()); } } });"
            )
            for name in ["Copy value", "Copy pointer", "Copy JSON path", "Copy jq path"] { try await pane.press(name) }
            try await pane.wait("window.copied.length === 4")
            let copied = try await pane.browser.run("return window.copied.sort()") as? [String] ?? []
            #expect(copied.contains("/a~1b/c~0d/2/x y") && copied.contains(#".["a/b"]["c~d"][2]["x y"]"#))
            #expect(copied.contains("$['a/b']['c~d'][2]['x y']"))
            #expect(copied.contains { $0.hasPrefix("long word word") })
            try await key("ArrowLeft")
            try await pane.wait("\(path) === '/a~1b/c~0d/2'")
            try await key("ArrowLeft")
            try await pane.wait("document.querySelector('.tree-row.active').getAttribute('aria-expanded') === 'false'")
            try await pane.press("Fold all")
            try await pane.wait("document.querySelectorAll('[role=treeitem]').length === 3")
        }
    }

    @Test("The words of the filter are marked in heads and bodies, with the way from one to the next")
    func marksWords() async throws {
        let body = Array(#"{"a": "Needle one", "b": "a needle in hay", "c": "x"}"#.utf8)
        try await Pane.with { page in
            let fields = [("Content-Type", "application/json"), ("X-Word", "this is a NEEDLE")]
            try await page.store.record(Recorded.exchange(fields: fields, length: body.count), response: body)
        } _: { pane in
            try await pane.open(1, "response", query: "&q=needle")
            try await pane.wait("document.querySelectorAll('.tree mark').length === 2")
            try await pane.wait("document.querySelector('.found-count').textContent === '2'")
            #expect(try await pane.text("document.querySelector('pre.head mark').textContent") == "NEEDLE")
            #expect(try await pane.text("document.querySelector('.hits').textContent").hasPrefix("1 in the head"))
            try await pane.run("document.querySelector('[aria-label=\"Next match\"]').click()")
            try await pane.wait("document.querySelector('.tree-path')?.textContent === '/a'")
            try await pane.run("document.querySelector('[aria-label=\"Next match\"]').click()")
            try await pane.wait("document.querySelector('.tree-path')?.textContent === '/b'")
            try await pane.press("Text", in: ".body-section")
            try await pane.wait("document.querySelectorAll('pre.text mark').length === 2")
            try await pane.press("Hex", in: ".body-section")
            try await pane.wait("document.querySelectorAll('.hex mark').length === 24")
        }
    }
}
