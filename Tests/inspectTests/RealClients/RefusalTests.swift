import Foundation
import Support
import Testing

/// Who does not trust whom: both refusals are told plainly and leave a row.
@Suite struct RefusalTests {
    @Test("A curl that does not trust our root exits 60, and leaves a failed row with the host and the alert")
    func clientRefuses() async throws {
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let url = "https://localhost:\(origin.port)/length?by=distrust"
        let result = try await CommandLineTool.run("curl", ["-sS", "--noproxy", "", "-x", inspect.proxy, url])
        #expect(result.status == 60, "\(result.errors)")
        #expect(result.outputBytes.isEmpty)

        let listing = try await inspect.listing(with: "the refused handshake") { $0.total > 0 }
        let row = try #require(listing.exchanges.first)
        #expect(listing.total == 1)
        #expect(row.outcome == "failed" && row.code == nil && row.scheme == "https")
        #expect(row.host == "localhost" && row.port == origin.port)
        #expect(row.failure?.side == "client" && row.failure?.phase == "tls")
        #expect(row.failure?.cause == "unknown-ca", "\(String(describing: row.failure))")
        #expect(listing.counts("code") == ["failed": 1])
        #expect(origin.answered.count == 0)
    }

    @Test("A request to our own proxy or page is refused with 508 under every alias, asked for plainly or by CONNECT")
    func ownListeners() async throws {
        let inspect = try await RunningInspect.start()
        let aliases = [
            "127.0.0.1", "localhost", "LOCALHOST.", "127.1", "127.0.0.2", "2130706433", "0x7f.1", "0.0.0.0", "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]", "[0:0:0:0:0:0:0:1]", ProcessInfo.processInfo.hostName,
        ]
        var asked = 0
        for port in [inspect.port, inspect.pagePort] {
            for alias in aliases {
                for request in ["GET http://\(alias):\(port)/ HTTP/1.1", "CONNECT \(alias):\(port) HTTP/1.1"] {
                    let client = try await RawClient.connect(port: inspect.port)
                    try await client.send("\(request)\r\nHost: \(alias):\(port)\r\n\r\n")
                    let answer = try await client.read(through: "\r\n\r\n")
                    // A name that is no name here (as some spellings are not everywhere) cannot lead to us either.
                    #expect(
                        answer.hasPrefix("HTTP/1.1 508 ") || answer.hasPrefix("HTTP/1.1 502 "),
                        "\(request): \(answer)"
                    )
                    if alias.hasPrefix("[") || alias == "127.0.0.1" || alias == "localhost" {
                        #expect(answer.hasPrefix("HTTP/1.1 508 "), "\(request): \(answer)")
                    }
                    asked += 1
                }
            }
        }
        let listing = try await inspect.listing(with: "\(asked) rows") { $0.total == asked }
        #expect(listing.counts("code") == ["failed": asked])
    }

    /// An upstream whose certificate does not hold for `localhost`.
    enum BadUpstream: CaseIterable, Sendable {
        case strangersRoot
        case otherName
        case addressOnly
        case nameInSubjectOnly
    }

    @Test(
        "A bad upstream certificate is a 502 that says why, a failed row, and no byte of that upstream",
        arguments: BadUpstream.allCases
    )
    func upstreamIsBad(_ kind: BadUpstream) async throws {
        let authority = try await TestAuthority()
        let stranger = try await TestAuthority()
        let tls =
            switch kind {
            case .strangersRoot: try await stranger.issue(for: ["localhost"])
            case .otherName: try await authority.issue(for: ["other.test"])
            // The address that is connected to is not the name that was asked for.
            case .addressOnly: try await authority.issue(for: ["127.0.0.1", "::1"])
            case .nameInSubjectOnly: try await authority.issue(for: ["localhost"], isNamedInSubjectOnly: true)
            }
        let origin = try await RecordingOrigin.start(tls: tls)
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let result = try await CommandLineTool.run(
            "curl",
            [
                "-sS", "-i", "--suppress-connect-headers", "--noproxy", "", "-x", inspect.proxy, "--cacert",
                try await inspect.rootFile(),
            ]
                + ["https://localhost:\(origin.port)/length"]
        )
        #expect(result.status == 0, "\(result.errors)")
        // In whichever version curl was offered.
        #expect(result.output.hasPrefix("HTTP/2 502 ") || result.output.hasPrefix("HTTP/1.1 502 "))
        #expect(result.output.lowercased().contains("\r\nproxy-status: "))
        #expect(result.output.contains("localhost"), "The sentence names the host")
        #expect(origin.answered.count == 0)

        let listing = try await inspect.listing(with: "the failed exchange") {
            $0.exchanges.contains { $0.target == "/length" }
        }
        let row = try #require(listing.exchanges.first { $0.target == "/length" })
        #expect(row.outcome == "failed" && row.code == nil && row.host == "localhost")
        #expect(row.failure?.side == "upstream" && row.failure?.phase == "tls", "\(String(describing: row.failure))")
    }
}
