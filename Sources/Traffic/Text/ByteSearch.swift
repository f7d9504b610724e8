import Foundation

/// Searches bytes for others, at the speed of memory where these are unlike the rest, and never in more time than a few times the bytes' number.
struct ByteSearch: Sendable {
    /// The commonest bytes of texts, the commonest first.
    private static let common = Array(" etaoinsrhldcumfpgwybv\n\"</>=:,.-_0123456789".utf8)
    /// Bytes that may be compared in vain, for each that is looked at, before the search goes byte by byte.
    private static let vainShare = 4

    private let wanted: [UInt8]
    /// The place in `wanted` of the byte that is likely to be the rarest.
    private let rare: Int
    /// For each length of a beginning of `wanted`, the length of the longest shorter one with which it ends (Knuth, Morris and Pratt 1977).
    private let fallback: [Int]

    /// A search for some bytes; nothing is found where there are none.
    init(_ wanted: [UInt8]) {
        self.wanted = wanted
        func rarity(_ place: Int) -> Int { ByteSearch.common.firstIndex(of: wanted[place]) ?? Int.max }
        rare = wanted.indices.max { rarity($0) < rarity($1) } ?? 0
        var fallback = Array(repeating: 0, count: wanted.count)
        var length = 0
        for index in wanted.indices.dropFirst() {
            while length > 0, wanted[index] != wanted[length] { length = fallback[length - 1] }
            if wanted[index] == wanted[length] { length += 1 }
            fallback[index] = length
        }
        self.fallback = fallback
    }

    /// The first place from a place on; `nil` where there is none.
    func next(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard !wanted.isEmpty, let base = bytes.baseAddress else { return nil }
        var vain = 0
        var place = start
        while place + wanted.count <= bytes.count {
            let found = ASCII.place(of: wanted[rare], in: bytes, from: place + rare)
            guard found - rare + wanted.count <= bytes.count else { return nil }
            place = found - rare
            if memcmp(base + place, wanted, wanted.count) == 0 { return place }
            vain += 8 + min(wanted.count, matching(bytes, at: place))
            place += 1
            if vain > 4_096 + ByteSearch.vainShare * (place - start) { return step(through: bytes, from: place) }
        }
        return nil
    }

    /// How many bytes at a place are as wanted.
    private func matching(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        var count = 0
        while count < wanted.count, bytes[place + count] == wanted[count] { count += 1 }
        return count
    }

    /// The first place from a place on, byte by byte.
    private func step(through bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var length = 0
        for index in start..<bytes.count {
            length = longer(length, bytes[index])
            if length == wanted.count { return index + 1 - length }
        }
        return nil
    }

    /// The length of the longest beginning of what is wanted with which some bytes end; less than all of it.
    func beginning(at bytes: UnsafeRawBufferPointer) -> Int {
        var length = 0
        for byte in bytes.suffix(max(0, wanted.count - 1)) { length = longer(length, byte) }
        return length
    }

    /// The length of the beginning that a byte goes on with.
    private func longer(_ length: Int, _ byte: UInt8) -> Int {
        var length = length
        while length > 0, length == wanted.count || wanted[length] != byte { length = fallback[length - 1] }
        return wanted[length] == byte ? length + 1 : length
    }
}
