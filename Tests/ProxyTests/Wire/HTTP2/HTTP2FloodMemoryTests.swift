import NIOCore
import Proxy
import Support
import Testing

/// HTTP/2 clients that flood, bomb and stall: bounded memory, their connection ends, others live.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct HTTP2FloodMemoryTests {
    /// What the attacker saw.
    struct Seen: Decodable {
        let ended: Bool
        let code: Int?
        let outcome: String?
    }

    private static let largeBytes = 4 << 20

    private static func origin() async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            keeps: 0,
            script: { unanswered in
                guard let request = RawRequest(first: unanswered) else { return nil }
                return request.target == "/large"
                    ? .init(
                        consuming: request.bytes.count,
                        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(largeBytes)\r\n\r\n".utf8)),
                        .stream([UInt8](repeating: 120, count: 64 << 10), times: largeBytes >> 16)
                    )
                    : .init(
                        consuming: request.bytes.count,
                        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
                    )
            }
        )
    }

    /// Attacks a proxy while another client is served all the while.
    ///
    /// - Parameters:
    ///   - name: what is done.
    ///   - count: how many times.
    ///   - growthLimitBytes: how much the process may grow by meanwhile.
    /// - Returns: what the attacker saw.
    /// - Throws: when it does not come to an end.
    static func attack(_ name: String, count: Int, growthLimitBytes: Int = 64 << 20) async throws -> Seen {
        let origin = try await origin()
        let other = try await LoopbackOrigin.fine()
        var seen: Seen?
        try await RunningProxy.run {
            $0.matchesProtocols = false
            $0.bodyLimitBytes = 1_000
        } _: { proxy in
            let (attacker, growth) = try await proxy.serving(other) { () async throws -> Seen in
                try await PythonPeer.run(
                    "floods.py",
                    ["\(proxy.port)", proxy.rootFile, "\(origin.port)", name, "\(count)"]
                )
            }
            print("\(name): \(growth >> 20) MB at most, \(attacker)")
            #expect(growth < growthLimitBytes, "\(name) took \(growth >> 20) MB")
            seen = attacker
        }
        return try #require(seen)
    }

    @Test(
        "A flood ends its own connection",
        arguments: [
            ("rapid_reset", 20_000), ("made_you_reset_window", 20_000), ("made_you_reset_data", 20_000),
            ("made_you_reset_overflow", 20_000), ("made_you_reset_head", 20_000), ("continuation", 2_000),
            ("continuation_empty", 20_000), ("settings_flood", 100_000), ("ping_flood", 100_000),
            ("priority_flood", 100_000),
            ("empty_data", 100_000), ("hpack_bomb", 300),
        ]
    )
    func floods(name: String, count: Int) async throws {
        let seen = try await Self.attack(name, count: count)
        #expect(seen.ended, "\(name) \(seen)")
    }

    @Test("Frames that nobody knows are passed over, in any number", arguments: ["unknown_frames", "altsvc_origin"])
    func ignored(name: String) async throws {
        let seen = try await Self.attack(name, count: 20_000)
        #expect(seen.outcome == "200", "\(name) \(seen)")
    }

    @Test("Too many fields are refused on their streams alone, any number of times")
    func manyFields() async throws {
        let seen = try await Self.attack("many_fields", count: 90)
        #expect(seen.outcome == "431", "\(seen)")
    }

    @Test(
        "Streams that are stalled by their windows hold up no other, and hold little",
        arguments: ["stalled_windows", "window_drip"]
    )
    func stalls(name: String) async throws {
        // 90 streams, each with at most what one upstream connection's sockets and one stream's buffers hold.
        let seen = try await Self.attack(name, count: 50, growthLimitBytes: 200 << 20)
        #expect(seen.outcome == "200", "\(name) \(seen)")
    }
}
