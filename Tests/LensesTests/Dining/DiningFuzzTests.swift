import Foundation
import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct DiningFuzzTests {
    private static let pieces: [[UInt8]] = [
        "null", "-1", "1e308", "9007199254740993", "\"\"", "[]", "{}", "\"5/29/15\"", "true", "\"<1g\"",
        "{\"halls\":7}",
        "\\ud800", "\"", "}", ",",
    ].map { Array($0.utf8) }

    @Test("No payload and no answer traps, however it is broken", arguments: 0..<40 as Range<UInt64>)
    func mutated(seed: UInt64) {
        var random = RepeatedChance(state: seed)
        let lens = DiningMenuLens()
        let rules = Set(lens.rules.map(\.id))
        for _ in 0..<25 {
            let payload = Self.mutated(Array(CloudKitSample.payload().utf8), &random)
            let record = CloudKitSample.record(
                data: #"{"value":"\#(Data(payload).base64EncodedString())","type":"BYTES"}"#
            )
            var body = Array(CloudKitSample.answer(record, record).utf8)
            if Bool.random(using: &random) { body = Self.mutated(body, &random) }
            let request = Self.mutated(Array(#"{"query":{"recordType":"DiningDay","filterBy":[{}]}}"#.utf8), &random)
            let sample = CloudKitSample.capture(response: "")
            let capture = Capture(
                exchange: sample.exchange,
                request: CapturedBody(bytes: request),
                response: CapturedBody(bytes: body)
            )
            #expect(lens.view(capture).lens == "cloudkit")
            #expect(lens.findings(capture).allSatisfy { rules.contains($0.rule) && !$0.message.isEmpty })
            #expect(lens.changes(from: capture, to: capture).isEmpty)
            var book = MenuBook()
            book.add(capture)
            var selection = MenuSelection(moment: capture.moment)
            selection.days = Array(book.days.keys)
            #expect(selection.listing(of: book).count == book.days.count)
        }
    }

    /// Some bytes with a few places cut, doubled or replaced by other JSON.
    private static func mutated(_ bytes: [UInt8], _ random: inout RepeatedChance) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
            let start = Int.random(in: bytes.indices, using: &random)
            let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.removeSubrange(start..<end)
            case 1: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 2: bytes[start] = UInt8.random(in: 0...255, using: &random)
            default:
                let piece = pieces.randomElement(using: &random) ?? []
                // A value in the place of another where there is one, so that much stays JSON.
                let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")) ?? start
                let comma = bytes[colon...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
                if colon + 1 <= comma { bytes.replaceSubrange(colon + 1..<max(colon + 1, comma), with: piece) }
            }
        }
        return bytes
    }
}

/// The same numbers for the same state on every machine (SplitMix64).
private struct RepeatedChance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        let again = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return again ^ (again >> 31)
    }
}
