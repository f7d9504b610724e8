import Foundation
import Support
import Testing

/// Real programs that do not trust our root, or take only one certificate: each leaves a row that says who it was, why, and what mends it.
@Suite struct UntrustingClientsTests {
    /// A program of the machine, how it is had to ask through a proxy, and what its row says.
    struct Client: Sendable, CustomStringConvertible {
        let program: String
        /// Its arguments, from the proxy's port and the URL.
        let arguments: @Sendable (_ port: Int, _ url: String, _ directory: TemporaryDirectory) throws -> [String]
        let command: String
        /// Whether it is still there when its row is.
        var stays = false
        var description: String { program }

        var isInstalled: Bool { (try? CommandLineTool.find(program)) != nil }
    }

    static let clients: [Client] = [
        Client(
            program: "curl",
            arguments: { port, url, _ in ["-sS", "--noproxy", "", "-x", "http://127.0.0.1:\(port)", url] },
            command: "inspect run -- curl https://localhost:"
        ),
        Client(
            program: "wget",
            arguments: { port, url, _ in
                ["-q", "-O-", "-e", "use_proxy=yes", "-e", "https_proxy=http://127.0.0.1:\(port)", url]
            },
            command: "inspect run -- wget https://localhost:"
        ),
        Client(
            program: "git",
            arguments: { port, url, _ in ["-c", "http.proxy=http://127.0.0.1:\(port)", "ls-remote", url] },
            command: "inspect run -- git"
        ),
        Client(
            program: "python3",
            arguments: { port, url, _ in
                let proxies = "urllib.request.ProxyHandler({'https': 'http://127.0.0.1:\(port)'})"
                let script = """
                    import signal, urllib.request
                    try: urllib.request.build_opener(\(proxies)).open('\(url)')
                    except OSError: signal.pause()
                    """
                return ["-c", script]
            },
            command: "inspect run -- python3",
            stays: true
        ),
        Client(
            program: "node",
            arguments: { port, url, _ in
                let script = """
                    const [net, tls, u] = [require('net'), require('tls'), new URL('\(url)')];
                    const s = net.connect(\(port), '127.0.0.1', () => s.write(`CONNECT ${u.host} HTTP/1.1\\r\\nHost: ${u.host}\\r\\n\\r\\n`));
                    s.once('data', () => tls.connect({ socket: s, servername: u.hostname }).on('error', () => setInterval(() => 0, 9e5)));
                    """
                return ["-e", script]
            },
            command: "inspect run -- node …",
            stays: true
        ),
        Client(
            program: "java",
            arguments: { port, url, directory in
                let source = """
                    import java.net.*; import java.net.http.*;
                    class Fetch { public static void main(String[] a) throws Exception {
                        var proxy = ProxySelector.of(new InetSocketAddress("127.0.0.1", \(port)));
                        HttpClient.newBuilder().proxy(proxy).build().send(
                            HttpRequest.newBuilder(URI.create("\(url)")).build(), HttpResponse.BodyHandlers.ofString());
                    } }
                    """
                return [try directory.write(source, to: "Fetch.java")]
            },
            command: "inspect run -- java …"
        ),
    ]

    @Test(
        "Without trust, the row names the program and the command that gives it trust",
        arguments: clients.filter(\.isInstalled)
    )
    func untrusting(_ client: Client) async throws {
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let directory = try TemporaryDirectory()
        let process = try RunningProcess(
            try CommandLineTool.find(client.program),
            try client.arguments(inspect.port, "https://localhost:\(origin.port)/", directory),
            environment: ["https_proxy": nil, "HTTPS_PROXY": nil, "no_proxy": nil, "NO_PROXY": nil]
        )
        let listing = try await inspect.listing(with: "the refused handshake") {
            $0.exchanges.contains { $0.outcome == "failed" }
        }
        let row = try #require(listing.exchanges.first { $0.outcome == "failed" })
        #expect(row.failure?.side == "client" && row.failure?.phase == "tls" && row.host == "localhost")
        _ = try await process.destroy()
        let message = row.failure?.message ?? ""
        #expect(message.contains("To mend it: \(client.command)"), "\(message)")
        #expect(origin.answered.isEmpty)
        let shown = try await RunningInspect.run(
            ["show", "\(row.id)", "--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        #expect(shown.output.contains("\nMend      \(client.command)"), "\(shown.output)")
        #if os(Linux)
        // One that ends at once may be gone before it is looked for, on a busy machine.
        guard client.stays else { return }
        let word = client.program.prefix(4)
        #expect(shown.output.contains("\nProcess   \(word)"), "\(shown.output)")
        let counted = try await inspect.listing("process:\(word)")
        #expect(counted.exchanges.map(\.id).contains(row.id) && counted.counts("process").values.contains(1))
        #endif
    }

    @Test("A host is passed through in one step, and read again in one")
    func passThrough() async throws {
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile, "--no-default-pass-through"])
        let url = "https://localhost:\(origin.port)/length"
        func fetch() async throws -> Int32 {
            let arguments = [
                "-sS", "-o", "/dev/null", "--noproxy", "", "-x", inspect.proxy, "--cacert", authority.rootFile,
            ]
            return try await CommandLineTool.run("curl", arguments + [url]).status
        }
        func run(_ arguments: String...) async throws -> CommandLineTool.Result {
            try await RunningInspect.run(
                ["pass-through"] + arguments + ["--store", RunningInspect.store(inspect.directory)],
                in: inspect.directory
            )
        }
        #expect(try await fetch() == 60)
        let added = try await run("LocalHost")
        #expect(added.status == 0 && added.output.contains("LocalHost: passed through unread"), "\(added.errors)")
        #expect(added.output.contains("inspect pass-through LocalHost --remove"))
        #expect(try await run().output == "localhost  (added)\n")
        #expect(try await fetch() == 0)
        #expect(try await run("localhost", "--remove").output.contains("read again"))
        #expect(try await run("--json").output == "{\"hosts\":[]}\n")
        #expect(try await fetch() == 60)
        let listing = try await inspect.listing(with: "three rows") { $0.total == 3 }
        // The tunnel is open for as long as the origin leaves it so.
        #expect(listing.exchanges.map { $0.outcome == "failed" } == [true, false, true])

        let refused = try await run("a b")
        #expect(refused.status == 2 && refused.errors.contains("a b is no host"), "\(refused.errors)")
        #expect(try await run("localhost", "--remove").status == 2)
        #expect(try await run("--remove").status == 2)
    }

    @Test("Without a running proxy there is nothing to pass through, and one line says so")
    func noProxy() async throws {
        let directory = try TemporaryDirectory()
        let result = try await RunningInspect.run(
            ["pass-through", "a.test", "--store", directory.file("s.db")],
            in: directory
        )
        #expect(result.status == 2 && result.errors.contains("no proxy is running"), "\(result.errors)")
    }
}
