import Testing
import Traffic

@Suite("Coding as gzip", .timeLimit(.minutes(15)))
struct GzipEncoderTests {
    @Test("What was coded piece by piece decodes to the same", arguments: [0, 1, 1_000, 300_000], [false, true])
    func roundTrip(count: Int, isFlushed: Bool) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 5)) }
        let encoder = GzipEncoder()
        var coded: [UInt8] = []
        for start in stride(from: 0, to: count, by: 70_000) {
            coded += try encoder.write(bytes[start..<min(count, start + 70_000)], isFlushed: isFlushed)
            guard isFlushed else { continue }
            let soFar = ContentCoding.decode(coded, names: ["gzip"], limitBytes: 1 << 20).bytes
            #expect(soFar == Array(bytes.prefix(start + 70_000)))
        }
        coded += try encoder.finish()
        let decoded = ContentCoding.decode(coded, names: ["gzip"], limitBytes: 1 << 20)
        #expect(decoded == DecodedBody(bytes: bytes, problem: nil))
    }
}
