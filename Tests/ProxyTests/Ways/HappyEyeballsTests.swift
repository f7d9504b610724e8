import Support
import Testing
import Traffic

@testable import Proxy

/// An upstream with addresses of both families (RFC 8305).
struct HappyEyeballsTests {
    private static let answering = RawRequest.answering { _ in
        Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    }

    private func timeToConnect(addresses: [String], port: Int) async throws -> (address: String, microseconds: Int64) {
        var found = ("", Int64(0))
        try await RunningProxy.run(configure: {
            $0.nameOverrides = [NameOverride(host: "dual.test", port: port, addresses: addresses)].compactMap { $0 }
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
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let hole = try BlackHole(port: origin.port)
        let found = try await timeToConnect(addresses: ["::1", "127.0.0.1"], port: origin.port)
        #expect(found.address == "127.0.0.1:\(origin.port)")
        // Not before its turn, and long before the connect timeout of 10 s.
        #expect(found.microseconds >= 240_000 && found.microseconds < 5_000_000, "\(found.microseconds)")
        withExtendedLifetime(hole) {}
    }

    @Test("When IPv6 refuses, IPv4 is tried at once, in whatever order the addresses came", arguments: [true, false])
    func refused(isFirst: Bool) async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let addresses = isFirst ? ["::1", "127.0.0.1"] : ["127.0.0.1", "::1"]
        let found = try await timeToConnect(addresses: addresses, port: origin.port)
        #expect(found.address == "127.0.0.1:\(origin.port)" && found.microseconds < 240_000, "\(found.microseconds)")
    }
}
