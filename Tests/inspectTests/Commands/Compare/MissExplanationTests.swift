import NIOCore
import Testing
import Traffic

@testable import Proxy
@testable import inspect

/// What a client is told of a miss, by where it is.
@Suite(.timeLimit(.minutes(15))) struct MissExplanationTests {
    private static func miss(isFromThisMachine: Bool, accept: String = "*/*") throws -> (head: String, body: String) {
        let head = ByteBuffer(string: "GET /other?b=2 HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: \(accept)\r\n\r\n")
        let asked = AskedRequest(
            method: "GET",
            scheme: .http,
            endpoint: Endpoint(host: "127.0.0.1", port: 9_092),
            isAddressedHere: true,
            target: "/other?b=2",
            fields: HeaderList(head: head),
            body: ByteBuffer(),
            isBodyWhole: true,
            asksForWebSocket: false,
            isFromThisMachine: isFromThisMachine
        )
        let recorded = ExchangeSummary(
            id: 7,
            started: 0,
            duration: 1,
            method: "GET",
            scheme: .https,
            host: "private.example.test",
            port: 443,
            target: "/secret?token=abc",
            code: 200,
            mediaType: nil,
            requestBytes: 0,
            responseBytes: 0,
            version: .http11,
            upstreamVersion: .http11,
            outcome: .completed,
            failure: nil
        )
        let explanation = MissExplanation(
            request: MockRequest(asked),
            reason: "Two parts differ from /secret.",
            nearest: Recording(recorded),
            differences: [.init(part: "path", here: "/other", recorded: "/secret")]
        )
        #expect(explanation.lines.contains { $0.contains("private.example.test/secret") }, "what is printed here")
        let response = explanation.response
        return (String(buffer: response.head), String(decoding: response.body, as: UTF8.self))
    }

    @Test("A program of this machine is told of the nearest recording, in text and in JSON")
    func here() throws {
        let text = try Self.miss(isFromThisMachine: true)
        #expect(text.head.contains("\r\nX-Inspect-Miss: path\r\n") && text.body.contains("private.example.test/secret"))
        #expect(
            try Self.miss(isFromThisMachine: true, accept: "application/json").body.contains("private.example.test")
        )
    }

    @Test("A client of another machine is told nothing of what was recorded")
    func elsewhere() throws {
        for accept in ["*/*", "application/json"] {
            let (head, body) = try Self.miss(isFromThisMachine: false, accept: accept)
            #expect(head.hasPrefix("HTTP/1.1 501 ") && head.contains("\r\nX-Inspect-Miss: recording\r\n"))
            #expect(body.contains("/other") && !body.contains("secret") && !body.contains("private"), "\(body)")
        }
    }
}
