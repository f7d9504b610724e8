import Foundation
import Support
import Testing

/// A WebSocket on a stream of HTTP/2 (RFC 8441): Python's h2 as the client, hypercorn as the upstream.
@Suite(.timeLimit(.minutes(15))) struct ExtendedConnectTests {
    private struct Transcript: Decodable {
        /// Whether the settings offered extended CONNECT.
        let isOffered: Bool
        let status: String
        let messages: [String]
        let closeCode: Int
        let isStreamEnded: Bool
    }

    private static let script = """
        import json, ssl, sys
        import h2.config, h2.connection, h2.events, h2.settings
        from wsproto.connection import Connection, ConnectionType
        from wsproto.events import BytesMessage, CloseConnection, Ping, Pong, TextMessage
        proxy, root, certificate, key = int(sys.argv[1]), *sys.argv[2:]

        async def app(scope, receive, send):
            if scope["type"] == "http":
                await send({"type": "http.response.start", "status": 200, "headers": []})
                return await send({"type": "http.response.body", "body": b"plain"})
            await receive()
            await send({"type": "websocket.accept"})
            while True:
                event = await receive()
                if event["type"] == "websocket.disconnect": return
                await send({"type": "websocket.send", "text": event.get("text"), "bytes": event.get("bytes")})

        async def talk(port, stop):
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy)
            writer.write(f"CONNECT localhost:{port} HTTP/1.1\\r\\nHost: localhost:{port}\\r\\n\\r\\n".encode())
            assert b" 200 " in await reader.readuntil(b"\\r\\n\\r\\n")
            context = ssl.create_default_context(cafile=root)
            context.set_alpn_protocols(["h2"])
            await writer.start_tls(context, server_hostname="localhost")
            connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
            connection.initiate_connection()
            writer.write(connection.data_to_send())
            offered = status = None
            ended = False
            socket, said, code = Connection(ConnectionType.CLIENT), [], 0
            todo = [TextMessage(data="käse"), BytesMessage(data=bytes(300_000)), Ping(payload=b"hi"), CloseConnection(code=4002)]
            async def step():
                nonlocal offered, status, ended, code
                data = await asyncio.wait_for(reader.read(65536), \(Patience.seconds(20)))
                assert data, "the proxy ended the connection"
                for event in connection.receive_data(data):
                    if isinstance(event, h2.events.RemoteSettingsChanged) and offered is None:
                        change = event.changed_settings.get(h2.settings.SettingCodes.ENABLE_CONNECT_PROTOCOL)
                        offered = change is not None and change.new_value == 1
                    elif isinstance(event, h2.events.ResponseReceived):
                        status = dict(event.headers)[":status"]
                    elif isinstance(event, h2.events.DataReceived):
                        connection.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                        if event.data and not code: socket.receive_data(event.data)
                    elif isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)):
                        ended = isinstance(event, h2.events.StreamEnded)
                        if status is None: status = "none"
                writer.write(connection.data_to_send())
            while offered is None: await step()
            connection.send_headers(1, [(":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "https"),
                (":authority", f"localhost:{port}"), (":path", "/chat?h2"), ("sec-websocket-version", "13")])
            writer.write(connection.data_to_send())
            while status is None: await step()
            size = [0]
            for message in todo:
                data = socket.send(message)
                while data:
                    room = min(connection.local_flow_control_window(1), connection.max_outbound_frame_size)
                    if room == 0:
                        await step()
                        continue
                    connection.send_data(1, data[:room])
                    data = data[room:]
                    writer.write(connection.data_to_send())
                answered = False
                while not answered and not ended:
                    await step()
                    for event in socket.events():
                        if isinstance(event, TextMessage): said.append("text " + event.data)
                        if isinstance(event, BytesMessage): size[0] += len(event.data)
                        if isinstance(event, Pong): said.append("pong " + bytes(event.payload).decode())
                        if isinstance(event, CloseConnection): code = event.code
                        answered = (not isinstance(event, BytesMessage)) or event.message_finished
                        if isinstance(event, BytesMessage) and answered: said.append(f"bytes {size[0]}")
            # The upstream never ends its half of a closed WebSocket; as it stops, it ends the idle connection.
            stop.set()
            while not ended: await step()
            connection.end_stream(1)
            writer.write(connection.data_to_send())
            print(json.dumps({"isOffered": offered, "status": status, "messages": said, "closeCode": code, "isStreamEnded": ended}))

        asyncio.run(serve(app, talk, certfile=certificate, keyfile=key, alpn_protocols=["h2", "http/1.1"]))
        """

    @Test("A WebSocket on a stream passes on a stream, is offered because the upstream offers it, and is recorded")
    func talks() async throws {
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: ["localhost"])
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let result = try await CommandLineTool.run(
            try RealClientsTests.python(),
            ["-c", HypercornScript.beginning + Self.script, "\(inspect.port)", try await inspect.rootFile()]
                + [tls.certificateFile, tls.keyFile],
            within: .seconds(60)
        )
        try #require(result.status == 0, "\(result.errors)")
        let transcript = try JSONDecoder().decode(Transcript.self, from: Data(result.outputBytes))
        #expect(transcript.isOffered && transcript.status == "200" && transcript.isStreamEnded)
        #expect(transcript.messages == ["text käse", "bytes 300000", "pong hi"] && transcript.closeCode == 4_002)
        let row = try #require(
            try await inspect.listing(with: "its end") { $0.exchanges.first.map { $0.outcome != "pending" } == true }
                .exchanges.first
        )
        #expect(row.outcome == "completed" && row.scheme == "wss" && row.protocol == "WebSocket", "\(row)")
        #expect(row.method == "CONNECT" && row.code == 200 && row.target == "/chat?h2")
        let shown = try await RunningInspect.run(
            ["show", "\(row.id)", "--messages", "--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        #expect(shown.output.components(separatedBy: "käse").count == 3, "\(shown.output)")
        #expect(shown.output.components(separatedBy: "close 4002").count == 3)
    }
}
