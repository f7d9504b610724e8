import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// ClientHellos in every shape that RFC 8446 §5.1 allows, and what is none.
@Suite(.timeLimit(.minutes(15)))
struct ClientHelloTests {
    private static func origin() async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
    }

    /// A client of Python's whose ClientHello goes out as a test says, by the program `cut`, which makes writes of bytes.
    ///
    /// It offers protocols of at least so many bytes, HTTP/1.1 last.
    private static func client(
        proxy: RunningProxy,
        port: Int,
        name: String,
        cut: String,
        protocolBytes: Int = 0
    ) async throws -> String {
        let program = """
            import socket, ssl, sys, time
            proxy, port, name, root = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
            sock = socket.create_connection(("127.0.0.1", proxy)); sock.settimeout(\(Patience.seconds(10)))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.sendall(b"CONNECT localhost:%d HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n" % port)
            answer = b""
            while not answer.endswith(b"\\r\\n\\r\\n"):
                byte = sock.recv(1)
                assert byte, answer
                answer += byte
            assert answer.startswith(b"HTTP/1.1 200"), answer
            context = ssl.create_default_context(cafile=root)
            context.set_alpn_protocols(["x-%0198d" % n for n in range(\(protocolBytes) // 200)] + ["http/1.1"])
            if not name: context.check_hostname = False
            incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            tls = context.wrap_bio(incoming, outgoing, server_hostname=name or None)
            def records(hello, size):
                body = hello[5:]
                return [b"\\x16\\x03\\x01" + len(body[i:i + size]).to_bytes(2, "big") + body[i:i + size] for i in range(0, len(body), size)]
            def messages(hello):
                # What is in the records that the client's library makes.
                while hello:
                    length = int.from_bytes(hello[3:5], "big")
                    yield hello[5:5 + length]
                    hello = hello[5 + length:]
            def cut(hello):
                \(cut)
            first = True
            def step(action):
                global first
                while True:
                    try:
                        result = action()
                    except ssl.SSLWantReadError:
                        result = None
                    data = outgoing.read()
                    if data:
                        for piece in (cut(data) if first else [data]):
                            sock.sendall(piece)
                        first = False
                    if result is not None: return result
                    got = sock.recv(65536)
                    if not got: raise EOFError("closed")
                    incoming.write(got)
            step(lambda: (tls.do_handshake(), 1)[1])
            names = [value for kind, value in tls.getpeercert()["subjectAltName"]]
            step(lambda: tls.write(b"GET /x HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n"))
            print(names, step(lambda: tls.read(4096)).decode())
            """
        let result = try await CommandLineTool.run(
            "python3",
            ["-c", program, "\(proxy.port)", "\(port)", name, proxy.rootFile],
            within: .seconds(30)
        )
        return result.output + result.errors.suffix(300)
    }

    @Test(
        "However it is cut, it is read, and the name in it is answered for",
        arguments: [
            "return [hello[i:i + 1] for i in range(len(hello))]",
            "return [hello[:1], hello[1:]]",
            "return [hello[:5], hello[5:]]",
            "return [hello[:6], hello[6:]]",
            "return records(hello, 1000)",
            "return records(hello, 100)",
            "return [b''.join(records(hello, 50))]",
            "return records(hello, 4)",
            "return [b''.join(records(hello, 1))]",
            "return records(hello, 1)",
        ]
    )
    func cut(how: String) async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run { proxy in
            let said = try await Self.client(proxy: proxy, port: origin.port, name: "localhost", cut: how)
            #expect(said.contains("['localhost'] HTTP/1.1 200 OK"), "\(said)")
            #expect(try await proxy.record().exchange.host == "localhost")
        }
    }

    @Test(
        "One of 15 kB is read in one record or many; one past the 16 KiB that the TLS library takes is refused at once, with a row",
        arguments: [(15_800, true), (16_400, false), (20_000, false), (32_700, false), (50_000, false)],
        ["return [hello]", "return records(hello[:5] + b''.join(r for r in messages(hello)), 1000)"]
    )
    func large(size: (Int, Bool), how: String) async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run { proxy in
            let said = try await Self.client(
                proxy: proxy,
                port: origin.port,
                name: "localhost",
                cut: how,
                protocolBytes: size.0
            )
            let record = try await proxy.record()
            #expect(said.contains("['localhost'] HTTP/1.1 200 OK") == size.1, "\(said)")
            #expect(record.exchange.host == "localhost" && record.exchange.method == (size.1 ? "GET" : "CONNECT"))
            #expect(size.1 || record.failure.hasPrefix("client tls"), "\(record.failure)")
            #expect(size.1 || !said.contains("timed out"), "\(said)")
        }
    }

    @Test("Without a server name the name of the CONNECT counts")
    func noServerName() async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run { proxy in
            let said = try await Self.client(proxy: proxy, port: origin.port, name: "", cut: "return [hello]")
            #expect(said.contains("['localhost'] HTTP/1.1 200 OK"), "\(said)")
        }
    }

    @Test("Bytes that begin like one and are none end in an error or a tunnel, never in a hang, and leave a row")
    func malformed() async throws {
        let origin = try await Self.origin()
        var random = SeededGenerator(seed: 16)
        let examples: [[UInt8]] =
            [
                [0x16, 3, 1, 0, 0, 1], [0x16, 3, 1, 0, 4, 1, 0, 0, 0], [0x16, 3, 1, 0xFF, 0xFF, 1, 0xFF, 0xFF, 0xFF],
                [0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0], [0x16, 3, 3, 0, 1, 1],
                Array(repeatElement([0x16, 3, 1, 0, 0], count: 5_000).joined()),
                [0x16, 3, 1, 0x40, 0, 1, 0, 0x3F, 0xFC] + [UInt8](repeating: 0, count: 16_380),
            ]
            + (0..<40).map { _ in
                [0x16, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3]
                    + (0..<194).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
        try await RunningProxy.run(clock: TestClock(), configure: { $0.peekTimeout = .hours(1_000) }) { proxy in
            var clients: [RawClient] = []
            for bytes in examples {
                let client = try await proxy.tunnel(to: origin.port)
                try? await client.send(bytes)
                clients.append(client)
            }
            // Some end by themselves, the others when it is time, once their bytes are read.
            try await proxy.pass(.seconds(10), until: "every one has ended") {
                proxy.sink.soFar.ended.count >= examples.count
            }
            let records = proxy.sink.soFar.ended
            #expect(records.count == examples.count)
            for record in records {
                #expect(record.exchange.method == "CONNECT" && record.exchange.host == "localhost", "\(record.failure)")
            }
            for client in clients { _ = try await client.readToEnd() }
        }
    }
}
