import Support
import Testing
import Traffic

/// HTTP/2 upstreams that flood, bomb and break the rules: their stream or their connection ends, in bounded memory, and clients and others live.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct HTTP2HostileUpstreamMemoryTests {
    private static let growthLimitBytes = 64 << 20

    @Test("Every attack ends its stream or its upstream connection, with a row that says why; the client goes on")
    func attacks() async throws {
        let other = try await LoopbackOrigin.fine()
        try await RunningProxy.run { proxy in
            let (seen, growth) = try await proxy.serving(other) { try await HTTP2HostileUpstreamTests.run([], proxy) }
            print("\(seen.count) attacks of upstreams: \(growth >> 20) MB at most")
            #expect(growth < Self.growthLimitBytes, "\(growth >> 20) MB")
            #expect(seen.count > 60)
            let rows = try await proxy.sink.ended(seen.count).map(\.exchange)
            for one in seen {
                #expect(HTTP2HostileUpstreamTests.isFailure(one.attacked), "\(one)")
                #expect(one.after == "200", "\(one)")
                if one.isOfStream { #expect(one.neighbour == "200", "\(one)") }
                #expect(one.neighbour == "200" || HTTP2HostileUpstreamTests.isFailure(one.neighbour), "\(one)")
                let row = try #require(rows.first { $0.target == "/\(one.attack)" }, "\(one)")
                #expect(row.outcome == .failed && row.failure?.side == .upstream, "\(one) \(row)")
                #expect(row.failure?.message.isEmpty == false && row.upstream?.tls != nil, "\(one)")
            }
        }
    }
}
