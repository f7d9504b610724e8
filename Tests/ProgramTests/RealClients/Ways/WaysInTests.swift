import Support
import Testing

/// curl comes in by every way that `inspect start` can be given, and goes out by every way too.
@Suite(.timeLimit(.minutes(15))) struct WaysInTests {
    /// An upstream over TLS, and how curl is run.
    struct Stage: Sendable {
        let authority: TestAuthority
        let origin: RecordingOrigin

        static func set() async throws -> Stage {
            let authority = try await TestAuthority()
            let tls = try await authority.issue(for: ["localhost", "origin.test"])
            return Stage(authority: authority, origin: try await RecordingOrigin.start(tls: tls))
        }

        func start(_ more: String...) async throws -> RunningInspect {
            try await RunningInspect.start(["--upstream-ca", authority.rootFile] + more)
        }

        func curl(_ arguments: [String], root: String) async throws -> CommandLineTool.Result {
            try await CommandLineTool.run(
                "curl",
                ["-sS", "--max-time", "\(Patience.seconds(20))", "--noproxy", "", "--cacert", root, "-A", "curl-test"]
                    + arguments
            )
        }
    }

    private func place(_ inspect: RunningInspect, _ mode: String) throws -> String {
        try #require(try inspect.listeners().first { $0.key.hasPrefix(mode) }?.value)
    }

    @Test("SOCKS with a login, reverse and explicit listeners in one instance, each used by curl")
    func several() async throws {
        let stage = try await Stage.set()
        let url = "https://localhost:\(stage.origin.port)"
        let inspect = try await stage.start(
            "--listen-mode",
            "explicit@0",
            "--listen-mode",
            "socks5:user:pass@0",
            "--listen-mode",
            "reverse:\(url)@0",
            "--allow-host",
            "front.test"
        )
        let root = try await inspect.rootFile()
        let socks = try place(inspect, "socks5")
        let reverse = try place(inspect, "reverse")
        #expect(try inspect.listeners()["explicit"] == "127.0.0.1:\(inspect.port)")

        // By address (curl resolves) and by name (the proxy does), then through the reverse address under a name of its own.
        let front = "front.test:\(reverse.split(separator: ":").last ?? "")"
        let runs: [(options: [String], target: String)] = [
            (["-x", inspect.proxy, url + "/length?explicit"], "/length?explicit"),
            (["--socks5", socks, "--proxy-user", "user:pass", url + "/length?socks"], "/length?socks"),
            (["--socks5-hostname", socks, "--proxy-user", "user:pass", url + "/length?hostname"], "/length?hostname"),
            (["--resolve", "\(front):127.0.0.1", "https://\(front)/length?reverse"], "/length?reverse"),
            (["--resolve", "\(front):127.0.0.1", "http://\(front)/length?plain"], "/length?plain"),
        ]
        for (position, run) in runs.enumerated() {
            let result = try await stage.curl(run.options, root: root)
            #expect(result.status == 0, "\(run.target): \(result.errors)")
            let answered = try #require(stage.origin.answered.last)
            #expect(stage.origin.answered.count == position + 1 && answered.request.target == run.target)
            #expect(result.outputBytes == answered.answer.content)
            #expect(answered.request.field("host") == "localhost:\(stage.origin.port)")
        }
        let rows = try await inspect.listing().exchanges
        #expect(rows.count == runs.count && rows.allSatisfy { $0.outcome == "completed" && $0.scheme == "https" })
        #expect(rows.allSatisfy { $0.host == "localhost" && $0.port == stage.origin.port }, "\(rows)")

        // A wrong password, and a listener that is no way to ourselves.
        let wrong = try await stage.curl(["--socks5", socks, "--proxy-user", "user:no", url], root: root)
        #expect(wrong.status == 97, "\(wrong.errors)")
        let own = ["--socks5-hostname", socks, "--proxy-user", "user:pass", "http://localhost:\(inspect.pagePort)/"]
        #expect(try await stage.curl(own, root: root).status == 97)
        let failed = try await inspect.listing("--outcome", "failed").exchanges.compactMap(\.failure?.cause)
        #expect(Set(failed) == ["proxy-authentication", "loop"])
    }

    @Test("With --proxy-auth curl is asked for a user and a password, for plain requests and for tunnels")
    func proxyCredentials() async throws {
        let stage = try await Stage.set()
        let plain = try await RecordingOrigin.start()
        let inspect = try await stage.start("--proxy-auth", "user:p:w")
        let root = try await inspect.rootFile()
        let urls = ["https://localhost:\(stage.origin.port)/length?in", "http://localhost:\(plain.port)/length?plain"]
        for url in urls {
            let without = try await stage.curl(["-x", inspect.proxy, "-i", url], root: root)
            #expect(without.output.contains("407") || without.errors.contains("407"), "\(without.errors)")
            let wrong = try await stage.curl(["-x", inspect.proxy, "-U", "user:p", "-i", url], root: root)
            #expect(wrong.output.contains("407") || wrong.errors.contains("407"), "\(wrong.errors)")
            let right = try await stage.curl(["-x", inspect.proxy, "-U", "user:p:w", "-f", url], root: root)
            #expect(right.status == 0, "\(right.errors)")
            // Asked first without, curl tries again by itself.
            let asked = try await stage.curl(
                ["-x", inspect.proxy, "--proxy-anyauth", "-U", "user:p:w", "-f", url],
                root: root
            )
            #expect(asked.status == 0, "\(asked.errors)")
        }
        #expect(stage.origin.answered.count == 2 && plain.answered.count == 2)
        #expect(!plain.answered.contains { $0.request.text.lowercased().contains("proxy-auth") })
        let failed = try await inspect.listing("--outcome", "failed").exchanges
        #expect(failed.count == 6 && failed.allSatisfy { $0.failure?.cause == "proxy-authentication" })
    }

    @Test(
        "One instance is the upstream proxy of another, as an HTTP and as a SOCKS proxy",
        arguments: ["http", "socks5"]
    )
    func chain(_ kind: String) async throws {
        let stage = try await Stage.set()
        let far = try await stage.start(
            "--listen-mode",
            "explicit@0",
            "--listen-mode",
            "socks5@0",
            "--proxy-auth",
            "user:pass",
            "--pass-through",
            "*",
            "--resolve",
            "origin.test:*:127.0.0.1".replacing("*", with: "\(stage.origin.port)")
        )
        let place = try place(far, kind == "http" ? "explicit" : "socks5")
        let near = try await stage.start("--upstream-proxy", "\(kind)://user:pass@\(place)")
        let root = try await near.rootFile()
        // A name that only the far proxy knows.
        let url = "https://origin.test:\(stage.origin.port)/length?far"
        let result = try await stage.curl(["-x", near.proxy, url], root: root)
        #expect(
            result.status == 0 && result.outputBytes == stage.origin.answered.first?.answer.content,
            "\(result.errors)"
        )
        let row = try #require(try await near.listing().exchanges.first)
        #expect(row.outcome == "completed" && row.host == "origin.test" && row.scheme == "https")
        #expect(try await near.exchange(row.id).upstreamConnection?.address == place)
        // Without the right password the near proxy says what is missing.
        let locked = try await stage.start("--upstream-proxy", "\(kind)://user:wrong@\(place)")
        let refused = try await stage.curl(["-x", locked.proxy, url], root: try await locked.rootFile())
        #expect(refused.status != 0)
        let refusal = try #require(try await locked.listing().exchanges.first)
        let failure = try #require(refusal.failure)
        #expect(failure.side == "upstream" && failure.phase == "connect" && failure.cause == "proxy-authentication")
        #expect(!failure.message.contains("wrong") && failure.message.contains("refused the user and password"))
        let shown = try await RunningInspect.run(
            ["show", "\(refusal.id)", "--store", RunningInspect.store(locked.directory)],
            in: locked.directory
        )
        #expect(shown.output.contains("\nFix       inspect start --upstream-proxy "), "\(shown.output)")
        #expect(try await near.process.stop().status == 0)
        // The origin does not close its end by itself: the tunnel ends with the proxy.
        #expect(try await far.process.stop().status == 0)
        let tunnels = try await far.listing("--outcome", "tunnelled")
        #expect(tunnels.exchanges.first?.host == "origin.test")
    }

    @Test("A host that is passed through shows curl its own certificate; --resolve says where it is")
    func passThrough() async throws {
        let stage = try await Stage.set()
        let inspect = try await stage.start(
            "--pass-through",
            "*.test",
            "--resolve",
            "origin.test:\(stage.origin.port):127.0.0.1"
        )
        let result = try await stage.curl(
            ["-x", inspect.proxy, "https://origin.test:\(stage.origin.port)/length?untouched"],
            root: stage.authority.rootFile
        )
        #expect(result.status == 0, "\(result.errors)")
        // The origin does not close its end by itself: the tunnel ends with the proxy.
        #expect(try await inspect.process.stop().status == 0)
        let listing = try await inspect.listing("--outcome", "tunnelled")
        let row = try #require(listing.exchanges.first)
        #expect(row.host == "origin.test" && row.method == "CONNECT" && row.scheme == nil && row.responseBytes > 1_000)
    }
}
