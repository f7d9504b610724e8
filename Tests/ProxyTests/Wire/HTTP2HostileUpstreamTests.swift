import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// HTTP/2 upstreams that flood, bomb, stall and break the rules: their stream or their connection ends, clients and others live.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct HTTP2HostileUpstreamTests {
    /// What the client saw of one attack.
    private struct Seen: Decodable {
        let attack: String
        /// Whether only the attacked stream is to suffer.
        let isOfStream: Bool
        let attacked: String
        /// A request on the same client connection afterwards.
        let after: String
        /// A request that was open on the same upstream connection.
        let neighbour: String
    }

    private static let growthLimitBytes = 64 << 20

    private static func run(_ attacks: [String], _ proxy: RunningProxy) async throws -> [Seen] {
        let files = [Certificates.file("good.pem"), Certificates.file("good-key.pem")]
        return try await PythonPeer.run("hostile_upstream.py", ["\(proxy.port)", proxy.rootFile] + files + attacks)
    }

    /// Whether the client can tell that it did not get a response.
    private static func isFailure(_ outcome: String) -> Bool { outcome == "502" || outcome.contains("reset ") }

    @Test("Every attack ends its stream or its upstream connection, with a row that says why; the client goes on")
    func attacks() async throws {
        let other = try await LoopbackOrigin.fine()
        try await RunningProxy.run { proxy in
            try await proxy.serves(other)
            let before = try await ResidentMemory.bytes()
            let peak = Watched(before)
            let seen = try await withThrowingTaskGroup(of: [Seen]?.self) { group in
                group.addTask { try await Self.run([], proxy) }
                group.addTask {
                    while !Task.isCancelled {
                        try await proxy.serves(other)
                        let now = try await ResidentMemory.bytes()
                        peak.update { $0 = max($0, now) }
                    }
                    return nil
                }
                defer { group.cancelAll() }
                while let done = try await group.next() { if let done { return done } }
                return []
            }
            let growth = peak.value - before
            print("\(seen.count) attacks of upstreams: \(growth >> 20) MB at most")
            #expect(growth < Self.growthLimitBytes, "\(growth >> 20) MB")
            #expect(seen.count > 60)
            let rows = try await proxy.sink.ended(seen.count).map(\.exchange)
            for one in seen {
                #expect(Self.isFailure(one.attacked), "\(one)")
                #expect(one.after == "200", "\(one)")
                if one.isOfStream { #expect(one.neighbour == "200", "\(one)") }
                #expect(one.neighbour == "200" || Self.isFailure(one.neighbour), "\(one)")
                let row = try #require(rows.first { $0.target == "/\(one.attack)" }, "\(one)")
                #expect(row.outcome == .failed && row.failure?.side == .upstream, "\(one) \(row)")
                #expect(row.failure?.message.isEmpty == false && row.upstream?.tls != nil, "\(one)")
            }
        }
    }

    @Test("An upstream that never opens its window is told of as what held up the upload")
    func window() async throws {
        try await RunningProxy.run {
            $0.idleTimeout = .seconds(1)
        } _: { proxy in
            let seen = try #require(try await Self.run(["shut_window"], proxy).first)
            #expect(Self.isFailure(seen.attacked) || seen.attacked.hasPrefix("504"), "\(seen)")
            #expect(seen.after == "200" && seen.neighbour == "200", "\(seen)")
            let row = try #require(
                try await proxy.sink.ended(3).map(\.exchange).first { $0.target == "/shut_window" }
            )
            #expect(
                row.failure?.side == .upstream && row.failure?.cause == "timeout",
                "\(String(describing: row.failure))"
            )
        }
    }
}
