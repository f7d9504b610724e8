import Foundation
import Support
import Testing

/// What the proxy refuses for its clients: the way to itself, and an upstream that is not who it should be.
@Suite(.timeLimit(.minutes(15))) struct RefusalTests {
    @Test("A request to our own proxy or page is refused with 508 under its aliases, asked for plainly or by CONNECT")
    func ownListeners() async throws {
        let inspect = try await RunningInspect.start()
        // What else leads here is the proxy's own table of names and addresses, and has its own test.
        let aliases = ["127.0.0.1", "localhost", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]"]
        var asked = 0
        for port in [inspect.port, inspect.pagePort] {
            for alias in aliases {
                for request in ["GET http://\(alias):\(port)/ HTTP/1.1", "CONNECT \(alias):\(port) HTTP/1.1"] {
                    let client = try await RawClient.connect(port: inspect.port)
                    try await client.send("\(request)\r\nHost: \(alias):\(port)\r\n\r\n")
                    let answer = try await client.read(through: "\r\n\r\n")
                    #expect(answer.hasPrefix("HTTP/1.1 508 "), "\(request): \(answer)")
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

    @Test("A bad upstream certificate is a 502 that says why, a failed row, and no byte of that upstream")
    func upstreamIsBad() async throws {
        let authority = try await TestAuthority()
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let root = try await inspect.rootFile()
        let stranger = try await TestAuthority()
        for kind in BadUpstream.allCases {
            let tls = try await Self.certificate(kind, authority, stranger)
            let origin = try await RecordingOrigin.start(tls: tls)
            let result = try await CommandLineTool.run(
                "curl",
                ["-sS", "-i", "--suppress-connect-headers", "--noproxy", "", "-x", inspect.proxy, "--cacert", root]
                    + ["https://localhost:\(origin.port)/length"]
            )
            #expect(result.status == 0, "\(kind): \(result.errors)")
            // In whichever version curl was offered.
            #expect(result.output.hasPrefix("HTTP/2 502 ") || result.output.hasPrefix("HTTP/1.1 502 "), "\(kind)")
            #expect(result.output.lowercased().contains("\r\nproxy-status: "), "\(kind)")
            #expect(result.output.contains("localhost"), "\(kind): the sentence names the host")
            #expect(origin.answered.isEmpty, "\(kind)")

            let rows = try await inspect.listing().exchanges
            let row = try #require(rows.first { $0.target == "/length" && $0.port == origin.port }, "\(kind)")
            #expect(row.outcome == "failed" && row.code == nil && row.host == "localhost", "\(kind): \(row)")
            #expect(row.failure?.side == "upstream" && row.failure?.phase == "tls", "\(kind): \(row)")
        }
    }

    private static func certificate(
        _ kind: BadUpstream,
        _ authority: TestAuthority,
        _ stranger: TestAuthority
    ) async throws -> LoopbackOrigin.TLS {
        switch kind {
        case .strangersRoot: try await stranger.issue(for: ["localhost"])
        case .otherName: try await authority.issue(for: ["other.test"])
        // The address that is connected to is not the name that was asked for.
        case .addressOnly: try await authority.issue(for: ["127.0.0.1", "::1"])
        case .nameInSubjectOnly: try await authority.issue(for: ["localhost"], isNamedInSubjectOnly: true)
        }
    }
}
