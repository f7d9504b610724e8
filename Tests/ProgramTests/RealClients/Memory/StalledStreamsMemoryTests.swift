import Foundation
import Support
import Testing

/// What HTTP/2 clients cost that stall in the middle of a large response, whether their window or their socket is full.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct StalledStreamsMemoryTests {
    /// What all together may have on their way to the store: `captureLimitBytes`.
    private static let captureLimitBytes = 64 << 20
    /// What an upstream may send of one stream that nobody reads: `upstreamStreamWindowBytes`.
    private static let windowBytes = 1 << 20
    /// What a client's stream takes without reading: the window it begins with.
    private static let clientWindowBytes = 64 << 10
    /// What goes on towards a client that takes no more: what its stream may hold, twice the burst that filled it, and the frame under way.
    private static let aheadBytes = 64 << 10 + 2 * (64 << 10) + 16 << 10

    /// How a client stalls.
    enum Stall: String, CaseIterable {
        /// It leaves the window as it is.
        case window
        /// It opens the widest window, and does not read its socket.
        case socket
        /// All streams are one connection's, whose own window is the widest.
        case shared
    }

    @Test(
        "An HTTP/2 client that stalls holds one window of its stream, and costs the memory of two",
        arguments: Stall.allCases
    )
    func stalled(_ stall: Stall) async throws { try await Self.stalled(stall, 20, megabytes: 20) }

    /// Has so many streams stall in a response of so many megabytes.
    ///
    /// - Throws: when something does not come in time.
    static func stalled(_ stall: Stall, _ count: Int, megabytes: Int) async throws {
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: ["localhost"])
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let peers = try RunningProcess(
            try RealClientsTests.python(),
            [
                "-c", script, "\(inspect.port)", tls.certificateFile, tls.keyFile, "\(count)", "\(megabytes)",
                stall.rawValue, "\(count * windowBytes)", "\(Patience.seconds(60))",
            ]
        )
        _ = try await peers.line(containing: "warm", within: .seconds(60))
        let before = try await ResidentMemory.bytes(of: inspect.process.id)
        let go = try await RawClient.connect(port: try await number(after: "begin at", of: peers))
        _ = try await peers.line(containing: "stalled", within: .seconds(120))
        let growth = try await ResidentMemory.bytes(of: inspect.process.id) - before
        print("\(count) streams stalled by their \(stall): \(growth >> 10) KB, \((growth >> 10) / count) KB each")
        // Beside the window what is gathered for the record, TLS's buffers, and what the allocator loses.
        #expect(growth < captureLimitBytes + count * windowBytes * 2)
        let sent = try await number(after: "sent", of: peers)
        print("\(sent >> 10) KB of them were sent, \((sent >> 10) / count) KB each")
        // How much a socket takes is the system's matter.
        let held = windowBytes + clientWindowBytes + aheadBytes
        #expect(stall == .socket || sent <= count * held, "\(sent / count) bytes of a stream were let in, not \(held)")
        // None of them is lost: one that goes on has everything.
        try await go.send("x")
        let whole = try await number(after: "whole", of: peers)
        #expect(whole == megabytes << 20)
        let ended = try await peers.end()
        #expect(ended.status == 0, "\(ended)")
        let rows = try await inspect.listing(with: "all exchanges to end") { listing in
            listing.exchanges.count { $0.outcome != "pending" && $0.target.hasSuffix("/large") } == count
        }
        #expect(rows.exchanges.contains { $0.outcome == "completed" && $0.responseBytes == megabytes << 20 })
    }

    private static func number(after text: String, of peers: RunningProcess) async throws -> Int {
        let line = try await peers.line(containing: text, within: .seconds(60))
        guard let number = line.split(separator: " ").last.flatMap({ Int($0) }) else {
            throw Unexpected("no number in what the script printed: \(line)")
        }
        return number
    }

    /// An upstream that sends as much of each response as the windows let it, and the clients.
    private static let script = """
        import socket, ssl, sys, threading
        import h2.config, h2.connection, h2.events, h2.exceptions, h2.settings
        proxy, certificate, key, count, megabytes, stall, windows, patience = sys.argv[1:]
        proxy, count, size, windows, patience = int(proxy), int(count), int(megabytes) << 20, int(windows), int(patience)
        widest = 2**31 - 1
        moved = threading.Condition()
        total = [0]
        # How often in a row each connection's other end has answered a PING, and so taken all before it, without that more could be sent.
        answered = {}
        enough = 3
        piece = bytes(16384)

        def serve(sock):
            sock = server.wrap_socket(sock, server_side=True)
            sock.settimeout(0.2)
            http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
            http.initiate_connection(); sock.sendall(http.data_to_send())
            left = {}; asked = False
            while True:
                sent = 0
                for stream in list(left):
                    try:
                        while left[stream] and (room := min(left[stream], http.local_flow_control_window(stream), len(piece))) > 0:
                            http.send_data(stream, piece[:room], end_stream=room == left[stream])
                            left[stream] -= room; sent += room
                            sock.settimeout(None); sock.sendall(http.data_to_send()); sock.settimeout(0.2)
                    except (h2.exceptions.StreamClosedError, KeyError): pass
                    if not left.get(stream): left.pop(stream, None)
                if sent:
                    with moved: total[0] += sent; answered[sock] = 0
                if left and not asked and answered.get(sock, 0) < enough:
                    http.ping(b"all come"); asked = True
                    sock.settimeout(None); sock.sendall(http.data_to_send()); sock.settimeout(0.2)
                try: data = sock.recv(65536)
                except TimeoutError: continue
                except OSError: return
                if not data: return
                for event in http.receive_data(data):
                    if isinstance(event, h2.events.PingAckReceived):
                        asked = False
                        with moved: answered[sock] = answered.get(sock, 0) + 1; moved.notify()
                    elif isinstance(event, h2.events.RequestReceived):
                        large = (b":path", b"/large") in [(bytes(n), bytes(v)) for n, v in event.headers]
                        http.send_headers(event.stream_id, [(":status", "200")], end_stream=not large)
                        if large: left[event.stream_id] = size
                    elif isinstance(event, h2.events.StreamReset): left.pop(event.stream_id, None)
                try: sock.sendall(http.data_to_send())
                except OSError: return

        def accept():
            while True:
                sock = listener.accept()[0]
                threading.Thread(target=serve, args=(sock,), daemon=True).start()

        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER); server.load_cert_chain(certificate, key); server.set_alpn_protocols(["h2"])
        listener = socket.create_server(("127.0.0.1", 0), backlog=512); port = listener.getsockname()[1]
        threading.Thread(target=accept, daemon=True).start()
        begin = socket.create_server(("127.0.0.1", 0))
        # The proxy's certificates are other tests' matter.
        trusting = ssl._create_unverified_context(); trusting.set_alpn_protocols(["h2"])

        class Client:
            def __init__(self):
                sock = socket.socket(); sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536); sock.settimeout(patience)
                sock.connect(("127.0.0.1", proxy))
                sock.sendall(b"CONNECT localhost:%d HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n" % port); head = b""
                while not head.endswith(b"\\r\\n\\r\\n"):
                    byte = sock.recv(1)
                    assert byte, head
                    head += byte
                assert b" 200 " in head
                self.sock = trusting.wrap_socket(sock, server_hostname="localhost")
                assert self.sock.selected_alpn_protocol() == "h2", "HTTP/2 was not agreed on"
                self.http = h2.connection.H2Connection(); self.http.initiate_connection(); self.next = 1; self.got = {}
                if stall != "window": self.widen(stall == "socket")
            def widen(self, streams):
                if streams: self.http.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: widest})
                self.http.increment_flow_control_window(widest - self.http.inbound_flow_control_window)
            def ask(self, path):
                self.http.send_headers(self.next, [(":method", "GET"), (":scheme", "https"), (":authority", f"localhost:{port}"), (":path", path)], end_stream=True)
                self.next += 2; self.sock.sendall(self.http.data_to_send())
            def read(self):
                ended, data = False, self.sock.recv(65536)
                assert data, "the proxy closed the connection"
                for event in self.http.receive_data(data):
                    assert not isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)), event
                    if isinstance(event, h2.events.DataReceived): self.got[event.stream_id] = self.got.get(event.stream_id, 0) + len(event.data)
                    ended = ended or isinstance(event, h2.events.StreamEnded)
                self.sock.sendall(self.http.data_to_send())
                return ended

        for _ in range(10):
            client = Client(); client.ask("/small")
            while not client.read(): pass
        print("warm", flush=True)
        print("begin at", begin.getsockname()[1], flush=True)
        go = begin.accept()[0]
        clients = [Client() for _ in range(1 if stall == "shared" else count)]
        for index in range(count):
            client = clients[index % len(clients)]; client.ask("/large")
            if stall != "shared" or index == count - 1:
                while not client.got: client.read()
        # Every stream's window first, however long that takes, and then whatever else goes on.
        with moved:
            stalled = lambda: total[0] >= windows and all(times >= enough for times in answered.values())
            assert moved.wait_for(stalled, patience), (total[0], answered)
        print("stalled", flush=True)
        print("sent", total[0], flush=True)
        go.recv(1)
        if stall == "window": client.widen(True)
        if stall == "shared": client.http.increment_flow_control_window(size, client.next - 2)
        client.sock.sendall(client.http.data_to_send())
        while not client.read(): pass
        print("whole", max(client.got.values()), flush=True)
        """
}
