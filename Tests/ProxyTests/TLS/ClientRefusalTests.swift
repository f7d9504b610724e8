import Proxy
import Support
import Testing
import Traffic

@Suite("Clients that will not speak with us", .timeLimit(.minutes(15)))
struct ClientRefusalTests {
    private static let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

    /// Runs Python against the proxy, until it is ended: `hello(host, roots)` makes a tunnel and shakes hands in it.
    ///
    /// It stays when it is done, so that its program can be found however busy the machine is.
    private static func python(_ script: String, _ proxy: RunningProxy, _ port: Int) async throws -> RunningProcess {
        let start = """
            import signal, socket, ssl, warnings
            warnings.simplefilter("ignore")
            ROOT, OTHER, PORT = "\(proxy.rootFile)", "\(Certificates.file("root.pem"))", \(port)
            def hello(host, roots, version=None):
                s = socket.create_connection(("127.0.0.1", \(proxy.port)))
                s.sendall(f"CONNECT {host}:{PORT} HTTP/1.1\\r\\nHost: {host}:{PORT}\\r\\n\\r\\n".encode())
                head = b""
                while not head.endswith(b"\\r\\n\\r\\n"):
                    byte = s.recv(1)
                    assert byte, head
                    head += byte
                c = ssl.create_default_context(cafile=roots)
                if version:
                    c.minimum_version = c.maximum_version = version
                    c.set_ciphers("ALL:@SECLEVEL=0")
                return c.wrap_socket(s, server_hostname=host)
            def leave(t):
                # Ends when the proxy has answered its close_notify.
                t.unwrap().close()
            def get(t):
                t.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
                while t.recv(4096): pass

            """
        let end = "\nprint('done', flush=True)\nsignal.pause()\n"
        let process = try RunningProcess(try CommandLineTool.find("python3"), ["-c", start + script + end])
        _ = try await process.line(containing: "done")
        return process
    }

    /// What is recorded of a client that runs a script and is refused, or refuses.
    ///
    /// - Parameters:
    ///   - script: what it does.
    ///   - rows: how many rows come of it.
    ///   - clock: one that stands still where a row has to wait for its program, however long that is looked for.
    /// - Returns: the last row of one that failed.
    /// - Throws: when there are not so many rows, or none failed.
    private func refusal(_ script: String, rows: Int = 1, clock: TestClock? = nil) async throws -> Exchange {
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { _ in Self.ok }
        )
        let ended = Watched<[Exchange]>([])
        try await RunningProxy.run(clock: clock, configure: { $0.remedyWords = { "take the step \($0)" } }) { proxy in
            let process = try await Self.python(script, proxy, origin.port)
            let all = try await proxy.sink.ended(rows)
            _ = try await process.destroy()
            #expect(all.count == rows)
            ended.update { $0 = all.map(\.exchange) }
        }
        return try #require(ended.value.last { $0.outcome == .failed })
    }

    @Test("One that knows another root only says so, and is told how to trust ours")
    func unknownRoot() async throws {
        let exchange = try await refusal(
            """
            try: hello("localhost", OTHER)
            except ssl.SSLError: pass
            """,
            clock: TestClock()
        )
        #expect(exchange.failure?.cause == .unknownCA && exchange.host == "localhost")
        #expect(exchange.client.runtime == .openssl && exchange.client.hello?.hasPrefix("t13d") == true)
        #if os(Linux)
        let message = try #require(exchange.failure?.message)
        #expect(
            message.hasPrefix("python") && message.contains("To fix it: take the step run(program: Optional(\"python"),
            "\(message)"
        )
        #endif
        #expect(TLSRemedy(exchange)?.passThrough == "localhost")
    }

    @Test("One that compares the certificate after the handshake and leaves has pinned it")
    func left() async throws {
        let exchange = try await refusal("hello(\"localhost\", ROOT).close()")
        #expect(exchange.failure?.cause == .left && exchange.method == "CONNECT" && exchange.scheme == .https)
        #expect(TLSRemedy(exchange)?.step == .passThrough(host: "localhost"))
    }

    @Test("One that leaves as the proxy stops is recorded all the same")
    func leftAtTheEnd() async throws {
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { _ in Self.ok }
        )
        let (sinks, clients) = (Watched<[RecordingSink]>([]), Watched<[RunningProcess]>([]))
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let process = try await Self.python("leave(hello(\"localhost\", ROOT))", proxy, origin.port)
            sinks.update { $0 = [proxy.sink] }
            clients.update { $0 = [process] }
        }
        let all = try await #require(sinks.value.first).ended()
        #expect(all.map(\.exchange.failure?.cause) == [.left])
        _ = try await clients.value.first?.destroy()
    }

    #if os(Linux)
    @Test("A program that asks for things in one host's name and refuses our certificate for another's pins that one's")
    func pinned() async throws {
        let exchange = try await refusal(
            """
            get(hello("localhost", ROOT))
            try: hello("127.0.0.1", OTHER)
            except ssl.SSLError: pass
            """,
            rows: 2,
            clock: TestClock()
        )
        #expect(exchange.failure?.cause == .pinned && exchange.host == "127.0.0.1")
        #expect(TLSRemedy(exchange)?.step == .passThrough(host: "127.0.0.1"))
    }
    #endif

    @Test("One that speaks only an old version is told that this is why")
    func oldVersion() async throws {
        let exchange = try await refusal(
            """
            try: hello("localhost", ROOT, ssl.TLSVersion.TLSv1_1)
            except (ssl.SSLError, OSError): pass
            """
        )
        #expect(exchange.failure?.cause == .protocolVersion, "\(String(describing: exchange.failure))")
    }

    @Test(
        "A connection that is dropped unused by a client that has another leaves no row, before it uses that or after",
        arguments: ["get(a); leave(b)", "leave(b); get(a)"]
    )
    func spare(script: String) async throws {
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { _ in Self.ok }
        )
        let sinks = Watched<[RecordingSink]>([])
        // No second look is due before the proxy stops, however long the client takes for its two connections.
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let start = "a, b = hello(\"localhost\", ROOT), hello(\"localhost\", ROOT)\n"
            let process = try await Self.python(start + script, proxy, origin.port)
            _ = try await process.destroy()
            sinks.update { $0 = [proxy.sink] }
        }
        // A proxy that has stopped has said what it had to say.
        let ended = try #require(sinks.value.first).soFar.ended
        #expect(ended.map(\.exchange.outcome) == [.completed])
    }

    @Test(
        "Both sides' cipher suites are read off the wire, in both versions",
        arguments: ["--tlsv1.3", "--tls-max=1.2"]
    )
    func ciphers(option: String) async throws {
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { _ in Self.ok }
        )
        try await RunningProxy.run { proxy in
            let result = try await CommandLineTool.run(
                "curl",
                ["-sS", "--noproxy", "", "-x", "http://127.0.0.1:\(proxy.port)", "--cacert", proxy.rootFile]
                    + option.split(separator: "=").map(String.init) + ["https://localhost:\(origin.port)/"]
            )
            #expect(result.output == "ok", "\(result.errors)")
            let exchange = try await proxy.record().exchange
            let (client, upstream) = (exchange.client.tls, exchange.upstream?.tls)
            #expect(client?.version == (option == "--tlsv1.3" ? "TLSv1.3" : "TLSv1.2"))
            for cipher in [client?.cipher, upstream?.cipher] {
                #expect(cipher?.hasPrefix("TLS_") == true, "\(String(describing: cipher))")
            }
            #expect((client?.cipher?.contains("ECDHE") == true) == (option != "--tlsv1.3"))
        }
    }
}
