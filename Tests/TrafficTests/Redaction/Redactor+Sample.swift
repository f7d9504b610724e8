import Testing
import Traffic

extension Redactor {
    /// A digest that is quick, and as long as a placeholder needs (FNV-1a, twice the same eight bytes).
    static let quickDigest: @Sendable ([UInt8]) -> [UInt8] = { secret in
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in secret { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return (0..<16).map { UInt8(truncatingIfNeeded: hash >> (($0 % 8) * 8)) }
    }

    /// The body that an export has of a sample's response.
    func maskedResponse(of sample: SampleExchange) throws -> [UInt8] {
        let record = try redact(sample.record, source: sample.source)
        let count = Int(record.exchange.response?.body.kept ?? 0)
        var kept: [UInt8] = []
        while kept.count < count {
            let piece = try body(1, .response, Int64(kept.count), count - kept.count, source: sample.source)
            try #require(!piece.isEmpty)
            kept += piece
        }
        return kept
    }
}
