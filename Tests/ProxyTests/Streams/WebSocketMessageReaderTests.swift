import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

@Suite("WebSocket messages read from a copy of the bytes", .timeLimit(.minutes(15)))
struct WebSocketMessageReaderTests {
    @Test("However the bytes are split, the same messages come out", arguments: [1, 2, 3, 5, 7, 64, 1_000, Int.max])
    func splits(step: Int) {
        let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        let long = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }
        let bytes =
            Frames.frame(1, Array("Hel".utf8), isFinal: false, mask: mask)
            + Frames.frame(9, Array("are you there".utf8), mask: [1, 2, 3, 4])
            + Frames.frame(0, Array("lo, Wör".utf8), isFinal: false, mask: [0, 0, 0, 9])
            + Frames.frame(0, [], isFinal: false, mask: mask) + Frames.frame(0, Array("ld".utf8), mask: mask)
            + Frames.frame(2, Array(long.prefix(300)), mask: mask) + Frames.frame(2, long, mask: [9, 8, 7, 6])
            + Frames.frame(1, [], mask: mask) + Frames.frame(10, [], mask: mask)
            + Frames.frame(8, [0x03, 0xE9] + Array("going away".utf8), mask: mask)
        var reader = WebSocketMessageReader.plain(.request)
        let messages = Frames.read(bytes, with: &reader, step: step, isEnded: true)
        #expect(messages.map(\.label) == ["ping", "text", "binary", "binary", "text", "pong", "close"])
        #expect(messages.map(\.text) == ["are you there", "Hello, Wörld", nil, nil, "", "", "going away"])
        #expect(messages.allSatisfy { $0.side == .request && $0.kind == .webSocket && $0.time == 7 })
        #expect(messages[2].bytes == Array(long.prefix(300)) && messages[3].bytes == long)
        #expect(messages.map(\.size) == [13, 13, 300, 70_000, 0, 0, 12])
        #expect(messages.allSatisfy { $0.wireBytes == $0.size && !$0.isTruncated && $0.problem == nil })
        #expect(messages.map(\.status) == [nil, nil, nil, nil, nil, nil, 1_001])
        #expect(reader.closeCode == 1_001 && reader.warnings.isEmpty)
    }

    @Test("A long message is measured whole and kept in part, without being held")
    func keepsInPart() {
        var reader = WebSocketMessageReader.plain(keptBytes: 10)
        let messages = Frames.read(
            Frames.frame(1, Array(repeating: 0x61, count: 9), isFinal: false)
                + Frames.frame(0, Array("é and the rest".utf8)) + Frames.frame(1, Array("short".utf8)),
            with: &reader,
            step: 4
        )
        #expect(messages.map(\.size) == [24, 5])
        #expect(messages.map(\.isTruncated) == [true, false])
        // The cut goes through a character, which is left out of the text and not of the bytes.
        #expect(messages[0].text == "aaaaaaaaa" && messages[0].bytes.count == 10)
    }

    @Test("A close frame without a code is 1005, and the first one counts")
    func closeCodes() {
        var reader = WebSocketMessageReader.plain()
        let messages = Frames.read(Frames.frame(8, []) + Frames.frame(8, [0x0F, 0xA0]), with: &reader)
        #expect(messages.map(\.status) == [nil, 4_000])
        #expect(reader.closeCode == 1_005)
    }

    static let malformed: [(what: String, bytes: [UInt8], why: String)] = [
        ("reserved opcode", [0x83, 0x00], "reserved opcode 3"),
        ("reserved control opcode", [0x8B, 0x00], "reserved opcode 11"),
        ("RSV1 without compression", [0xC1, 0x00], "not agreed on"), ("RSV2", [0xA1, 0x00], "reserved bits"),
        ("RSV3", [0x91, 0x00], "reserved bits"), ("fragmented ping", [0x09, 0x00], "control frame is fragmented"),
        ("long ping", [0x89, 0x7E, 0x00, 0x7E], "longer than 125"),
        ("continuation", [0x80, 0x00], "continues nothing"),
        ("message within a message", [0x01, 0x00, 0x81, 0x00], "within another"),
        ("length of 64 bits", [0x82, 0x7F, 0xFF, 0, 0, 0, 0, 0, 0, 0], "highest bit"),
        ("HTTP", Array("HTTP/1.1 200 OK\r\n".utf8), "fragmented"),
    ]

    @Test("What is no WebSocket ends the reading with one sentence", arguments: malformed)
    func stops(what: String, bytes: [UInt8], why: String) throws {
        var reader = WebSocketMessageReader.plain()
        let good = Frames.frame(1, Array("before".utf8))
        let messages = Frames.read(good + bytes + Frames.frame(1, Array("after".utf8)), with: &reader, isEnded: true)
        #expect(messages.map(\.text) == ["before"])
        let warning = try #require(reader.warnings.first)
        #expect(reader.warnings.count == 1 && warning.contains(why) && warning.contains("passed on"), "\(warning)")
    }

    @Test("A mask where none belongs is read all the same and told once")
    func oddMasks() {
        var upstream = WebSocketMessageReader.plain()
        let masked = Frames.frame(1, Array("a".utf8), mask: [1, 2, 3, 4])
        #expect(Frames.read(masked + masked, with: &upstream).map(\.text) == ["a", "a"])
        #expect(upstream.warnings == ["The upstream sent masked WebSocket frames."])
        var client = WebSocketMessageReader.plain(.request)
        #expect(Frames.read(Frames.frame(1, [0x62]), with: &client).map(\.text) == ["b"])
        #expect(client.warnings == ["The client sent WebSocket frames without a mask."])
    }

    @Test("A message that the stream ends within is kept and said to be cut")
    func unfinished() {
        var reader = WebSocketMessageReader.plain()
        let messages = Frames.read(
            Frames.frame(1, Array("one".utf8), isFinal: false) + Frames.frame(0, Array("two".utf8)).dropLast(),
            with: &reader,
            isEnded: true
        )
        #expect(messages.map(\.text) == ["onetw"])
        #expect(messages[0].problem?.contains("ended within") == true)
    }

    @Test("Random bytes, and streams with random changes, never trap; what was before the change is read")
    func random() {
        var random = SeededGenerator(seed: 20_261_121)
        for round in 0..<3_000 {
            let side: MessageSide = Bool.random(using: &random) ? .request : .response
            var compression = WebSocketCompression()
            if Bool.random(using: &random) { compression = WebSocketCompression("permessage-deflate") }
            var reader = WebSocketMessageReader(
                side: side,
                compression: compression,
                limits: MessageLimits(keptBytes: 100, decodedBytes: 10_000)
            )
            var bytes: [UInt8] = []
            if round % 3 > 0 {
                for _ in 0..<Int.random(in: 1...6, using: &random) {
                    bytes += Frames.frame(
                        [0, 1, 2, 8, 9, 10].randomElement(using: &random) ?? 1,
                        (0..<Int.random(in: 0...200, using: &random)).map { _ in
                            UInt8.random(in: 0...255, using: &random)
                        },
                        isFinal: Bool.random(using: &random),
                        reserved: Int.random(in: 0...3, using: &random) == 0 ? 0x40 : 0,
                        mask: side == .request ? [1, 2, 3, 4] : nil
                    )
                }
                if round % 3 == 2, !bytes.isEmpty {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
            } else {
                bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            }
            let messages = Frames.read(
                bytes,
                with: &reader,
                step: Int.random(in: 1...50, using: &random),
                isEnded: true
            )
            #expect(messages.allSatisfy { $0.payload.readableBytes <= 100 && $0.wireBytes <= bytes.count })
        }
    }
}
