import Foundation
import NIOCore
import Support
import Testing
import Traffic

/// Hundreds of ways to frame a request, judged by h11 at the upstream: refused, or forwarded as exactly what is recorded.
@Suite(.timeLimit(.minutes(15)))
struct FramingTests {
    @Test("There are at least 300 different cases")
    func counts() {
        #expect(Set(FramingCase.all.map(\.text)).count >= 300)
    }

    @Test(
        "Each is refused with its bytes recorded, or reaches the upstream as h11 reads what is recorded",
        .timeLimit(.minutes(15)),
        arguments: FramingCase.Way.allCases
    )
    func judged(way: FramingCase.Way) async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard H11Judge.isWhole(unanswered) else { return nil }
            return .init(consuming: unanswered.count, .send(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)))
        }
        var random = SeededGenerator(seed: 9_112)
        try await RunningProxy.run { proxy in
            for example in FramingCase.all where example.ways.contains(way) {
                let client = way == .absolute ? try await proxy.connect() : try await warmTunnel(proxy, origin)
                let bytes = example.bytes(to: origin.port, by: way)
                let cut = way == .absolute ? bytes.count : Int.random(in: 1..<bytes.count, using: &random)
                do {
                    try await check(example, [bytes[..<cut], bytes[cut...]], client, proxy.sink)
                } catch {
                    Issue.record("\(example) by \(way): \(error)")
                }
                try? await client.close()
            }
            let completed = proxy.sink.soFar.ended.filter { $0.exchange.outcome == .completed }
            let verdicts = try await H11Judge.judge(origin.connections.map(\.received))
            for (verdict, connection) in zip(verdicts, origin.connections) {
                #expect(verdict.error == nil, "\(connection.receivedText.debugDescription)")
                // A request that was refused in its body was cut off.
                #expect(!verdict.isUnfinished || connection.isClosed, "\(connection.receivedText.debugDescription)")
            }
            let judged = verdicts.flatMap(\.requests).map(Self.text).sorted()
            let recorded = completed.map(Self.text).sorted()
            #expect(judged == recorded, "\(judged.difference(from: recorded))")
        }
    }

    private func check(
        _ example: FramingCase,
        _ pieces: [ArraySlice<UInt8>],
        _ client: RawClient,
        _ sink: RecordingSink
    ) async throws {
        let before = sink.soFar.ended.count
        for piece in pieces where !piece.isEmpty {
            // What is refused at once may leave nobody to send the rest to.
            _ = try? await client.send(Array(piece))
        }
        if example.refusal != nil { _ = try? await client.halfClose() }
        for index in 0..<example.forwarded {
            let code = try await client.response().code
            #expect(code == 204, "\(example): response \(index)")
        }
        guard let refusal = example.refusal else {
            let count = try await sink.ended(before + example.forwarded).count - before
            #expect(count == example.forwarded, "\(example) left \(count) rows")
            return
        }
        let answer = try await client.response()
        #expect(answer.code == refusal, "\(example)")
        #expect(answer.head.contains("\r\nConnection: close\r\n"), "\(example)")
        #expect(try await client.readToEnd().isEmpty, "\(example)")
        let records = try await sink.ended(before + example.forwarded + 1).dropFirst(before + example.forwarded)
        let record = try #require(records.first)
        let head = Array(record.exchange.request.head.readableBytesView)
        #expect(records.count == 1 && record.exchange.outcome == .failed && record.exchange.code == nil, "\(example)")
        #expect(!head.isEmpty && pieces.joined().contains(head), "\(example): \(record.head.debugDescription)")
    }

    /// A client in a tunnel in which one request was answered, so that what follows is read as HTTP whatever it is.
    private func warmTunnel(_ proxy: RunningProxy, _ origin: LoopbackOrigin) async throws -> RawClient {
        let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
        try await client.send("GET /warm HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n")
        #expect(try await client.response().code == 204)
        return client
    }

    private static func text(_ request: H11Judge.Request) -> String {
        let fields = request.fields.map { "\($0[0]): \($0[1])" }
        return "\(request.method) \(request.target) \(fields) \(String(decoding: request.body, as: UTF8.self))"
    }

    private static func latin1(_ bytes: ByteBuffer, _ range: Range<Int>) -> String {
        String((bytes.viewBytes(at: range.lowerBound, length: range.count) ?? []).map { Character(UnicodeScalar($0)) })
    }

    private static func text(_ record: RecordingSink.Ended) -> String {
        let exchange = record.exchange
        let head = HeaderList(head: exchange.request.sentHead ?? exchange.request.head)
        let trailers = exchange.request.trailers.map { HeaderList(trailers: $0) }
        let fields = [head, trailers].compactMap(\.self).flatMap { list in
            list.spans.map { span in
                let (name, value) = (latin1(list.bytes, span.name).lowercased(), latin1(list.bytes, span.value))
                // h11 gives this one in lower case.
                return "\(name): \(name == "transfer-encoding" ? value.lowercased() : value)"
            }
        }
        return "\(exchange.method) \(exchange.target) \(fields) \(String(decoding: record.requestBody, as: UTF8.self))"
    }
}

extension Sequence<UInt8> {
    /// Whether these bytes stand somewhere in a row.
    fileprivate func contains(_ part: [UInt8]) -> Bool { Array(self).firstRange(of: part) != nil }
}
