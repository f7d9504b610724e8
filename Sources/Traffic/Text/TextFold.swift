import Foundation

/// Folds text for search: one per-scalar lower-casing, the same for a text and for the needle.
package enum TextFold {
    /// A text folded, as UTF-8.
    package static func bytes(_ text: String) -> [UInt8] {
        var text = text
        var folded: [UInt8] = []
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &folded) }
        return folded
    }

    /// Folds UTF-8 with whole scalars; invalid bytes are kept.
    package static func append(_ bytes: UnsafeRawBufferPointer, to folded: inout [UInt8]) {
        let start = folded.count
        folded.append(contentsOf: bytes)
        let plain = folded.withUnsafeMutableBytes { lower($0, from: start) }
        guard plain < folded.count else { return }
        folded.removeLast(folded.count - plain)
        var index = plain - start
        while index < bytes.count {
            let start = index
            while index < bytes.count, bytes[index] < 0x80 { index += 1 }
            for place in start..<index { folded.append(ASCII.lower(bytes[place])) }
            guard index < bytes.count else { return }
            let other = index
            while index < bytes.count, bytes[index] >= 0x80 { index += 1 }
            let slice = UnsafeRawBufferPointer(rebasing: bytes[other..<index])
            guard let text = String(validating: slice, as: UTF8.self) else {
                folded.append(contentsOf: slice)
                continue
            }
            for scalar in text.unicodeScalars { folded.append(contentsOf: scalar.properties.lowercaseMapping.utf8) }
        }
    }

    /// Lowers ASCII in place, eight bytes at a time; returns the place of the first other byte, or the end.
    private static func lower(_ bytes: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
        let each: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while index + 8 <= bytes.count {
            let eight = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard eight & (each &* 0x80) == 0 else { break }
            // The high bit of a byte is set by one sum from `A` on, by the other past `Z`.
            let isUpper = ((eight &+ each &* (0x80 - 0x41)) ^ (eight &+ each &* (0x7F - 0x5A))) & (each &* 0x80)
            bytes.storeBytes(of: eight | isUpper >> 2, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytes.count, bytes[index] < 0x80 {
            bytes[index] = ASCII.lower(bytes[index])
            index += 1
        }
        return index
    }

    /// The first place of a needle in a text; `nil` where it does not occur.
    static func find(_ needle: [UInt8], in text: [UInt8]) -> Int? {
        text.withUnsafeBytes { place(of: needle, in: $0) }
    }

    /// The first place of a needle in a text from a place on; `nil` where it does not occur.
    ///
    /// It searches for the needle's rarest byte in common text, and compares the bytes around it.
    package static func place(of needle: [UInt8], in text: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
        place(of: needle, anchor: anchor(of: needle), in: text, from: start)
    }

    /// The place of the byte in a needle that is rarest in common text; 0 in an empty one.
    package static func anchor(of needle: [UInt8]) -> Int {
        needle.indices.max { rarities[Int(needle[$0])] < rarities[Int(needle[$1])] } ?? 0
    }

    /// The same for a needle that is searched for many times: the caller passes its anchor.
    package static func place(
        of needle: [UInt8],
        anchor: Int,
        in text: UnsafeRawBufferPointer,
        from start: Int
    ) -> Int? {
        guard !needle.isEmpty else { return start }
        guard start >= 0, needle.count <= text.count - start, let base = text.baseAddress else { return nil }
        return needle.withUnsafeBytes { needle in
            guard let wanted = needle.baseAddress else { return nil }
            var place = start + anchor
            let last = text.count - needle.count + anchor
            while place <= last, let found = memchr(base + place, Int32(needle[anchor]), last - place + 1) {
                place = base.distance(to: UnsafeRawPointer(found))
                if memcmp(base + (place - anchor), wanted, needle.count) == 0 { return place - anchor }
                place += 1
            }
            return nil
        }
    }

    /// How rare each byte is, by its value.
    private static let rarities: [Int] = (0...255).map { rarity(UInt8($0)) }

    private static func rarity(_ byte: UInt8) -> Int {
        common.firstIndex(of: byte) ?? common.count
    }

    /// The bytes of JSON, HTML and English, the commonest first.
    private static let common = Array(" \"e,tao:inshr0dl1ucm2pf/gy<>.w-b=3456789_vk{}[]".utf8)
}
