import Foundation

/// Folding for search: one per-scalar lower-casing, the same for a text and for what is looked for in it.
package enum TextFold {
    /// A text folded, as UTF-8.
    package static func bytes(_ text: String) -> [UInt8] {
        var text = text
        var folded: [UInt8] = []
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &folded) }
        return folded
    }

    /// Folds UTF-8 with whole scalars; bytes that are none are kept.
    package static func append(_ bytes: UnsafeRawBufferPointer, to folded: inout [UInt8]) {
        folded.reserveCapacity(folded.count + bytes.count)
        var index = 0
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

    /// Where some bytes first stand in others; `nil` when they do not.
    ///
    /// Looks for the byte of the needle that is rarest in common text, and compares round it.
    static func find(_ needle: [UInt8], in text: [UInt8]) -> Int? {
        guard let anchor = needle.indices.max(by: { rarity(needle[$0]) < rarity(needle[$1]) }) else { return 0 }
        guard needle.count <= text.count else { return nil }
        return text.withUnsafeBytes { text in
            needle.withUnsafeBytes { needle in
                guard let base = text.baseAddress, let wanted = needle.baseAddress else { return nil }
                var place = anchor
                let last = text.count - needle.count + anchor
                while place <= last, let found = memchr(base + place, Int32(needle[anchor]), last - place + 1) {
                    place = base.distance(to: UnsafeRawPointer(found))
                    if memcmp(base + (place - anchor), wanted, needle.count) == 0 { return place - anchor }
                    place += 1
                }
                return nil
            }
        }
    }

    private static func rarity(_ byte: UInt8) -> Int {
        common.firstIndex(of: byte) ?? common.count
    }

    /// The bytes of JSON, HTML and English, the commonest first.
    private static let common = Array(" \"e,tao:inshr0dl1ucm2pf/gy<>.w-b=3456789_vk{}[]".utf8)
}
