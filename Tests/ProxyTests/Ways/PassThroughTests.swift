import Proxy
import Support
import Testing
import Traffic

@Suite("Passing hosts through while the proxy runs", .timeLimit(.minutes(15)))
struct PassThroughTests {
    @Test("A host that is put on the list is not read from then on, and is read again once it is taken away")
    func changes() async throws {
        // It closes, so that a tunnel to it ends.
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("good")) { bytes in
            guard bytes.suffix(4) == Array("\r\n\r\n".utf8)[...] else { return nil }
            let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok".utf8)
            return LoopbackOrigin.Reply(consuming: bytes.count, .send(answer), .close)
        }
        try await RunningProxy.run(configure: { $0.passThrough = [] }) { proxy in
            func fetch(trusting root: String) async throws -> Int32 {
                try await CommandLineTool.run(
                    "curl",
                    ["-sS", "--noproxy", "", "-x", "http://127.0.0.1:\(proxy.port)", "--cacert", root]
                        + ["https://localhost:\(origin.port)/"]
                ).status
            }
            let theirs = Certificates.file("root.pem")
            #expect(try await fetch(trusting: theirs) == 60)
            try proxy.server.passThrough("LOCALHOST")
            try proxy.server.passThrough("localhost")
            #expect(proxy.server.passedThrough() == [PassedHost(host: "localhost", isAdded: true)])
            #expect(try await fetch(trusting: theirs) == 0)
            #expect(proxy.server.readAgain("localhost") && !proxy.server.readAgain("localhost"))
            #expect(try await fetch(trusting: proxy.rootFile) == 0)
            let ended = try await proxy.sink.ended(3).map(\.exchange).sorted {
                $0.timeline.started < $1.timeline.started
            }
            #expect(ended.map(\.outcome) == [.failed, .tunnelled, .completed])
        }
    }

    @Test("What is no host is refused, and so are more than can be held against each connection")
    func refused() async throws {
        var configuration = ProxyConfiguration()
        try await RunningProxy.run(configure: { configuration = $0 }) { proxy in
            let server = proxy.server
            func lists(_ host: String) -> Bool { server.passedThrough().contains { $0.host == host } }
            for text in ["", "a b", "example.com:443", "https://x/"] {
                #expect(throws: PassThroughError.self) { try server.passThrough(text) }
            }
            #expect(server.passedThrough().map(\.isAdded) == HostPattern.pinned.map { _ in false })
            for number in 0..<(1_000 - server.passedThrough().count) { try server.passThrough("h\(number).test") }
            #expect(throws: PassThroughError.self) { try server.passThrough("one-more.test") }
            #expect(lists("h7.test") && !lists("one-more.test"))
            // Another configuration takes the place of the options, not of what was added.
            try await server.reload(configuration, authority: proxy.authority)
            #expect(lists("h7.test") && server.passedThrough().count == 1_000)
            // One of the options' may be taken away too, as it is written.
            #expect(lists("*.apple.com") && server.readAgain("*.APPLE.com") && !lists("*.apple.com"))
            #expect(!server.readAgain("a b"))
        }
    }
}
