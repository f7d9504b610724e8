import Foundation
import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

/// Upstream connections without an exchange, of which only so many are kept.
@Suite(.timeLimit(.minutes(15)))
struct IdleUpstreamTests {
    /// An origin that answers each request with 204.
    private static func origin(isHTTP2: Bool) async throws -> LoopbackOrigin {
        var tls = Certificates.server("good")
        guard isHTTP2 else {
            let answer = Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)
            return try await LoopbackOrigin.start(tls: tls, script: RawRequest.answering { _ in answer })
        }
        tls.protocols = ["h2"]
        return try await LoopbackOrigin.start(tls: tls) { unanswered in
            H2Frames.reply(to: unanswered) { frames in
                let requests = frames.filter { $0.type == 1 }
                guard !requests.isEmpty else { return nil }
                let flags = H2Frames.endStream | H2Frames.endHeaders
                return requests.map { LoopbackOrigin.Step.send(H2Frames.frame(1, flags, stream: $0.stream, [0x89])) }
            }
        }
    }

    @Test("Past the limit the one that has been idle for longest goes, whatever it speaks", arguments: [true, false])
    func limit(isHTTP2: Bool) async throws {
        // The last two have the other version.
        let first = try await Self.origin(isHTTP2: isHTTP2)
        let second = try await Self.origin(isHTTP2: !isHTTP2)
        let third = try await Self.origin(isHTTP2: !isHTTP2)
        try await RunningProxy.run {
            $0.matchesProtocols = false
            $0.idleUpstreamLimitCount = 1
        } _: { proxy in
            let client = try await proxy.connect()
            for origin in [first, second, third, third] {
                let authority = "localhost:\(origin.port)"
                try await client.send("GET https://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                #expect(try await client.response().code == 204)
            }
            for origin in [first, second] {
                _ = try await origin.connections("the end of the one that is idle for longer") {
                    $0.count == 1 && $0.allSatisfy(\.isClientDone)
                }
            }
            #expect(third.connections.count == 1 && third.connections.first?.isClientDone == false)
        }
    }

    @Test("Where no file can be opened for a dial, the idle ones are closed for it and it is made once more")
    func noDescriptors() async throws {
        let origins = [try await Self.origin(isHTTP2: false), try await Self.origin(isHTTP2: true)]
        try await RunningProxy.run(configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.connect()
            for origin in origins {
                let authority = "localhost:\(origin.port)"
                try await client.send("GET https://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                #expect(try await client.response().code == 204)
            }
            let full = UpstreamConnector.failure(
                IOError(errnoCode: EMFILE, reason: "socket"),
                Endpoint(host: "localhost", port: 1)
            )
            for bound in proxy.server.loops {
                let (loop, tries) = (bound.eventLoop, Watched(0))
                try await loop.flatSubmit { () -> EventLoopFuture<Void> in
                    let (shared, watch) = (bound.value.shared, bound.value.watch)
                    return UpstreamConnector(loop: loop, shared: shared, watch: watch).makingRoom {
                        () -> EventLoopFuture<Void> in
                        tries.update { $0 += 1 }
                        return tries.value == 1 ? loop.makeFailedFuture(full) : loop.makeSucceededVoidFuture()
                    }
                }.get()
                #expect(tries.value == 2)
            }
            for origin in origins {
                _ = try await origin.connections("the end of an idle connection") { connections in
                    connections.count == 1 && connections.allSatisfy(\.isClientDone)
                }
            }
        }
    }
}
