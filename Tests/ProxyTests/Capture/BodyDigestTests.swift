import Proxy
import Support
import Testing
import Traffic

@Suite("The digest of a body", .timeLimit(.minutes(15)))
struct BodyDigestTests {
    @Test(
        "It is that of every byte that passed, whatever is kept of them and however they came",
        arguments: [0, 2, 100] as [Int64],
        [1, 2, 3]
    )
    func wholeBody(limitBytes: Int64, size: Int) async throws {
        // FIPS 180-4's own example, of "abc".
        let known: [UInt8] = [
            0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23,
            0xB0, 0x03, 0x61, 0xA3, 0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61, 0xF2, 0x00, 0x15, 0xAD,
        ]
        let chunks = stride(from: 0, to: 3, by: size).map { start -> String in
            let piece = "abc".dropFirst(start).prefix(size)
            return "\(piece.count)\r\n\(piece)\r\n"
        }
        let coded = "Transfer-Encoding: chunked\r\n\r\n\(chunks.joined())0\r\n\r\n"
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\n\(coded)".utf8) }
        )
        try await RunningProxy.run(configure: { $0.bodyLimitBytes = limitBytes }) { proxy in
            let client = try await proxy.connect()
            let place = "127.0.0.1:\(origin.port)"
            try await client.send("POST http://\(place)/ HTTP/1.1\r\nHost: \(place)\r\n\(coded)")
            #expect(try await client.response().text == "abc")
            let record = try await proxy.record()
            for body in [record.exchange.request.body, try #require(record.exchange.response).body] {
                #expect(body.sha256 == known && body.length == 3 && body.kept == min(limitBytes, 3))
            }
            #expect(record.responseBody.count == Int(min(limitBytes, 3)))
        }
    }
}
