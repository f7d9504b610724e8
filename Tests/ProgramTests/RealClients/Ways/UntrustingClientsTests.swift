import Foundation
import Support
import Testing

/// Real programs that do not trust our root, or take only one certificate: each leaves a row that says who it was, why, and what mends it.
@Suite(.timeLimit(.minutes(15))) struct UntrustingClientsTests {
    /// A program of the machine, how it is had to ask through a proxy, and what its row says.
    struct Client: Sendable, CustomStringConvertible {
        let description: String
        /// Its program and arguments, from the proxy, the URL and a directory of its own.
        let words:
            @Sendable (_ inspect: RunningInspect, _ url: String, _ directory: TemporaryDirectory) async throws ->
                [String]
        let command: String
        /// What its program is called; only one that stays, and tries again where it is refused, is sure to be found.
        var process: String?
    }

    /// Has a Python program try again a second after it was refused.
    private static func python(_ imports: String, _ ask: String) -> [String] {
        let script = """
            import time, \(imports)
            while True:
                try:
                    \(ask)
                    break
                except Exception: time.sleep(1)
            """
        return ["-c", script]
    }

    static let clients: [Client] = [
        Client(
            description: "wget",
            words: { inspect, url, _ in
                ["wget", "-q", "-O-", "-e", "use_proxy=yes", "-e", "https_proxy=\(inspect.proxy)", url]
            },
            command: "inspect run -- wget https://host"
        ),
        Client(
            description: "git",
            words: { inspect, url, _ in ["git", "-c", "http.proxy=\(inspect.proxy)", "ls-remote", url] },
            command: "inspect run -- git"
        ),
        Client(
            description: "Python's urllib",
            words: { inspect, url, _ in
                let proxies = "urllib.request.ProxyHandler({'https': '\(inspect.proxy)'})"
                return ["python3"]
                    + python("urllib.request", "urllib.request.build_opener(\(proxies)).open('\(url)')")
            },
            command: "inspect run -- python3",
            process: "python"
        ),
        Client(
            description: "Python's requests",
            words: { inspect, url, _ in
                [try RealClientsTests.python()]
                    + python("requests", "requests.get('\(url)', proxies={'https': '\(inspect.proxy)'})")
            },
            command: "inspect run -- python",
            process: "python"
        ),
        Client(
            description: "Python's httpx",
            words: { inspect, url, _ in
                [try RealClientsTests.python()] + python("httpx", "httpx.get('\(url)', proxy='\(inspect.proxy)')")
            },
            command: "inspect run -- python",
            process: "python"
        ),
        Client(
            description: "Node's https",
            words: { inspect, url, _ in
                let script = """
                    const [net, tls, u] = [require('net'), require('tls'), new URL('\(url)')];
                    const ask = () => {
                      const s = net.connect(\(inspect.port), '127.0.0.1', () => s.write(`CONNECT ${u.host} HTTP/1.1\\r\\nHost: ${u.host}\\r\\n\\r\\n`));
                      s.once('data', () => tls.connect({ socket: s, servername: u.hostname }).on('error', () => setTimeout(ask, 1_000)));
                    };
                    ask();
                    """
                return ["node", "-e", script]
            },
            command: "inspect run -- node …",
            process: "node"
        ),
        Client(
            description: "Node's fetch",
            words: { inspect, url, _ in
                // With the proxy that the preload gives it, and without the root.
                let written = try await RunningInspect.run(
                    ["env"] + RunningInspect.places(inspect.directory),
                    in: inspect.directory
                )
                #expect(written.status == 0, "\(written.errors)")
                let script = "const ask = () => fetch('\(url)').catch(() => setTimeout(ask, 1_000)); ask()"
                return ["env", "HTTPS_PROXY=\(inspect.proxy)", "NODE_USE_ENV_PROXY=1", "node"]
                    + ["--require", inspect.directory.file("ca/clients/node.cjs"), "-e", script]
            },
            command: "inspect run -- node …",
            process: "node"
        ),
        Client(
            description: "java",
            words: { inspect, url, directory in
                let source = """
                    import java.net.*; import java.net.http.*;
                    class Fetch { public static void main(String[] a) throws Exception {
                        var proxy = ProxySelector.of(new InetSocketAddress("127.0.0.1", \(inspect.port)));
                        HttpClient.newBuilder().proxy(proxy).build().send(
                            HttpRequest.newBuilder(URI.create("\(url)")).build(), HttpResponse.BodyHandlers.ofString());
                    } }
                    """
                return ["java", try directory.write(source, to: "Fetch.java")]
            },
            command: "inspect run -- java …"
        ),
        Client(
            description: "go",
            words: { inspect, url, directory in
                let source = """
                    package main

                    import (
                        "net/http"
                        "net/url"
                        "os"
                        "time"
                    )

                    func main() {
                        proxy, _ := url.Parse(os.Args[1])
                        client := http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
                        for {
                            if _, fault := client.Get(os.Args[2]); fault == nil {
                                return
                            }
                            time.Sleep(time.Second)
                        }
                    }
                    """
                return [try await GoProgram.build(source, as: "fetcher", in: directory), inspect.proxy, url]
            },
            command: "inspect run -- fetcher …",
            process: "fetcher"
        ),
        Client(
            description: "chromium",
            words: { inspect, url, directory in
                ["env", "HOME=\(directory.path)", "chromium"]
                    + HeadlessChromium.options(directory.file("profile"), proxy: inspect.proxy) + ["--dump-dom", url]
            },
            command: "inspect browser chromium"
        ),
        Client(
            description: "firefox-esr",
            words: { inspect, url, directory in
                let profile = directory.file("profile")
                try FileManager.default.createDirectory(atPath: profile, withIntermediateDirectories: false)
                let preferences: [(String, String)] = [
                    ("network.proxy.type", "1"), ("network.proxy.ssl", "\"127.0.0.1\""),
                    ("network.proxy.ssl_port", "\(inspect.port)"), ("network.proxy.no_proxies_on", "\"\""),
                    ("network.proxy.allow_hijacking_localhost", "true"),
                ]
                try directory.write(
                    preferences.map { "user_pref(\"\($0)\", \($1));\n" }.joined(),
                    to: "profile/user.js"
                )
                return [
                    "env", "HOME=\(directory.path)", "firefox-esr", "--headless", "--no-remote", "--profile", profile,
                ]
                    + ["--screenshot", directory.file("page.png"), url]
            },
            command: "inspect browser firefox"
        ),
    ]

    @Test("Without trust, the row names the program and the command that gives it trust, for every program")
    func untrusting() async throws {
        let authority = try await TestAuthority()
        // Each has a host of its own: who refuses one right after another of this machine took it counts as the same pool of connections.
        let hosts = Self.clients.indices.map { "host\($0).test" }
        let tls = try await authority.issue(for: hosts)
        var origins: [RecordingOrigin] = []
        for _ in hosts { origins.append(try await RecordingOrigin.start(tls: tls)) }
        let places = zip(hosts, origins).flatMap { ["--resolve", "\($0):\($1.port):127.0.0.1"] }
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile] + places)
        for (client, (host, origin)) in zip(Self.clients, zip(hosts, origins)) {
            await #expect(throws: Never.self, "\(client)") {
                try await Self.expectRefusal(by: client, of: host, origin, inspect)
            }
        }
    }

    /// Has one program refuse our certificate for a host.
    private static func expectRefusal(
        by client: Client,
        of host: String,
        _ origin: RecordingOrigin,
        _ inspect: RunningInspect
    ) async throws {
        let directory = try TemporaryDirectory()
        let words = try await client.words(inspect, "https://\(host):\(origin.port)/", directory)
        let process = try RunningProcess(try CommandLineTool.find(words.first ?? ""), Array(words.dropFirst()))
        // A browser asks for things of its own too, and takes its time to start on a busy machine. There, a row may have to go without its program.
        func isRefusal(_ row: StoredListing.Row) -> Bool {
            guard row.outcome == "failed", row.host == host else { return false }
            #if os(Linux)
            return client.process.map { row.process?.hasPrefix($0) == true } ?? true
            #else
            return true
            #endif
        }
        let listing = try await inspect.listing(with: "the refused handshake", within: .seconds(90)) {
            $0.exchanges.contains(where: isRefusal)
        }
        let row = try #require(listing.exchanges.last(where: isRefusal))
        #expect(row.failure?.side == "client" && row.failure?.phase == "tls" && row.code == nil, "\(client): \(row)")
        #expect(row.port == origin.port)
        let distrust = ["unknown-ca", "certificate-unknown", "bad-certificate", "left", "closed"]
        #expect(distrust.contains(row.failure?.cause ?? ""), "\(client): \(row)")
        _ = try await process.destroy()
        let message = row.failure?.message ?? ""
        #expect(message.contains("To fix it: \(client.command)"), "\(client): \(message)")
        #expect(origin.answered.isEmpty)
        let shown = try await RunningInspect.run(
            ["show", "\(row.id)", "--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        #expect(shown.output.contains("\nFix       \(client.command)"), "\(client): \(shown.output)")
        #if os(Linux)
        // One that ends at once may be gone before it is looked for.
        guard let word = client.process else { return }
        #expect(shown.output.contains("\nProcess   \(word)"), "\(shown.output)")
        let counted = try await inspect.listing("process:\(word)")
        #expect(
            counted.exchanges.map(\.id).contains(row.id)
                && counted.counts("process").contains { $0.key.hasPrefix(word) }
        )
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
