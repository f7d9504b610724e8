import Foundation
import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// A certificate for an address is held against the address that was asked for, not against the one that happened to be connected to.
@Suite(.timeLimit(.minutes(15)))
struct AddressCertificateTests {
    /// Nobody's (RFC 5737).
    private static let asked = "192.0.2.7"

    private static func origin(_ tls: LoopbackOrigin.TLS) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(
            tls: tls,
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
    }

    /// Asks for the address, whose certificate is right or not.
    private func expectOutcome(_ isRight: Bool, by proxy: RunningProxy, port: Int) async throws {
        let client = try await proxy.tunnel(to: port, host: Self.asked)
        // The test's own TLS holds our leaf against the address of its socket, as the proxy did.
        try await client.startTLS(name: Self.asked, trusting: nil)
        try await client.send("GET / HTTP/1.1\r\nHost: \(Self.asked)\r\n\r\n")
        let code = isRight ? 200 : 502
        #expect(try await client.response().code == code)
        let failure = isRight ? "none" : "upstream tls certificate-name"
        #expect(try await proxy.record().failure == failure)
    }

    @Test("Where another address stands for it by a name override", arguments: [true, false])
    func overridden(isRight: Bool) async throws {
        let authority = try await TestAuthority()
        let origin = try await Self.origin(try await authority.issue(for: [isRight ? Self.asked : "127.0.0.1"]))
        try await RunningProxy.run(configure: {
            $0.upstreamRootsPEM = try String(contentsOfFile: authority.rootFile, encoding: .utf8)
            $0.nameOverrides = [NameOverride(host: Self.asked, port: origin.port, addresses: ["127.0.0.1"])]
                .compactMap { $0 }
        }) { proxy in
            try await expectOutcome(isRight, by: proxy, port: origin.port)
            #expect(isRight || origin.connections.allSatisfy { $0.receivedBytes == 0 })
        }
    }

    @Test(
        "Where an upstream proxy connects to it",
        arguments: [UpstreamProxy.Kind.http, .socks5],
        [true, false]
    )
    func proxied(_ kind: UpstreamProxy.Kind, isRight: Bool) async throws {
        let authority = try await TestAuthority()
        let origin = try await Self.origin(try await authority.issue(for: [isRight ? Self.asked : "127.0.0.1"]))
        try await RunningProxy.run(configure: {
            WaysInTests.listening(kind == .http ? .explicit : .socks5(nil))(&$0)
            $0.passThrough += [HostPattern("*")].compactMap { $0 }
            $0.nameOverrides = [NameOverride(host: Self.asked, port: origin.port, addresses: ["127.0.0.1"])]
                .compactMap { $0 }
        }) { second in
            try await RunningProxy.run(configure: {
                $0.upstreamRootsPEM = try String(contentsOfFile: authority.rootFile, encoding: .utf8)
                $0.upstreamProxy = UpstreamProxy(kind, Endpoint(host: "127.0.0.1", port: second.port))
            }) { first in
                try await expectOutcome(isRight, by: first, port: origin.port)
                #expect(isRight || origin.connections.allSatisfy { $0.receivedBytes == 0 })
            }
        }
    }
}
