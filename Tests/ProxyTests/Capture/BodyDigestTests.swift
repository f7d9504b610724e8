import NIOCore
import Testing

@testable import Proxy

@Suite("The digest of a body", .timeLimit(.minutes(15)))
struct BodyDigestTests {
    @Test(
        "It is that of every byte that passed, whatever is kept of them and however they came",
        arguments: [0, 2, 100] as [Int64],
        [1, 2, 3]
    )
    func wholeBody(limitBytes: Int64, size: Int) {
        var body = BodyCapture(limitBytes: limitBytes)
        var rest = ByteBuffer(string: "abc")
        while let part = rest.readSlice(length: min(size, rest.readableBytes)), part.readableBytes > 0 {
            _ = body.take(part)
        }
        // FIPS 180-4's own example.
        let known: [UInt8] = [
            0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23,
            0xB0, 0x03, 0x61, 0xA3, 0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61, 0xF2, 0x00, 0x15, 0xAD,
        ]
        let measured = body.measure(isFinal: true)
        #expect(measured.sha256 == known && measured.length == 3 && measured.kept == min(limitBytes, 3))
        #expect(body.measure(isFinal: false).sha256.isEmpty)
    }
}
