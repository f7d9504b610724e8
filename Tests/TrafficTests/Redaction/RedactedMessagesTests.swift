import NIOCore
import Testing
import Traffic

@Suite("Secrets in the messages of a stream do not leave the machine", .timeLimit(.minutes(15)))
struct RedactedMessagesTests {
    private static let secret = "q7Wn2Zk9Lx4Tb8Vd"
    private static let json = Array(#"{"password":"\#(secret)","kept":1}"#.utf8)

    private func message(_ payload: [UInt8], _ opcode: UInt8 = 2, size: Int? = nil) -> StreamMessage {
        StreamMessage(
            side: .request,
            time: 0,
            kind: .webSocket,
            opcode: opcode,
            wireBytes: Int64(payload.count),
            size: Int64(size ?? payload.count),
            payload: ByteBuffer(bytes: payload)
        )
    }

    @Test("A binary message is read as a body is: packed, or in UTF-16")
    func unpacks() throws {
        let coder = GzipEncoder()
        let packed = try coder.write(Self.json) + coder.finish()
        let wide = Self.json.flatMap { [$0, 0] as [UInt8] }
        for payload in [Self.json, packed, wide, [0xFF, 0xFE] + wide] {
            let redactor = Redactor(digest: Redactor.quickDigest)
            let masked = redactor.message(message(payload))
            let out = String(buffer: masked.payload)
            #expect(!out.contains(Self.secret) && out.contains("\"kept\":1"), "\(out)")
            #expect(masked.size == masked.payload.readableBytes && !masked.isTruncated)
            #expect(redactor.report.total == 1 && !redactor.report.lines.contains { $0.contains("no text") })
        }
    }

    @Test("A message that was packed and is not whole stays cut, and what could not be unpacked is left out")
    func cuts() throws {
        let coder = GzipEncoder()
        let packed = try coder.write(Self.json) + coder.finish()
        let redactor = Redactor(digest: Redactor.quickDigest)
        for size in [packed.count - 9, packed.count + 5] {
            let masked = redactor.message(message(Array(packed.prefix(packed.count - 9)), size: size))
            let out = String(buffer: masked.payload)
            #expect(!out.contains(Self.secret) && masked.isTruncated, "\(out)")
        }
    }

    @Test("A packed message without a secret stays byte for byte")
    func plain() throws {
        let coder = GzipEncoder()
        let packed = try coder.write(Array("kept".utf8)) + coder.finish()
        let redactor = Redactor(digest: Redactor.quickDigest)
        #expect(redactor.message(message(packed)) == message(packed))
        #expect(redactor.report.total == 0)
    }

    @Test("The messages of a stream unpack to some times their bytes and one allowance; the rest is left out")
    func allowance() throws {
        let coder = GzipEncoder()
        let packed = try coder.write([UInt8](repeating: UInt8(ascii: "a"), count: 50_000)) + coder.finish()
        let redactor = Redactor(unpackedLimitBytes: 120_000, digest: Redactor.quickDigest)
        var (cuts, unpackedBytes) = (0, 0)
        for _ in 0..<50 {
            let masked = redactor.message(message(packed))
            guard masked.isTruncated else { continue }
            (cuts, unpackedBytes) = (cuts + 1, unpackedBytes + masked.payload.readableBytes)
        }
        #expect((47...48).contains(cuts) && redactor.report.cutBodies == cuts)
        #expect(unpackedBytes <= 120_000 + 50 * 16 * packed.count)
    }

    @Test("Messages that are no text are counted, control frames and texts are not")
    func counts() {
        let connect: [UInt8] = [0x10, 0x10, 0, 4] + Array("MQTT".utf8) + [4, 0xC2, 0, 60, 0, 4] + Array("abcd".utf8)
        let redactor = Redactor(digest: Redactor.quickDigest)
        for opcode: UInt8 in [2, 8, 9, 10] { _ = redactor.message(message(connect, opcode)) }
        _ = redactor.message(message(Array("kept".utf8), 1))
        #expect(redactor.report.lines.contains { $0.contains("1 message is no text") }, "\(redactor.report.lines)")
        _ = redactor.message(message(connect))
        #expect(redactor.report.lines.contains { $0.contains("2 messages are no text") }, "\(redactor.report.lines)")
    }
}
