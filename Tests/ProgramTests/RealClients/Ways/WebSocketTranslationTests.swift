import Foundation
import Support
import Testing

/// A WebSocket of HTTP/1.1 to an upstream that speaks HTTP/2 alone: Python's websockets as the client, hypercorn as the upstream.
@Suite(.timeLimit(.minutes(15))) struct WebSocketTranslationTests {
    private struct Transcript: Decodable {
        let handshake: Int
        let subprotocol: String?
        let messages: [String]
        let closeCode: Int
        /// What the upstream's application was told of the connection.
        let version: String
        let path: String
        let refused: Int
        /// What a client of HTTP/1.1 got that asked the proxy for an https URL.
        let plain: [String]
    }

    private static let script = """
        import http.client, json, socket, ssl, sys, threading
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed, InvalidStatus
        proxy, root, certificate, key = sys.argv[1:]
        seen = {}

        async def app(scope, receive, send):
            if scope["type"] == "http":
                await send({"type": "http.response.start", "status": 200, "headers": []})
                return await send({"type": "http.response.body", "body": b"over " + scope["http_version"].encode()})
            await receive()
            if scope["path"] == "/no": return await send({"type": "websocket.close"})
            seen.update(version=scope["http_version"], path=scope["path"] + "?" + scope["query_string"].decode())
            await send({"type": "websocket.accept", "subprotocol": "chat"})
            while True:
                event = await receive()
                if event["type"] == "websocket.disconnect": return
                if event.get("text") == "bye": return await send({"type": "websocket.close", "code": 4003})
                await send({"type": "websocket.send", "text": event.get("text"), "bytes": event.get("bytes")})

        def serve_tls(listener, port):
            # Ends TLS as other libraries' servers do, with an alert for a client that does not offer h2; Python's own lets it in.
            context, offers = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), {}
            context.load_cert_chain(certificate, key)
            context.set_alpn_protocols(["h2"])
            def watch(connection, direction, version, content, kind, data):
                if direction == "read" and bytes(data[:1]) == b"\\x01": offers["last"] = b"\\x02h2" in bytes(data)
            context._msg_callback = watch
            context.sni_callback = lambda connection, name, own: None if offers.get("last") else 120
            def pump(source, sink):
                try:
                    while data := source.recv(65536): sink.sendall(data)
                    sink.shutdown(socket.SHUT_WR)
                except OSError: pass
            while True:
                plain = listener.accept()[0]
                try: secure = context.wrap_socket(plain, server_side=True)
                except OSError: continue
                onward = socket.create_connection(("127.0.0.1", port))
                for pair in ((secure, onward), (onward, secure)): threading.Thread(target=pump, args=pair, daemon=True).start()

        async def talk(port):
            context = ssl.create_default_context(cafile=root)
            base, said = f"wss://localhost:{port}", []
            async with connect(base + "/chat?h1", proxy=proxy, ssl=context, max_size=None, subprotocols=["chat"]) as chat:
                status = chat.response.status_code
                for message in ["käse", bytes(300_000), ["one ", "two"], "x" * 100_000]:
                    await chat.send(message)
                    answer = await chat.recv()
                    said.append(f"{type(answer).__name__} {len(answer)}")
                await (await chat.ping(b"hi"))
                await chat.send("bye")
                try: await chat.recv()
                except ConnectionClosed as closed: code = closed.rcvd.code
                subprotocol = chat.subprotocol
            try:
                async with connect(base + "/no", proxy=proxy, ssl=context): refused = 101
            except InvalidStatus as answer: refused = answer.response.status_code
            def ask(path):
                connection = http.client.HTTPConnection("127.0.0.1", int(proxy.split(":")[-1]), timeout=\(Patience.seconds(10)))
                connection.request("GET", f"https://localhost:{port}{path}")
                return connection.getresponse().read().decode()
            plain = [await asyncio.to_thread(ask, path) for path in ("/a", "/b")]
            print(json.dumps({"handshake": status, "plain": plain, "subprotocol": subprotocol, "messages": said, "closeCode": code, "refused": refused, **seen}))

        async def talk_tls(port, stop):
            listener = socket.create_server(("127.0.0.1", 0))
            threading.Thread(target=serve_tls, args=(listener, port), daemon=True).start()
            await talk(listener.getsockname()[1])

        asyncio.run(serve(app, talk_tls))
        """

    @Test("It opens as an extended CONNECT, passes and closes as a WebSocket, and both heads are recorded")
    func talks() async throws {
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: ["localhost"])
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let result = try await CommandLineTool.run(
            try RealClientsTests.python(),
            ["-c", HypercornScript.beginning + Self.script, inspect.proxy, try await inspect.rootFile()]
                + [tls.certificateFile, tls.keyFile],
            within: .seconds(60)
        )
        try #require(result.status == 0, "\(result.errors)")
        let transcript = try JSONDecoder().decode(Transcript.self, from: Data(result.outputBytes))
        #expect(transcript.handshake == 101 && transcript.subprotocol == "chat" && transcript.closeCode == 4_003)
        #expect(transcript.messages == ["str 4", "bytes 300000", "str 7", "str 100000"])
        #expect(transcript.version == "2" && transcript.path == "/chat?h1" && transcript.refused == 403)
        #expect(transcript.plain == ["over 2", "over 2"])
        let rows = try await inspect.listing(with: "four ends") {
            $0.exchanges.filter { $0.outcome != "pending" }.count == 4
        }.exchanges
        let row = try #require(rows.first { $0.target == "/chat?h1" })
        #expect(row.outcome == "completed" && row.scheme == "wss" && row.protocol == "WebSocket", "\(row)")
        let shown = try await RunningInspect.run(
            ["show", "\(row.id)", "--messages", "--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        #expect(shown.output.components(separatedBy: "käse").count == 3, "\(shown.output)")
        #expect(shown.output.components(separatedBy: "close 4003").count == 3, "\(shown.output)")
        #expect(
            rows.first { $0.target == "/no" }.map { $0.code == 403 && $0.outcome == "completed" } == true,
            "\(rows)"
        )
    }
}
