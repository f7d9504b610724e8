import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// HTTP/2 upstreams that stall: their stream ends, clients and others live.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct HTTP2HostileUpstreamTests {
    /// What the client saw of one attack.
    struct Seen: Decodable {
        let attack: String
        /// Whether only the attacked stream is to suffer.
        let isOfStream: Bool
        let attacked: String
        /// A request on the same client connection afterwards.
        let after: String
        /// A request that was open on the same upstream connection.
        let neighbour: String
    }

    /// Plays attacks, or every one where none is named; what the client saw of each.
    static func run(_ attacks: [String], _ proxy: RunningProxy) async throws -> [Seen] {
        let files = [Certificates.file("good.pem"), Certificates.file("good-key.pem")]
        return try await PythonPeer.run("hostile_upstream.py", ["\(proxy.port)", proxy.rootFile] + files + attacks)
    }

    /// Whether the client can tell that it did not get a response.
    static func isFailure(_ outcome: String) -> Bool { outcome == "502" || outcome.contains("reset ") }

    @Test("A reset stream is not asked for again; what follows a flood of resets goes by another connection")
    func resets() async throws {
        try await RunningProxy.run { proxy in
            for one in try await Self.run(["reset", "reset_flood"], proxy) {
                #expect(Self.isFailure(one.attacked) && one.after == "200", "\(one)")
            }
            let rows = try await proxy.sink.ended(6).map(\.exchange).filter { $0.target.hasPrefix("/reset") }
            #expect(rows.map(\.outcome) == [.failed, .failed] && rows.flatMap(\.warnings) == [])
        }
    }

    @Test("An upstream that never opens its window is told of as what held up the upload")
    func window() async throws {
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.pendingDelay = .zero
                // What is awaited meanwhile is not what is looked at.
                $0.firstByteTimeout = .hours(10_000)
            }
        ) { proxy in
            async let running = Self.run(["shut_window"], proxy)
            _ = try await proxy.sink.told("some of the upload") { $0.requestBytes > 0 }
            _ = try await proxy.sink.settled(\.requestBytes)
            try await proxy.pass(.seconds(120), until: "the upload to be given up") {
                proxy.sink.soFar.ended.contains { $0.exchange.target == "/shut_window" }
            }
            let seen = try #require(try await running.first)
            #expect(Self.isFailure(seen.attacked) || seen.attacked.hasPrefix("504"), "\(seen)")
            #expect(seen.after == "200" && seen.neighbour == "200", "\(seen)")
            let row = try #require(
                try await proxy.sink.ended(3).map(\.exchange).first { $0.target == "/shut_window" }
            )
            #expect(
                row.failure?.side == .upstream && row.failure?.cause == .timeout,
                "\(String(describing: row.failure))"
            )
        }
    }
}
