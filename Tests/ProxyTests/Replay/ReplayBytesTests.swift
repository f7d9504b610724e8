import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// What an upstream gets when a recorded request is sent again.
@Suite(.timeLimit(.minutes(15)))
struct ReplayBytesTests {
    private func bytes(_ head: String, sent: String? = nil, body: String = "") async throws -> String {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in Array("HTTP/1.1 204 No Content\r\n\r\n".utf8) }
        )
        var exchange = Exchange(
            timeline: Timeline(started: 0),
            method: "POST",
            scheme: .http,
            host: "127.0.0.1",
            port: origin.port,
            target: "/x",
            request: Message(head: ByteBuffer(string: head), sentHead: sent.map { ByteBuffer(string: $0) }),
            client: Peer(token: 1, address: "", tls: nil)
        )
        exchange.request.body = Body(length: Int64(body.utf8.count), kept: Int64(body.utf8.count), sha256: [])
        let request = ReplayRequest(original: exchange, body: Array(body.utf8))
        try await RunningProxy.run { proxy in
            _ = try await proxy.server.replay(request)
            #expect(try await proxy.record().exchange.code == 204)
        }
        return try #require(origin.connections.first).receivedText
    }

    @Test("A request of HTTP/1.1 goes out as it was sent")
    func http1() async throws {
        let head = "POST /x HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\n\r\n"
        #expect(try await bytes("unread", sent: head, body: "hi") == head + "hi")
    }

    @Test("A request of HTTP/2 goes out in HTTP/1.1, with the framing that needs")
    func http2() async throws {
        let head = "POST /x HTTP/2\r\nhost: a.test\r\n"
        #expect(try await bytes(head + "\r\n") == "POST /x HTTP/1.1\r\nhost: a.test\r\n\r\n")
        #expect(
            try await bytes(head + "content-length: 2\r\n\r\n", body: "hi")
                == "POST /x HTTP/1.1\r\nhost: a.test\r\ncontent-length: 2\r\n\r\nhi"
        )
        #expect(
            try await bytes(head + "\r\n", body: "hi")
                == "POST /x HTTP/1.1\r\nhost: a.test\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
        )
    }
}
