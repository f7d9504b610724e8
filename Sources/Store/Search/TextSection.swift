import Foundation
import Traffic

/// Texts end to end, each followed by a byte that no text has, so that one search for a needle goes through all of them.
struct TextSection: Sendable, Equatable {
    /// The byte that follows each text.
    ///
    /// A needle is folded UTF-8, which has no such byte, so a needle is never found across two texts.
    static let mark: UInt8 = 0xFF
    /// Texts of a section at most, so that their numbers take two bytes.
    static let limit = Int(UInt16.max)

    private(set) var bytes: [UInt8] = []
    /// Where each ends, its mark included.
    private(set) var ends: [UInt32] = []
    /// The texts by their hashes, so that equal texts are kept once.
    private var known: [UInt64: UInt16] = [:]

    static func == (left: TextSection, right: TextSection) -> Bool {
        left.bytes == right.bytes && left.ends == right.ends
    }

    /// How many texts there are.
    var count: Int { ends.count }

    /// Adds a text unless it is there; returns its number, `nil` when the section is full.
    mutating func insert(_ text: [UInt8]) -> UInt16? {
        let hash = TextSection.hash(text)
        if let number = known[hash], holds(text, at: Int(number)) { return number }
        guard let number = append(text) else { return nil }
        known[hash] = number
        return number
    }

    /// Adds a text; returns its number, `nil` when the section is full.
    mutating func append(_ text: [UInt8]) -> UInt16? {
        guard ends.count < TextSection.limit, bytes.count + text.count < Int(UInt32.max) else { return nil }
        bytes.append(contentsOf: text)
        bytes.append(TextSection.mark)
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
        return UInt16(truncatingIfNeeded: ends.count - 1)
    }

    /// Adds a text piece by piece, behind the others; returns its number.
    ///
    /// - Parameter write: appends the text to the bytes, and says whether it is wanted.
    /// - Returns: `nil` when it is not wanted, or the section is full.
    /// - Throws: what `write` throws; the section is as before then.
    mutating func append(writing write: (inout [UInt8]) throws -> Bool) rethrows -> UInt16? {
        guard ends.count < TextSection.limit else { return nil }
        let start = bytes.count
        var isWanted = false
        defer { if !isWanted { bytes.removeLast(bytes.count - start) } }
        isWanted = try write(&bytes) && bytes.count < Int(UInt32.max)
        guard isWanted else { return nil }
        bytes.append(TextSection.mark)
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
        return UInt16(truncatingIfNeeded: ends.count - 1)
    }

    /// A hash of eight bytes at a time; of texts with the same one, the last alone is kept once.
    private static func hash(_ text: [UInt8]) -> UInt64 {
        text.withUnsafeBytes { text in
            var hash = UInt64(text.count)
            func add(_ word: UInt64) {
                hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 32
            }
            var place = 0
            while place + 8 <= text.count {
                add(text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                place += 8
            }
            var last: UInt64 = 0
            while place < text.count {
                last = last << 8 | UInt64(text[place])
                place += 1
            }
            add(last)
            return hash
        }
    }

    /// Whether a text has this number.
    private func holds(_ text: [UInt8], at number: Int) -> Bool {
        let start = number == 0 ? 0 : Int(ends[number - 1])
        guard Int(ends[number]) - 1 - start == text.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            text.withUnsafeBytes { text in
                guard let known = bytes.baseAddress, let base = text.baseAddress else { return text.isEmpty }
                return memcmp(known + start, base, text.count) == 0
            }
        }
    }
}
