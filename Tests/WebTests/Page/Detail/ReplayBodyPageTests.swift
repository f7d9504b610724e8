import Foundation
import NIOCore
import Testing
import Traffic

@Suite("What nobody edits of a request is sent as it was, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct ReplayBodyPageTests {
    /// The form of an exchange in a browser, and what a proxy that only remembers was asked to send.
    private struct Form {
        let browser: Browser
        let control: ReplayRecorder

        func press(_ name: String) async throws {
            try await browser.run(
                "[...document.querySelectorAll('dialog button')].find((one) => one.textContent === '\(name)').click()"
            )
        }

        func write(_ text: String, into name: String) async throws {
            try await browser.run(
                "const box = document.querySelector('dialog [name=\(name)]'); box.value = '\(text)'; box.dispatchEvent(new Event('input'))"
            )
        }

        /// Sends the form, and gives what the proxy got of it; its answer is not in the store, which the form says.
        func sent() async throws -> ReplayRequest {
            let before = control.asked.count
            try await press("Send")
            try await browser.wait(until: "!document.querySelector('dialog .problem').hidden")
            let asked = control.asked
            #expect(asked.count == before + 1)
            return try #require(asked.last)
        }
    }

    /// Records requests, and opens the form of one after the other.
    private func edit(
        _ requests: [(head: [UInt8], body: [UInt8])],
        _ body: @escaping @Sendable (Int, Form) async throws -> Void
    ) async throws {
        let control = ReplayRecorder()
        try await RunningPage.with(control: control) { page in
            for (index, request) in requests.enumerated() {
                var exchange = Recorded.exchange(method: "POST", target: "/v2/things")
                exchange.request.head = ByteBuffer(bytes: request.head)
                let length = Int64(request.body.count)
                exchange.request.body = Body(
                    length: length,
                    kept: length,
                    sha256: length == 0 ? [] : Array(repeating: UInt8(index), count: 32)
                )
                try await page.store.record(exchange, request: request.body)
            }
            try await Browser.with { browser in
                for index in requests.indices {
                    try await browser.open("http://127.0.0.1:\(page.port)/exchanges/\(index + 1)?token=\(page.token)")
                    let button =
                        "[...document.querySelectorAll('#detail button')].find((one) => one.textContent === 'Edit and replay')"
                    try await browser.wait(until: button)
                    try await browser.run("\(button).click()")
                    try await browser.wait(until: "document.querySelector('dialog .start-line')")
                    try await body(index, Form(browser: browser, control: control))
                }
            }
        }
    }

    private static let head = Array("POST /v2/things HTTP/1.1\r\nhost: api.example.test\r\n\r\n".utf8)

    /// Bodies of which a text box makes others, and whether one is a text that can be edited in it.
    private static let bodies: [(bytes: [UInt8], isText: Bool)] = [
        (Array("one\r\ntwo\r\n".utf8), true),
        (Array("\u{FEFF}one\ntwo".utf8), true),
        (Array("one\r\ntwo\n".utf8), false),
        ([0xFF, 0x00, 0x80, 0x0D], false),
        ([UInt8](repeating: 0x61, count: (1 << 20) + 1), false),
    ]

    @Test("A body is the recorded one, byte for byte, until somebody edits it; an edited text keeps its line ends")
    func bodies() async throws {
        try await edit(Self.bodies.map { (Self.head, $0.bytes) }) { index, form in
            let (bytes, isText) = Self.bodies[index]
            for view in ["Text", "Base64"] {
                let name = view.lowercased()
                try await form.press(view)
                let isEmpty = view == "Text" ? !isText : bytes.count > 1 << 20
                try await form.browser.wait(
                    until: "(document.querySelector('dialog [name=\(name)]').value === '') === \(isEmpty)"
                )
                let request = try await form.sent()
                #expect(request.body == bytes, "body \(index), \(view)")
            }
            try await form.press("File")
            try await form.press("Send")
            try await form.browser.wait(
                until:
                    "document.querySelector('dialog .problem').textContent === 'Choose the file to send as the body.'"
            )
            try await form.press("Text")
            try await form.browser.wait(until: "document.querySelector('dialog [name=text]')")
            try await form.write("three\\nfour", into: "text")
            // Another view does not take what was written away.
            try await form.press("As recorded")
            #expect(try await form.sent().body == bytes)
            try await form.press("Text")
            try await form.browser.wait(until: "document.querySelector('dialog [name=text]').value === 'three\\nfour'")
            #expect(try await form.sent().body == Array((index == 0 ? "three\r\nfour" : "three\nfour").utf8))
            guard index == 0 else { return }
            // A file that was chosen is shown as long as it is what would be sent.
            try await form.press("File")
            try await form.browser.run(
                """
                const chosen = new DataTransfer();
                chosen.items.add(new File(['abc'], 'abc.txt'));
                document.querySelector('dialog [name=file]').files = chosen.files;
                """
            )
            try await form.press("As recorded")
            try await form.press("File")
            let shown = try await form.browser.text("document.querySelector('dialog [name=file]').files[0]?.name")
            #expect(shown == "abc.txt")
            #expect(try await form.sent().body == Array("abc".utf8))
        }
    }

    @Test("The fields that nobody touches keep their bytes when the method is another")
    func heads() async throws {
        let lines = "host:api.example.test\r\nX-Name:\t\u{E9}t\u{E9} \r\nX-Odd:1 \r\n\r\n"
        let heads = [
            Array("POST /v2/things HTTP/1.1\r\n\(lines)".utf8),
            "POST /v2/things HTTP/1.1\r\n\(lines)".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) },
        ]
        try await edit(heads.map { ($0, []) }) { index, form in
            #expect(try await form.sent().original.request.head == ByteBuffer(bytes: heads[index]))
            // Nor when the whole head is looked at.
            let raw = "document.querySelector('dialog [name=raw]').click()"
            try await form.browser.run(raw)
            #expect(try await form.sent().original.request.head == ByteBuffer(bytes: heads[index]))
            try await form.browser.run(raw)
            try await form.write("PUT", into: "method")
            let sent = Array(try await form.sent().original.request.head.readableBytesView)
            #expect(sent == Array("PUT".utf8) + heads[index].dropFirst(4), "head \(index)")
            // A character that no byte stands for in one field leaves the others as they are.
            try await form.browser.run(
                """
                const box = document.querySelector('dialog [aria-label="Value of field 3"]');
                box.value = '€';
                box.dispatchEvent(new Event('input'));
                """
            )
            let typed = Array(try await form.sent().original.request.head.readableBytesView)
            #expect(typed == sent.dropLast(7) + Array(": €\r\n\r\n".utf8), "head \(index)")
        }
    }
}
