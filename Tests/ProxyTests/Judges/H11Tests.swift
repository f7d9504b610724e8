import NIOCore
import NIOEmbedded
import Support
import Testing
import Traffic

@testable import Proxy

/// h11 as the judge of what we send upstream: nothing it refuses, and the requests that we recorded.
@Suite(.timeLimit(.minutes(15)))
struct H11Tests {
    @Test("What an origin receives through the proxy is, to h11, the requests that were recorded")
    func judged() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard H11Judge.isWhole(unanswered) else { return nil }
            return .init(consuming: unanswered.count, .send(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)))
        }
        try await RunningProxy.run { proxy in
            var sentCount = 0
            for bytes in try corpus(to: origin.port) {
                let client = try await proxy.connect()
                try await client.send(bytes)
                let code = try await client.response().code
                sentCount += 1
                // Not every head that the parser takes can be routed: a Host may be missing, or be given twice.
                #expect([204, 400].contains(code))
            }
            let completed = try await proxy.sink.ended(sentCount).filter { $0.exchange.outcome == .completed }
            #expect(completed.count > 150, "a corpus that we refuse wholly shows nothing")
            let connections = origin.connections.map(\.received)
            let verdicts = try await H11Judge.judge(connections)
            #expect(verdicts.count == connections.count)
            for (verdict, bytes) in zip(verdicts, connections) {
                #expect(verdict.error == nil, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            }
            let judged = verdicts.flatMap(\.requests).map {
                "\($0.method) \($0.target) \($0.fieldCount) \($0.bodyBytes)"
            }
            let recorded = completed.map { record in
                let sent = HeaderList(head: record.exchange.request.sentHead ?? record.exchange.request.head)
                return
                    "\(record.exchange.method) \(record.exchange.target) \(sent.count) \(record.exchange.request.body.length)"
            }
            #expect(judged.sorted() == recorded.sorted())
        }
    }

    /// Mutated requests that our parser accepts as one whole request, in absolute-form.
    private func corpus(to port: Int) throws -> [[UInt8]] {
        var messages = MutatedMessages(seed: 4_711)
        var found: [[UInt8]] = []
        for _ in 0..<2_000 where found.count < 300 {
            let text = String(decoding: messages.request(), as: UTF8.self)
            let place = "http://127.0.0.1:\(port)"
            let bytes = Array(
                text.replacing(" /", with: " \(place)/", maxReplacements: 1).replacing(
                    "http://a.test",
                    with: place,
                    maxReplacements: 1
                ).utf8
            )
            guard text.utf8.allSatisfy({ $0 < 0x80 }), isOneRequest(bytes) else { continue }
            found.append(bytes)
        }
        return found
    }

    private func isOneRequest(_ bytes: [UInt8]) -> Bool {
        let codec = HTTP1Codec(role: .requests, limits: HeadLimits())
        let channel = EmbeddedChannel(handler: codec)
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        guard (try? channel.writeInbound(ByteBuffer(bytes: bytes))) != nil, codec.bufferedBytes == 0 else {
            return false
        }
        var target = ""
        while let part = try? channel.readInbound(as: MessagePart.self) {
            if case .request(let head) = part { target = head.targetText }
            if case .end = part { return target.hasPrefix("http://127.0.0.1:") }
        }
        return false
    }
}
