import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// An upstream with addresses of both families (RFC 8305).
@Suite(.timeLimit(.minutes(15)))
struct HappyEyeballsTests {
    private func timeToConnect(addresses: [String], port: Int) async throws -> (address: String, microseconds: Int64) {
        var found = ("", Int64(0))
        try await RunningProxy.run(configure: {
            $0.nameOverrides = [NameOverride(host: "dual.test", port: port, addresses: addresses)].compactMap { $0 }
            $0.connectTimeout = .hours(1)
        }) { proxy in
            let client = try await proxy.connect()
            let authority = "dual.test:\(port)"
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await client.response().code == 200)
            let exchange = try await proxy.record().exchange
            found = (exchange.upstream?.address ?? "", exchange.timeline.connect ?? 0)
        }
        return found
    }

    @Test("When IPv6 leads nowhere, IPv4 is tried after a quarter of a second, and the record says which one it was")
    func blackHole() async throws {
        let origin = try await LoopbackOrigin.fine { try BlackHole(port: $0) }
        let found = try await timeToConnect(addresses: ["::1", "127.0.0.1"], port: origin.port)
        #expect(found.address == "127.0.0.1:\(origin.port)")
        // Not before its turn. The connect timeout is not what ended the first try: it is an hour.
        #expect(found.microseconds >= 240_000, "\(found.microseconds)")
        withExtendedLifetime(origin) {}
    }

    @Test("When IPv6 refuses, IPv4 is tried, in whatever order the addresses came", arguments: [true, false])
    func refused(isFirst: Bool) async throws {
        let origin = try await LoopbackOrigin.fine()
        let other = try await LoopbackOrigin.fine { try BlackHole(port: $0) }
        let addresses = isFirst ? ["::1", "127.0.0.1"] : ["127.0.0.1", "::1"]
        // At once, where IPv6 that leads nowhere costs a quarter of a second; a machine that is busy with something else may be late some times.
        var tries: [(refused: Int64, unanswered: Int64)] = []
        func isAtOnce() -> Bool { tries.last.map { $0.refused < $0.unanswered / 2 } ?? false }
        while !isAtOnce(), tries.count < 5 {
            let found = try await timeToConnect(addresses: addresses, port: origin.port)
            #expect(found.address == "127.0.0.1:\(origin.port)")
            let unanswered = try await timeToConnect(addresses: addresses, port: other.port).microseconds
            tries.append((found.microseconds, unanswered))
        }
        #expect(isAtOnce(), "\(tries)")
        withExtendedLifetime((origin, other)) {}
    }
}
