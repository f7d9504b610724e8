import Foundation
import NIOCore
import Support
import Testing
import Traffic

@Suite("Bodies that lie about themselves, and previews (X2, X3)", .serialized, .timeLimit(.minutes(15)))
struct HostileBodyPageTests {
    /// Draws the body in every view that it has, previews aside.
    private func views(_ pane: Pane) async throws {
        let names = try await pane.views().split(separator: " ").map { $0.replacing("*", with: "") }
        for name in names where name != "Preview" {
            try await pane.press(String(name), in: ".body-section > .body > .body-content > .toolbar")
            try await pane.wait(
                "document.querySelector('.content').hasChildNodes() && !document.querySelector('.content > [role=status]')"
            )
        }
    }

    @Test("A preview draws the page without running it or asking anyone, whatever the page tries")
    func preview() async throws {
        let beacon = try await LoopbackOrigin.start { _ in LoopbackOrigin.Reply(consuming: 0, .close) }
        let address = "http://127.0.0.1:\(beacon.port)/x"
        try await RunningPage.with { page in
            // What goes elsewhere has a page of its own, and bytes that are no text have no preview.
            let isText = { (text: String) in text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } }
            let all = HostilePayloads.all.filter { !$0.contains("http-equiv") && isText($0) }
                .joined(separator: "\n").replacing("BEACON", with: address)
            let calls = ["parent", "top", "opener"].map { "try{\($0).__ran=1}catch{}" }.joined()
            let pages = [
                "<h1 id=seen>Seen</h1><script>\(calls)window.__ran=1;fetch('\(address)');top.location='\(address)'</script>",
                all,
                "<LiNk rel=preconnect href=\(address)><link\nrel=dns-prefetch href=\(address)><link/rel=preload as=image href=\(address)>",
                "<meta http-equiv=refresh content='0;url=\(address)'><META HTTP-EQUIV=refresh CONTENT='0;URL=javascript:parent.__ran=1'>",
                "<iframe src='\(address)'></iframe><iframe srcdoc='<script>top.__ran=1</script><img src=\(address)>'></iframe>",
                "<img src='\(address)'><style>body{background:url(\(address))}</style><p style='background:url(\(address))'>x<form action=\(address)><button autofocus>y",
                "<svg><image href='\(address)'/><script href='\(address)'></script></svg><video src='\(address)' autoplay></video>",
            ]
            for (index, html) in pages.enumerated() {
                var exchange = Recorded.exchange(fields: [("Content-Type", "text/html")], length: html.utf8.count)
                exchange.response?.body.sha256 = Array(repeating: UInt8(index + 1), count: 32)
                try await page.store.record(exchange, response: Array(html.utf8))
            }
            try await Browser.with { browser in
                let pane = Pane(browser: browser, page: page)
                for id in 1...pages.count {
                    try await pane.open(id, "response")
                    try await pane.wait("document.querySelector('.body-content .toolbar')")
                    #expect(
                        try await pane.text("document.querySelectorAll('iframe').length") == "0",
                        "drawn without a click"
                    )
                    try await pane.press("Preview")
                    try await pane.press("Draw the page")
                    try await pane.wait("document.querySelector('iframe')")
                    try await pane.run(
                        "window.isLoaded = false; const frame = document.querySelector('iframe'); frame.addEventListener('load', () => { window.isLoaded = true; }); frame.src = frame.src;"
                    )
                    try await pane.wait("window.isLoaded")
                    let state = try await pane.text(
                        """
                        (() => { const frame = document.querySelector('iframe'); let inside = 'closed';
                          try { inside = frame.contentDocument === null ? 'closed' : 'open'; } catch { }
                          return [window.__ran, frame.getAttribute('sandbox'), inside, location.pathname].join(' '); })()
                        """
                    )
                    #expect(state == "  closed /exchanges/\(id)", "page \(id): \(state)")
                }
                // What the frame tried is on the console as stopped; nothing else is.
                for line in try await browser.console() {
                    let isStopped = [
                        "Unsafe attempt", "Blocked", "violates", "Refused", "Content Security Policy", "sandboxed",
                        "Not allowed",
                    ].contains { line.contains($0) }
                    #expect(isStopped, "\(line)")
                }
                // A browser may open a connection that a link announces; nothing is ever said on it.
                #expect(beacon.connections.allSatisfy { $0.receivedBytes == 0 })
            }
        }
    }

    @Test("Fields of the wrong kind, bytes that are no text and bodies that lie about themselves are shown")
    func wrongTypes() async throws {
        let bodies: [(String, [UInt8])] = [
            ("application/json", Array("[1, 2".utf8) + [0xFF, 0xFE]),
            ("application/json", Array(repeating: UInt8(ascii: "["), count: 20_000)),
            (
                "application/json",
                Array((String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)).utf8)
            ),
            ("text/html", [0xC3, 0x28, 0xA0, 0xA1, 0x3C, 0x70]),
            ("text/csv", Array("\"".utf8) + Array(repeating: 0x2C, count: 5_000)),
            ("multipart/mixed; boundary=\"((((\"", Array("--((((\r\n\r\n--((((--".utf8)),
            ("multipart/mixed", Array("--x\r\n".utf8)),
            ("application/xml", Array(repeating: UInt8(ascii: "<"), count: 50_000)),
            ("application/jwt", Array("eyJ9.eyJ9.x".utf8)),
            ("text/plain; charset=\"><script>window.__ran=1</script>", Array("x".utf8)),
            ("font/ttf", Array("<script>".utf8)), ("audio/mpeg", Array(repeating: 0xFF, count: 3_000)),
            (
                "image/svg+xml",
                Array(
                    "<svg xmlns='http://www.w3.org/2000/svg'><script>window.__ran=1</script><foreignObject><iframe xmlns='http://www.w3.org/1999/xhtml' srcdoc='x'/></foreignObject></svg>"
                        .utf8
                )
            ),
        ]
        try await Pane.with { page in
            for (index, (type, bytes)) in bodies.enumerated() {
                var exchange = Recorded.exchange(fields: [("Content-Type", type)], length: bytes.count)
                exchange.response?.body.sha256 = Array(repeating: UInt8(index + 1), count: 32)
                exchange.request.head = ByteBuffer(
                    bytes: Array("GET /\u{e9} HTTP/1.1\r\nX: ".utf8) + [0xFF, 0x00, 0xFE] + Array("\r\n\r\n".utf8)
                )
                try await page.store.record(exchange, response: bytes)
            }
        } _: { pane in
            try await pane.open(1)
            for index in bodies.indices {
                try await pane.go(index + 1, "response")
                try await pane.wait("document.querySelector('#panel a[href*=\"/exchanges/\(index + 1)/response\"]')")
                try await pane.wait("document.querySelector('.body-content .toolbar')")
                try await self.views(pane)
                #expect(try await pane.text("window.__ran") == "undefined", "body \(index)")
                try await pane.run("document.querySelector('#tab-request').click()")
                try await pane.wait("document.querySelector('pre.head').textContent.includes('X: ÿ')")
            }
        }
    }
}
