import Foundation
import Support
import Testing

/// Every way in which a real client and the proxy fail to shake hands: a row with the cause, who it was, and the one command that mends it.
@Suite("Handshakes that fail, by real clients", .timeLimit(.minutes(15)))
struct RefusedHandshakesTests {
    /// A client of the machine, what its row says, and what mends it.
    struct Refusal: Sendable, CustomStringConvertible {
        let description: String
        let program: String
        /// Its arguments, from the proxy's port, the origin's and the root's file.
        let arguments: @Sendable (_ proxy: Int, _ origin: Int, _ root: String) -> [String]
        let cause: String
        /// A part of the sentence.
        let says: String
        /// How the command begins; the origin's port stands for `PORT`.
        let command: String

        static func curl(_ what: String, _ options: [String], _ cause: String, _ says: String, _ command: String)
            -> Refusal
        {
            Refusal(
                description: "curl, \(what)",
                program: "curl",
                arguments: { proxy, origin, root in
                    let trusting = options.contains("--capath") ? [] : ["--cacert", root]
                    return ["-sS", "--noproxy", "", "-x", "http://127.0.0.1:\(proxy)"] + trusting + options
                        + ["https://localhost:\(origin)/"]
                },
                cause: cause,
                says: says,
                command: command
            )
        }

        static func openssl(_ what: String, _ options: [String], _ cause: String, _ says: String, _ command: String)
            -> Refusal
        {
            Refusal(
                description: "openssl, \(what)",
                program: "openssl",
                arguments: { proxy, origin, root in
                    ["s_client", "-proxy", "127.0.0.1:\(proxy)", "-connect", "localhost:\(origin)"]
                        + ["-servername", "localhost", "-CAfile", root, "-verify_return_error"] + options
                },
                cause: cause,
                says: says,
                command: command
            )
        }

        static func python(_ what: String, _ context: String, _ cause: String, _ says: String, _ command: String)
            -> Refusal
        {
            Refusal(
                description: "Python, \(what)",
                program: "python3",
                arguments: { proxy, origin, root in
                    let script = """
                        import signal, socket, ssl, warnings
                        warnings.simplefilter("ignore")
                        s = socket.create_connection(("127.0.0.1", \(proxy)))
                        s.sendall(b"CONNECT localhost:\(origin) HTTP/1.1\\r\\nHost: localhost:\(origin)\\r\\n\\r\\n")
                        head = b""
                        while not head.endswith(b"\\r\\n\\r\\n"):
                            byte = s.recv(1)
                            assert byte, head
                            head += byte
                        context = ssl.create_default_context(cafile="\(root)")
                        \(context)
                        try: context.wrap_socket(s, server_hostname="localhost").close()
                        except OSError: pass
                        signal.pause()
                        """
                    return ["-c", script]
                },
                cause: cause,
                says: says,
                command: command
            )
        }
    }

    private static let pass = "inspect pass-through localhost"
    /// Which command follows is the program's name, unless the program has ended before it was looked for.
    private static let wrapped = "inspect run -- "

    static let refusals: [Refusal] = [
        .curl(
            "unknown CA",
            ["--capath", "/nonexistent", "--cacert", "/etc/ssl/certs/ca-certificates.crt"],
            "unknown-ca",
            "does not know the root",
            "inspect run -- curl https://localhost:PORT/"
        ),
        .curl(
            "pinned",
            ["--pinnedpubkey", "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="],
            "left",
            "(pinning)",
            pass
        ),
        .curl(
            "TLS 1.1 at most",
            ["--tlsv1.0", "--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0"],
            "protocol-version",
            "no version of TLS from 1.2 on",
            pass
        ),
        .curl(
            "a cipher of its own",
            ["--tls-max", "1.2", "--ciphers", "DHE-RSA-CAMELLIA256-SHA:@SECLEVEL=0"],
            "no-shared-cipher",
            "no cipher suite in common",
            pass
        ),
        .openssl(
            "unknown CA",
            ["-CAfile", "/etc/ssl/certs/ca-certificates.crt"],
            "unknown-ca",
            "does not know the root",
            wrapped
        ),
        .openssl(
            "expired, by a clock that is ahead",
            ["-attime", "\(Int(Date().timeIntervalSince1970) + 400 * 86_400)"],
            "certificate-expired",
            "its clock is wrong",
            "inspect doctor"
        ),
        .openssl(
            "another name",
            ["-verify_hostname", "other.test"],
            "bad-certificate",
            "or another name",
            wrapped
        ),
        .openssl(
            "HTTP/2 alone",
            ["-alpn", "h2"],
            "no-common-protocol",
            "offers h2 by ALPN",
            "inspect start --no-match-protocols"
        ),
        .python(
            "no protocol of HTTP",
            "context.set_alpn_protocols(['foo', 'mqtt'])",
            "no-application-protocol",
            "offers foo, mqtt by ALPN for localhost, which is neither HTTP/2 nor HTTP/1.1",
            pass
        ),
        .python(
            "TLS 1.1 alone",
            "context.set_ciphers('ALL:@SECLEVEL=0'); context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1",
            "protocol-version",
            "no version of TLS from 1.2 on",
            pass
        ),
        .python(
            "ciphers of its own",
            "context.maximum_version = ssl.TLSVersion.TLSv1_2; context.set_ciphers('DHE-RSA-CAMELLIA256-SHA:@SECLEVEL=0')",
            "no-shared-cipher",
            "no cipher suite in common",
            pass
        ),
    ]

    @Test("The row says the cause and the command, of every kind")
    func refused() async throws {
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: ["localhost"])
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        _ = try await inspect.rootFile()
        for refusal in Self.refusals {
            await #expect(throws: Never.self, "\(refusal)") { try await Self.expect(refusal, inspect, tls) }
        }
    }

    /// Has one client refuse a host of its own: a port of `localhost`.
    private static func expect(
        _ refusal: Refusal,
        _ inspect: RunningInspect,
        _ tls: LoopbackOrigin.TLS
    ) async throws {
        let origin = try await RecordingOrigin.start(tls: tls)
        let process = try RunningProcess(
            try CommandLineTool.find(refusal.program),
            refusal.arguments(inspect.port, origin.port, inspect.directory.file("root.pem"))
        )
        func isRefusal(_ row: StoredListing.Row) -> Bool { row.outcome == "failed" && row.port == origin.port }
        let listing = try await inspect.listing(with: "the failed handshake") {
            $0.exchanges.contains(where: isRefusal)
        }
        _ = try await process.destroy()
        let row = try #require(listing.exchanges.first(where: isRefusal))
        #expect(row.failure?.side == "client" && row.failure?.phase == "tls", "\(refusal): \(row)")
        #expect(
            row.failure?.cause == refusal.cause && row.host == "localhost" && row.code == nil,
            "\(refusal): \(row)"
        )
        let message = row.failure?.message ?? ""
        let command = refusal.command.replacing("PORT", with: "\(origin.port)")
        #expect(message.contains(refusal.says) && message.contains("To fix it: \(command)"), "\(refusal): \(message)")
        let shown = try await RunningInspect.run(
            ["show", "\(row.id)", "--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        #expect(shown.output.contains("\nFix       \(command)"), "\(refusal): \(shown.output)")
        #expect(shown.output.contains("\nHello     JA4 t1") && shown.output.contains("a program on OpenSSL sends"))
        #expect(origin.answered.isEmpty)
    }

    /// What `openssl s_client` says that it agreed on; empty for nothing.
    private func agreed(_ alpn: String, _ inspect: RunningInspect, _ origin: Int) async throws -> String {
        let arguments = ["s_client", "-proxy", "127.0.0.1:\(inspect.port)", "-connect", "localhost:\(origin)"]
        let said = try await CommandLineTool.run("openssl", arguments + ["-alpn", alpn])
        return said.output.split(separator: "\n").first { $0.hasPrefix("ALPN protocol: ") }.map {
            String($0.dropFirst(15))
        }
            ?? ""
    }

    @Test("What the row of a client of HTTP/2 alone says mends it, and what that of another protocol's client says")
    func mended() async throws {
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        let translating = try await RunningInspect.start(["--upstream-ca", authority.rootFile, "--no-match-protocols"])
        #expect(try await agreed("h2", translating, origin.port) == "h2")

        // A server of a protocol that is none of HTTP's: unread, both settle it between themselves.
        let files = try await authority.issue(for: ["localhost"])
        let server = try RunningProcess(
            try CommandLineTool.find("openssl"),
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", files.certificateFile, "-key", files.keyFile, "-alpn",
                "foo", "-www",
            ]
        )
        let line = try await server.line(containing: "ACCEPT")
        let port = Int(line.split(separator: ":").last ?? "") ?? 0
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        #expect(try await agreed("foo", inspect, port) == "")
        // One that speaks HTTP is told that nothing there does.
        let curl = try await CommandLineTool.run(
            "curl",
            ["-sS", "--noproxy", "", "-x", inspect.proxy, "--cacert", try await inspect.rootFile(), "-o", "/dev/null"]
                + ["-w", "%{http_code}", "https://localhost:\(port)/"]
        )
        #expect(curl.output == "502", "\(curl.errors)")
        let row = try #require(
            try await inspect.listing("outcome:failed").exchanges.first { $0.failure?.side == "upstream" }
        )
        #expect(row.failure?.cause == "alert-no-application-protocol", "\(row)")
        #expect(row.failure?.message.contains("speaks neither HTTP/2 nor HTTP/1.1") == true, "\(row)")
        #expect(row.failure?.message.hasSuffix("To fix it: \(Self.pass)") == true, "\(row)")
        let passed = try await RunningInspect.run(
            ["pass-through", "localhost", "--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        #expect(passed.status == 0, "\(passed.errors)")
        #expect(try await agreed("foo", inspect, port) == "foo")
    }
}
