import NIOCore
import Support
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct ClientHelloReaderTests {
    /// A ClientHello message with these extensions (RFC 8446 §4.1.2).
    private func message(serverName: String? = nil, protocols: [String] = [], padding: Int = 0) -> [UInt8] {
        var extensions: [UInt8] = []
        if let serverName {
            let name = Array(serverName.utf8)
            extensions += [0, 0] + counted(counted([0] + counted(name)))
        }
        if !protocols.isEmpty {
            let list = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            extensions += [0, 16] + counted(counted(list))
        }
        if padding > 0 { extensions += [0, 21] + counted([UInt8](repeating: 0, count: padding)) }
        let body: [UInt8] =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [0] + [0, 2, 0x13, 1] + [1, 0] + counted(extensions)
        return [1, UInt8(body.count >> 16), UInt8(body.count >> 8 & 0xFF), UInt8(body.count & 0xFF)] + body
    }

    private func counted(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes }

    /// The message in records of at most `size` bytes.
    private func records(_ message: [UInt8], size: Int) -> [UInt8] {
        stride(from: 0, to: message.count, by: size).flatMap { start -> [UInt8] in
            [0x16, 3, 1] + counted(Array(message[start..<min(start + size, message.count)]))
        }
    }

    @Test(
        "Name and protocols are read, however the message is cut into records and reads",
        arguments: [1, 3, 100, 16_000],
        [1, 7, 100_000]
    )
    func cut(recordSize: Int, readSize: Int) {
        let bytes = records(
            message(serverName: "Api.Example.TEST", protocols: ["h2", "http/1.1"], padding: 1_500),
            size: recordSize
        )
        var reader = ClientHelloReader()
        var last = ClientHelloReader.Reading.incomplete
        for start in stride(from: 0, to: bytes.count, by: readSize) {
            #expect(last == .incomplete)
            last = reader.take(ByteBuffer(bytes: bytes[start..<min(start + readSize, bytes.count)]))
        }
        let marks = ClientHelloMarks(version: 0x0303, ciphers: [0x1301], extensions: [0, 16, 21])
        let hello = ClientHello(
            serverName: "api.example.test",
            applicationProtocols: ["h2", "http/1.1"],
            marks: marks
        )
        #expect(last == .whole(hello))
    }

    @Test("A ClientHello in records of one byte is moved about once a read, not once a record")
    func tinyRecords() {
        // Copied behind each record, what is left of eight times the records would be 64 times as much.
        func time(_ padding: Int) -> Double {
            let bytes = ByteBuffer(bytes: records(message(padding: padding), size: 1))
            return ThreadTime.least {
                var reader = ClientHelloReader()
                let reading = reader.take(bytes)
                #expect(reading != .incomplete && reading != .malformed)
            }
        }
        let (small, large) = (time(4_000), time(32_000))
        #expect(large < small * 32, "\(small) and \(large) ns")
    }

    @Test("Without extensions there is no name and no protocol")
    func bare() {
        var reader = ClientHelloReader()
        let bare = ClientHello(marks: ClientHelloMarks(version: 0x0303, ciphers: [0x1301]))
        #expect(reader.take(ByteBuffer(bytes: records(message(), size: 9_999))) == .whole(bare))
        #expect(!ClientHello().offersHTTP2)
    }

    @Test(
        "What is no ClientHello is left to the TLS library",
        arguments: [
            [0x15, 3, 1, 0, 2, 2, 40], [0x16, 3, 1, 0, 1, 2], [0x16, 3, 1, 0, 0],
            [0x16, 3, 1, 0, 4, 1, 0xFF, 0xFF, 0xFF],
            [0x16, 3, 1, 0, 6, 1, 0, 0, 2, 3, 3],
        ] as [[UInt8]]
    )
    func malformed(bytes: [UInt8]) {
        var reader = ClientHelloReader()
        #expect(reader.take(ByteBuffer(bytes: bytes)) == .malformed)
    }

    @Test("Changed bytes never trap, and mean the same in whatever pieces they come", arguments: 0..<40)
    func mutated(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<200 {
            var bytes = records(
                message(serverName: "a.test", protocols: ["h2"]),
                size: Int.random(in: 1...300, using: &random)
            )
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var reader = ClientHelloReader()
            var taken = 0
            var inPieces = ClientHelloReader.Reading.incomplete
            while taken < bytes.count, inPieces == .incomplete {
                let count = min(Int.random(in: 1...64, using: &random), bytes.count - taken)
                inPieces = reader.take(ByteBuffer(bytes: bytes[taken..<taken + count]))
                taken += count
            }
            var whole = ClientHelloReader()
            #expect(whole.take(ByteBuffer(bytes: bytes)) == inPieces, "\(bytes)")
        }
    }
}
