import FacilityAPI
import Foundation
import NIOCore
import NIOSSL
import Support
import Testing
import Trust

@testable import inspect

@Suite("A server of this machine for a check or a demonstration", .timeLimit(.minutes(15)))
struct LoopbackServerTests {
    @Test("Each connection is served by itself, also while others are open, and none is left when the closure ends")
    func connections() async throws {
        let first = try await LoopbackServer.run { inbound, outbound in
            for try await bytes in inbound { try await outbound.write(bytes) }
        } while: { port in
            let first = try await RawClient.connect(port: port)
            let second = try await RawClient.connect(port: port)
            try await first.send("one")
            try await second.send("two")
            #expect(try await second.read(count: 3) == Array("two".utf8))
            #expect(try await first.read(count: 3) == Array("one".utf8))
            try await second.close()
            try await first.send("more")
            #expect(try await first.read(count: 4) == Array("more".utf8))
            return first
        }
        #expect(try await first.readToEnd() == [])
    }

    @Test("What the closure throws ends the server, and is thrown")
    func failure() async throws {
        let problem = await #expect(throws: InputError.self) {
            try await LoopbackServer.run { _, _ in
            } while: { _ in
                throw InputError("enough")
            }
        }
        #expect(problem?.description == "enough")
    }

    @Test("Connections that come while it ends are closed, whether the closure returns or throws")
    func comings() async throws {
        for round in 0..<100 {
            let place = Watched(0)
            async let first: Void = knock(on: place)
            async let second: Void = knock(on: place)
            var client: RawClient?
            do {
                try await LoopbackServer.run { inbound, outbound in
                    for try await bytes in inbound { try await outbound.write(bytes) }
                } while: { port in
                    place.update { $0 = port }
                    client = try await RawClient.connect(port: port)
                    if round.isMultiple(of: 2) { throw InputError("enough") }
                }
                #expect(!round.isMultiple(of: 2))
            } catch let error as InputError {
                #expect(error.description == "enough")
            }
            let connected = try #require(client)
            #expect(try await connected.readToEnd() == [], "round \(round)")
            _ = await (first, second)
        }
    }

    /// Connects and closes a few times; later the server may be gone.
    private func knock(on place: Watched<Int>) async {
        guard let port = try? await place.wait(for: "the server to listen", until: { $0 != 0 }) else { return }
        for _ in 0..<5 {
            guard let client = try? await RawClient.connect(port: port) else { return }
            try? await client.close()
        }
    }

    @Test("Its end does not wait for a TLS peer that leaves the close_notify unanswered")
    func silentPeer() async throws {
        let now = Date()
        let authority = try CertificateAuthority(root: RootCertificate(newOn: "host", now: now), now: { now })
        let leaf = try authority.leaf(for: ServerName("localhost"))
        let chain = try leaf.chainDER.map { try NIOSSLCertificate(bytes: $0, format: .der) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: leaf.privateKeyDER, format: .der))
        )
        // A server that waits for its peer ends only after the test has failed.
        configuration.shutdownTimeout = .init(Patience.stretched(.seconds(40)))
        let context = try NIOSSLContext(configuration: configuration)
        let hasEnded = Watched(false)
        async let peer = {
            let client = try await LoopbackServer.run(context: context) { inbound, outbound in
                for try await bytes in inbound { try await outbound.write(bytes) }
            } while: { port in
                let client = try await RawClient.connect(port: port)
                try await client.startTLS(name: "localhost", trusting: nil)
                try await client.send("hello")
                #expect(try await client.read(count: 5) == Array("hello".utf8))
                try await client.setReading(false)
                return client
            }
            hasEnded.update { $0 = true }
            return client
        }()
        _ = try await hasEnded.wait(for: "the server's end") { $0 }
        let client = try await peer
        withExtendedLifetime(client) {}
    }

    @Test("The origin of a check answers a request once its head is whole, and closes")
    func origin() async throws {
        let answers = try await DoctorOrigin.run(answer: "hello", certificate: nil) { origin in
            let client = try await RawClient.connect(port: origin.port)
            try await client.send("GET / HTTP/1.1\r\nHost: a")
            try await client.send(".test\r\n\r\n")
            return String(decoding: try await client.readToEnd(), as: UTF8.self)
        }
        #expect(answers.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answers.hasSuffix("\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"))
    }
}
