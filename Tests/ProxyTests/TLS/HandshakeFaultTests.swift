import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// Upstreams whose TLS is old, odd or broken, whatever their certificate.
@Suite(.timeLimit(.minutes(15)))
struct HandshakeFaultTests {
    /// Raw bytes that an upstream answers a ClientHello with, and the cause that is recorded.
    private static let answers: [(what: String, steps: [LoopbackOrigin.Step], cause: String)] = [
        ("close at once", [.close], "closed"),
        ("reset at once", [.reset], ""),
        ("half a ServerHello", [.send([0x16, 3, 3, 0, 100, 2, 0, 0, 96, 3, 3, 1, 2, 3]), .close], "closed"),
        ("alert handshake_failure", [.send([0x15, 3, 3, 0, 2, 2, 40]), .close], "alert-"),
        ("alert unrecognized_name", [.send([0x15, 3, 3, 0, 2, 2, 112]), .close], "alert-"),
        ("alert protocol_version", [.send([0x15, 3, 1, 0, 2, 2, 70]), .close], "alert-"),
        ("alert internal_error", [.send([0x15, 3, 3, 0, 2, 2, 80]), .close], "alert-"),
        ("alert close_notify", [.send([0x15, 3, 3, 0, 2, 1, 0]), .close], ""),
        (
            "warnings without end",
            [.stream(Array(repeatElement([0x15, 3, 3, 0, 2, 1, 90], count: 100).joined()), times: 10_000)], ""
        ),
        (
            "empty records without end",
            [.stream(Array(repeatElement([0x16, 3, 3, 0, 0], count: 1_000).joined()), times: 10_000)], ""
        ),
        ("no TLS", [.send(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 6\r\n\r\nsecret".utf8)), .close], ""),
        ("garbage", [.send([UInt8](repeating: 0xFF, count: 10_000)), .close], ""),
        ("a record too long", [.send([0x16, 3, 3, 0xFF, 0xFF] + [UInt8](repeating: 2, count: 70_000)), .close], ""),
        (
            "a ServerHello of 16 MB",
            [
                .send([0x16, 3, 3, 0x40, 0, 2, 0xFF, 0xFF, 0xFF]),
                .stream([UInt8](repeating: 3, count: 16_379), times: 1_000),
            ], ""
        ),
        ("SSL 3", [.send([0x16, 3, 0, 0, 42, 2, 0, 0, 38, 3, 0] + [UInt8](repeating: 1, count: 36)), .close], ""),
        ("application data first", [.send([0x17, 3, 3, 0, 6] + Array("secret".utf8)), .close], ""),
        ("its own ClientHello", [.send([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]), .close], ""),
    ]

    @Test("What answers a ClientHello with something else is a 502 in our own name, and others are served")
    func rawAnswers() async throws {
        let other = try await LoopbackOrigin.fine()
        try await RunningProxy.run { proxy in
            for answer in Self.answers {
                let origin = try await LoopbackOrigin.start { unanswered in
                    var reply = LoopbackOrigin.Reply(consuming: unanswered.count)
                    reply.steps = answer.steps
                    return reply
                }
                try await Self.expectRefusal(proxy, origin.port, answer.cause, answer.what)
                try await proxy.serves(other)
                _ = try await origin.connections("the end of \(answer.what)") {
                    $0.allSatisfy { $0.isClosed || $0.isClientDone }
                }
            }
        }
    }

    @Test(
        "A server of openssl's that offers only what is too old or too weak is a 502",
        arguments: [
            ["-tls1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
            ["-tls1_2", "-cipher", "ADH:AECDH:@SECLEVEL=0"], ["-tls1_2", "-cipher", "NULL:eNULL:@SECLEVEL=0"],
            ["-tls1_2", "-cipher", "DHE-RSA-AES128-SHA:@SECLEVEL=0"],
            ["-tls1_2", "-cipher", "PSK:@SECLEVEL=0", "-psk", "00"],
            ["-tls1_2", "-Verify", "1"], ["-alpn", "h3,imap"],
            ["-tls1_2", "-servername", "other.example.test", "-servername_fatal", "-cert2", "", "-key2", ""],
        ]
    )
    func weak(options: [String]) async throws {
        let files = Certificates.server("good")
        var options = options
        for (flag, file) in [("-cert2", files.certificateFile), ("-key2", files.keyFile)] {
            if let place = options.firstIndex(of: flag) { options[place + 1] = file }
        }
        let server = try await OpenSSLServer(options + ["-www"])
        try await RunningProxy.run { proxy in
            try await Self.expectRefusal(proxy, server.port, "", options.joined(separator: " "))
        }
    }

    @Test(
        "A server of openssl's that is odd and right is let through",
        arguments: [
            ["-tls1_2"], ["-tls1_3"], [], ["-groups", "P-384"], ["-verify", "1"], ["-no_ticket"],
            ["-tls1_3", "-num_tickets", "20"], ["-servername", "other", "-cert2", "", "-key2", ""],
            ["-tls1_2", "-no_etm"],
        ]
    )
    func right(options: [String]) async throws {
        let files = Certificates.server("good")
        var options = options
        for (flag, file) in [("-cert2", files.certificateFile), ("-key2", files.keyFile)] {
            if let place = options.firstIndex(of: flag) { options[place + 1] = file }
        }
        let server = try await OpenSSLServer(options + ["-www"])
        try await RunningProxy.run { proxy in
            let client = try await proxy.secureTunnel(to: server.port)
            try await client.send("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n")
            let response = try await client.response()
            #expect(response.code == 200 && response.text.contains("s_server"), "\(response.head)")
        }
    }

    @Test("A server that wants a certificate of ours only after the handshake breaks the exchange with its alert")
    func certificateRequired() async throws {
        let server = try await OpenSSLServer(["-tls1_3", "-Verify", "1", "-www"])
        try await RunningProxy.run { proxy in
            let client = try await proxy.secureTunnel(to: server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let response = try await client.response()
            #expect(response.code == 502, "\(response.head)")
            let record = try await proxy.record()
            #expect(record.exchange.failure?.side == .upstream, "\(record.failure) \(response.text)")
        }
    }

    @Test(
        "A response that ends without close_notify, and without a length, was cut off",
        arguments: [nil, "Content-Length: 100\r\n"]
    )
    func truncated(length: String?) async throws {
        let files = Certificates.server("good")
        let program = """
            import socket, ssl, sys
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(sys.argv[1], sys.argv[2])
            listener = socket.create_server(("127.0.0.1", 0))
            print("PORT", listener.getsockname()[1], flush=True)
            while True:
                plain, _ = listener.accept()
                try:
                    tls = context.wrap_socket(plain, server_side=True)
                    request = b""
                    while not request.endswith(b"\\r\\n\\r\\n"):
                        piece = tls.recv(65536)
                        if not piece: break
                        request += piece
                    tls.sendall(b"HTTP/1.1 200 OK\\r\\n" + sys.argv[3].encode() + b"\\r\\nhalf")
                    tls.close()
                except OSError:
                    pass
            """
        let server = try RunningProcess(
            try CommandLineTool.find("python3"),
            ["-c", program, files.certificateFile, files.keyFile, length ?? ""]
        )
        let port = Int(try await server.line(containing: "PORT").split(separator: " ").last ?? "") ?? 0
        try await RunningProxy.run { proxy in
            let client = try await proxy.secureTunnel(to: port)
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let bytes = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(bytes.hasSuffix("half") && client.soFar.error != nil)
            let record = try await proxy.record()
            #expect(
                record.exchange.outcome == .failed && record.failure.hasPrefix("upstream receive "),
                "\(record.failure)"
            )
            #expect(record.responseBody == Array("half".utf8))
        }
    }

    @Test("A server that asks to shake hands again breaks its own exchange")
    func renegotiation() async throws {
        let files = Certificates.server("good")
        // openssl sends a HelloRequest for each line "R" that it reads, once a client is there.
        let process = try RunningProcess(
            "/bin/sh",
            [
                "-c",
                "(while sleep 0.2; do echo R; done) | exec openssl s_server -accept 127.0.0.1:0 -tls1_2 -cert \"$0\" -key \"$1\"",
                files.certificateFile, files.keyFile,
            ]
        )
        let port = Int(try await process.line(containing: "ACCEPT").split(separator: ":").last ?? "") ?? 0
        let other = try await LoopbackOrigin.fine()
        try await RunningProxy.run(configure: { $0.idleTimeout = .hours(1) }) { proxy in
            let client = try await proxy.secureTunnel(to: port)
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let response = try await client.response()
            #expect(response.code == 502, "\(response.head)")
            #expect(try await proxy.record().exchange.failure?.side == .upstream)
            try await proxy.serves(other)
        }
        _ = try await process.destroy()
    }

    private static func expectRefusal(_ proxy: RunningProxy, _ port: Int, _ cause: String, _ what: String) async throws
    {
        let client = try await proxy.secureTunnel(to: port)
        try await client.send("GET /private HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let response = try await client.response()
        #expect(response.code == 502 && response.head.contains("error=tls_"), "\(what): \(response.head)")
        #expect(!(response.head + response.text).contains("secret"), "\(what)")
        let record = try #require(proxy.sink.soFar.ended.last { $0.exchange.target == "/private" })
        #expect(record.failure.hasPrefix("upstream tls \(cause)"), "\(what): \(record.failure) \(response.text)")
    }
}
