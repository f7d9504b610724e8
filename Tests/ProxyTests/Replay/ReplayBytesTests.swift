import NIOCore
import Testing
import Traffic

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct ReplayBytesTests {
    private func bytes(_ head: String, sent: String? = nil, body: String = "") throws -> String {
        var exchange = Exchange(
            timeline: Timeline(started: 0),
            method: "POST",
            scheme: .https,
            host: "a.test",
            port: 443,
            target: "/x",
            request: Message(head: ByteBuffer(string: head), sentHead: sent.map { ByteBuffer(string: $0) }),
            client: Peer(token: 1, address: "", tls: nil)
        )
        exchange.request.body = Body(length: Int64(body.utf8.count), kept: Int64(body.utf8.count), sha256: [])
        return String(buffer: try ReplayBytes.make(ReplayRequest(original: exchange, body: Array(body.utf8))))
    }

    @Test("A request of HTTP/1.1 goes out as it was sent")
    func http1() throws {
        let head = "POST /x HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\n\r\n"
        #expect(try bytes("unread", sent: head, body: "hi") == head + "hi")
    }

    @Test("A request of HTTP/2 goes out in HTTP/1.1, with the framing that needs")
    func http2() throws {
        let head = "POST /x HTTP/2\r\nhost: a.test\r\n"
        #expect(try bytes(head + "\r\n") == "POST /x HTTP/1.1\r\nhost: a.test\r\n\r\n")
        #expect(
            try bytes(head + "content-length: 2\r\n\r\n", body: "hi")
                == "POST /x HTTP/1.1\r\nhost: a.test\r\ncontent-length: 2\r\n\r\nhi"
        )
        #expect(
            try bytes(head + "\r\n", body: "hi")
                == "POST /x HTTP/1.1\r\nhost: a.test\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
        )
    }
}
