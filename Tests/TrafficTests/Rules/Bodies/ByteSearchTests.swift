import Support
import Testing

@testable import Traffic

/// Bytes are found wherever they stand, also where nearly all of a text is like them.
@Suite("Searching bytes for others", .timeLimit(.minutes(15)))
struct ByteSearchTests {
    private static func first(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard wanted.count <= bytes.count else { return nil }
        return (start...max(start, bytes.count - wanted.count)).first { bytes[$0...].starts(with: wanted) }
    }

    @Test("The first place is that of a plain search", arguments: 0..<20)
    func random(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0...200, using: &dice)).map { _ in UInt8.random(in: 97...98, using: &dice) }
            let wanted = (0..<Int.random(in: 1...8, using: &dice)).map { _ in UInt8.random(in: 97...98, using: &dice) }
            let start = Int.random(in: 0...bytes.count, using: &dice)
            let found = bytes.withUnsafeBytes { ByteSearch(wanted).next(in: $0, from: start) }
            #expect(found == Self.first(wanted, in: bytes, from: start))
        }
    }

    @Test("A long text that is nearly what is wanted takes no more than its length")
    func hostile() {
        let wanted = [UInt8](repeating: 0x61, count: 5_000) + [0x62]
        let bytes = [UInt8](repeating: 0x61, count: 8 << 20) + [0x62]
        let found = bytes.withUnsafeBytes { ByteSearch(wanted).next(in: $0, from: 0) }
        #expect(found == bytes.count - wanted.count)
    }

    @Test("The beginning with which a piece ends is the longest")
    func beginning() {
        func length(_ wanted: String, _ text: String) -> Int {
            Array(text.utf8).withUnsafeBytes { ByteSearch(Array(wanted.utf8)).beginning(at: $0) }
        }
        #expect(length("abc", "xab") == 2 && length("abc", "abcx") == 0 && length("aab", "aaa") == 2)
        #expect(length("a", "a") == 0 && length("abab", "aba") == 3 && length("abab", "xbab") == 2)
    }
}
