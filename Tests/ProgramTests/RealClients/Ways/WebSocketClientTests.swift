import Foundation
import Support
import Testing

/// Python's `websockets` as client and server talk through the proxy as they do without it, and every message is recorded.
@Suite(.timeLimit(.minutes(15))) struct WebSocketClientTests {
    /// What the script says it saw, both ways.
    private struct Transcript: Decodable {
        let port: Int
        let direct: [[String]]
        let proxied: [[String]]
        /// The times that a client under the proxy said the same as the first.
        let alike: Int
    }

    private static let script = """
        import asyncio, json, ssl, sys
        from websockets.asyncio.client import connect
        from websockets.asyncio.server import serve
        from websockets.exceptions import ConnectionClosed

        proxy, root, certificate, key, scheme, compression, clients = sys.argv[1:]
        compression = None if compression == "none" else compression
        big = " ".join(str(n) for n in range(160_000))

        async def handle(socket):
            async for message in socket:
                if message == "close me":
                    await socket.close(4001, "as asked")
                elif message == "fragments":
                    await socket.send(["in ", "three ", "parts"])
                else:
                    await socket.send(message)

        async def talk(port, proxy):
            context = ssl.create_default_context(cafile=root) if scheme == "wss" else None
            if scheme == "wss" and proxy is None:
                context = ssl.create_default_context(cafile=sys.argv[2] + ".upstream")
            said = []
            async with connect(f"{scheme}://localhost:{port}/chat?x=1", proxy=proxy, ssl=context, compression=compression,
                               max_size=None, subprotocols=None, user_agent_header=None) as socket:
                said.append(["handshake", str(socket.response.status_code),
                             socket.response.headers.get("Sec-WebSocket-Extensions", "none")])
                for message in ["käse", bytes(range(256)), "", ["one ", "two ", "three"], "fragments", big]:
                    await socket.send(message)
                    said.append(["message", str(hash_of(await socket.recv()))])
                await (await socket.ping(b"are you there"))
                said.append(["pong"])
                await socket.send("close me")
                try:
                    await socket.recv()
                except ConnectionClosed as closed:
                    said.append(["closed", str(closed.rcvd.code), closed.rcvd.reason, str(closed.rcvd_then_sent)])
            return said

        def hash_of(message):
            import hashlib
            data = message.encode() if isinstance(message, str) else message
            return type(message).__name__ + hashlib.sha256(data).hexdigest()

        async def main():
            context = None
            if scheme == "wss":
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(certificate, key)
            async with serve(handle, "127.0.0.1", 0, ssl=context, compression=compression, max_size=None) as server:
                port = server.sockets[0].getsockname()[1]
                direct = await talk(port, None)
                proxied = await talk(port, proxy)
                others = await asyncio.gather(*(talk(port, proxy) for _ in range(int(clients) - 1)))
                print(json.dumps({"port": port, "direct": direct, "proxied": proxied,
                                  "alike": sum(other == proxied for other in others)}))

        asyncio.run(main())
        """

    @Test(
        "Text, binary, fragments, ping, a megabyte, close codes: the same as direct, and all of it in the store",
        arguments: [("ws", "none"), ("ws", "deflate"), ("wss", "deflate")]
    )
    func talks(scheme: String, compression: String) async throws {
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: ["localhost"])
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let root = try await inspect.rootFile()
        _ = try inspect.directory.write(
            String(contentsOfFile: authority.rootFile, encoding: .utf8),
            to: "root.pem.upstream"
        )
        let clients = 3
        let result = try await CommandLineTool.run(
            try RealClientsTests.python(),
            [
                "-c", Self.script, inspect.proxy, root, tls.certificateFile, tls.keyFile, scheme, compression,
                "\(clients)",
            ],
            within: .seconds(100)
        )
        try #require(result.status == 0, "\(result.errors)")
        let transcript = try JSONDecoder().decode(Transcript.self, from: Data(result.outputBytes))
        #expect(transcript.proxied == transcript.direct && transcript.proxied.count == 9)
        #expect(transcript.alike == clients - 1)
        #expect(transcript.proxied.last == ["closed", "4001", "as asked", "True"])

        let rows = try await inspect.listing(with: "every WebSocket's end") { listing in
            listing.exchanges.count == clients && listing.exchanges.allSatisfy { $0.outcome != "pending" }
        }.exchanges
        #expect(
            rows.allSatisfy { $0.outcome == "completed" && $0.code == 101 && $0.protocol == "WebSocket" },
            "\(rows)"
        )
        #expect(rows.allSatisfy { $0.scheme == scheme && $0.port == transcript.port && $0.target == "/chat?x=1" })
        for row in rows { try await expectMessages(row.id, inspect, isCompressed: compression != "none") }
    }

    private struct Message: Decodable {
        let direction: String
        let label: String
        let opcode: Int
        let status: Int?
        let wireBytes: Int
        let size: Int
        let truncated: Bool
        let compressed: Bool
        let problem: String?
        let text: String?
        let base64: String?
    }

    private struct Messages: Decodable { let messages: [Message] }

    private func expectMessages(_ id: Int, _ inspect: RunningInspect, isCompressed: Bool) async throws {
        let store = RunningInspect.store(inspect.directory)
        let shown = try await RunningInspect.run(
            ["show", "\(id)", "--messages", "--json", "--store", store],
            in: inspect.directory
        )
        let messages = try JSONDecoder().decode(Messages.self, from: Data(shown.outputBytes)).messages
        let bytes = Data(0...255).base64EncodedString()
        for (direction, fragments) in [("send", "fragments"), ("receive", "in three parts")] {
            let contents = messages.filter { $0.direction == direction && $0.opcode < 8 }
            #expect(contents.map(\.label).prefix(6) == ["text", "binary", "text", "text", "text", "text"])
            #expect(contents.prefix(5).map { $0.text ?? $0.base64 } == ["käse", bytes, "", "one two three", fragments])
            #expect(contents.allSatisfy { $0.compressed == isCompressed && $0.problem == nil })
            let big = try #require(contents.dropFirst(5).first)
            #expect(
                big.size > 1_000_000 && big.truncated == (big.size > 1 << 20) && big.text?.hasPrefix("0 1 2 3 ") == true
            )
            #expect(isCompressed ? big.wireBytes < big.size / 2 : big.wireBytes == big.size)
        }
        #expect(messages.contains { $0.label == "ping" && $0.direction == "send" && $0.text == "are you there" })
        #expect(messages.contains { $0.label == "pong" && $0.direction == "receive" && $0.text == "are you there" })
        let closes = messages.filter { $0.label == "close" }
        #expect(closes.map(\.direction) == ["receive", "send"] && closes.map(\.status) == [4_001, 4_001])
        #expect(closes.first?.text == "as asked")
    }

    @Test(
        "A page in Chromium that fetches, listens to events and speaks over a WebSocket works, and all of it is recorded"
    )
    func chromium() async throws {
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: ["localhost"])
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let origin = try RunningProcess(
            try RealClientsTests.python(),
            ["-c", Self.pageOrigin, tls.certificateFile, tls.keyFile]
        )
        let line = try await origin.line(containing: "port ")
        let port = try #require(line.split(separator: " ").last.flatMap { Int($0) })
        let browser = try await HeadlessChromium(trusting: inspect.rootFile())
        let result = try await browser.dump("https://localhost:\(port)/page", proxy: inspect.proxy)
        #expect(
            result.output.contains("fetched 3 events one,two,three socket hello back from the socket closed 1000"),
            "\(result.output) \(result.errors.suffix(1_000)) \(origin.soFar)"
        )
        let rows = try await inspect.listing(with: "the page's exchanges") { listing in
            listing.exchanges.contains { $0.target == "/events" && $0.outcome != "pending" }
                && listing.exchanges.contains { $0.target == "/socket" && $0.outcome != "pending" }
        }.exchanges
        let socket = try #require(rows.first { $0.target == "/socket" })
        #expect(socket.scheme == "wss" && socket.code == 101 && socket.outcome == "completed", "\(socket)")
        let store = RunningInspect.store(inspect.directory)
        let sent = try await RunningInspect.run(
            ["show", "\(socket.id)", "--messages", "--store", store],
            in: inspect.directory
        )
        #expect(sent.output.contains("hello from the page") && sent.output.contains("hello back from the socket"))
        let events = try #require(rows.first { $0.target == "/events" })
        let told = try await RunningInspect.run(
            ["show", "\(events.id)", "--messages", "--store", store],
            in: inspect.directory
        )
        #expect(told.output.contains("tick #7") && told.output.split(separator: "\n").count == 3, "\(told.output)")
        #expect(rows.contains { $0.target == "/data" && $0.code == 200 && $0.outcome == "completed" })
        _ = try await origin.destroy()
    }

    /// A page over TLS with what it asks for; a picture that is held back keeps it loading until it has reported.
    private static let pageOrigin = """
        import base64, hashlib, http.server, socketserver, ssl, sys, threading, time
        reported = threading.Event()
        page = b'''<!doctype html><p id="said"></p><img src="/held" alt=""><script>
        const said = async () => {
          const data = await (await fetch("/data")).json();
          const events = await new Promise((done) => {
            const all = [], source = new EventSource("/events");
            const take = (event) => { all.push(event.data); if (all.length === 3) { source.close(); done(all); } };
            source.onmessage = take;
            source.addEventListener("tick", take);
          });
          const socket = await new Promise((done) => {
            const socket = new WebSocket(`wss://${location.host}/socket`);
            let text = "";
            socket.onopen = () => socket.send("hello from the page");
            socket.onmessage = (event) => { text = event.data; socket.close(1000); };
            socket.onclose = (event) => done(`${text} closed ${event.code}`);
          });
          document.getElementById("said").textContent = `fetched ${data.n} events ${events} socket ${socket}`;
          await fetch("/done");
        };
        said();
        </script>'''

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def answer(self, body, kind):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            def do_GET(self):
                if self.path == "/page": self.answer(page, "text/html")
                elif self.path == "/data": self.answer(b'{"n": 3}', "application/json")
                elif self.path == "/done": reported.set(); self.answer(b"ok", "text/plain")
                elif self.path == "/held": reported.wait(\(Patience.seconds(60))); self.answer(b"", "image/png")
                elif self.path == "/events": self.events()
                elif self.path == "/socket": self.socket()
                else: self.send_error(404)
            def events(self):
                self.close_connection = True
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for part in [b"data: one\\n\\n", b"event: tick\\nid: 7\\ndata: two\\n\\n", b"data: three\\n\\n"]:
                    self.wfile.write(part)
                    self.wfile.flush()
                    time.sleep(0.05)
                reported.wait(\(Patience.seconds(30)))
            def socket(self):
                self.close_connection = True
                key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
                self.send_response(101)
                self.send_header("Upgrade", "websocket")
                self.send_header("Connection", "Upgrade")
                self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
                self.end_headers()
                while True:
                    first, length = self.rfile.read(2)
                    mask = self.rfile.read(4)
                    data = bytes(byte ^ mask[n % 4] for n, byte in enumerate(self.rfile.read(length & 127)))
                    if first & 15 == 8:
                        self.wfile.write(bytes([0x88, len(data)]) + data)
                        return
                    text = b"hello back from the socket"
                    self.wfile.write(bytes([0x81, len(text)]) + text)
            def log_message(self, *arguments): pass

        class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True
            def get_request(self):
                connection, address = self.socket.accept()
                return context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address
            def handle_error(self, request, address): pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        server = Server(("127.0.0.1", 0), Handler)
        print("port", server.server_address[1], flush=True)
        server.serve_forever()
        """
}
