import Support
import Testing

@testable import Traffic

@Suite("Coding bodies again", .timeLimit(.minutes(15)))
struct ContentEncoderTests {
    @Test(
        "What was coded in pieces decodes to the same, and at a pause all of it so far does",
        arguments: [["gzip"], ["deflate"], ["br"], ["zstd"], ["gzip", "br"], ["zstd", "deflate", "gzip"]],
        [0, 1, 1_000, 400_000]
    )
    func roundTrip(names: [String], count: Int) throws {
        var dice = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next() & 0x1F) }
        let encoder = try #require(ContentEncoder(names: names))
        var coded: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(Int.random(in: 1...100_000, using: &dice)))
            rest = rest.dropFirst(piece.count)
            let isPause = Bool.random(using: &dice)
            try piece.withUnsafeBytes { try encoder.write($0, isPause ? .pause : .more, into: &coded) }
            guard isPause else { continue }
            let decoder = ContentDecoder(names: names, limitBytes: 1 << 20)
            var decoded: [UInt8] = []
            decoder.write(coded) { decoded.append(contentsOf: $0) }
            #expect(decoded == Array(bytes.dropLast(rest.count)))
        }
        try encoder.write(UnsafeRawBufferPointer(start: nil, count: 0), .end, into: &coded)
        #expect(
            ContentCoding.decode(coded, names: names, limitBytes: 1 << 20) == DecodedBody(bytes: bytes, problem: nil)
        )
    }

    @Test("A coding that is unknown, and more of them than are undone, have no encoder")
    func unknown() {
        #expect(ContentEncoder.encode([], names: ["gzip", "dcb"]) == nil)
        #expect(ContentEncoder.encode([], names: Array(repeating: "gzip", count: 5)) == nil)
        #expect(ContentEncoder.encode([1, 2], names: []) == [1, 2])
    }
}
