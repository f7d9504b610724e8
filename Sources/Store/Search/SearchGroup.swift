import GRDB
import NIOCore
import Traffic

/// The filters of the 128 search blocks of one facet block, transposed: for each bit, which of the blocks have it.
///
/// So a needle costs one short read for each bit that it needs, whatever the number of blocks. A part that is too long for its block has a column
/// of its own behind the blocks' columns.
struct SearchGroup: Sendable {
    /// A part whose text is in no block.
    struct Large: Sendable, Equatable {
        /// The exchange, as its distance from the group's first.
        var offset: UInt16
        var part: UInt8
        /// Whether it is too long to be read whole.
        var isCut: Bool
    }

    /// Long parts that have a column of their own; further ones share the last column, which says yes to everything.
    static let largeLimit = 384
    /// Bits of the filter that one row holds.
    static let sliceBits = 512
    /// The bits of a row's id that number it within its group.
    static let sliceShift: Int64 = 8

    /// Whether a row has a number that a group can have, as SQL.
    static let soundness = FacetBlockRow.indexSoundness

    let index: Int64
    /// Bytes for each bit of the filter: a bit for each column, a multiple of 8 bytes.
    let width: Int
    /// For each block which of its exchanges are settled.
    let settled: [UInt32]
    /// The parts whose columns follow the blocks' columns.
    let large: [Large]

    /// Reads a group; `nil` where there is none, or its row is damaged.
    init?(index: Int64, in db: Database) throws {
        var row = try RawStatement("SELECT width, settled, large FROM search_group WHERE id = ? AND layout = ?", on: db)
        defer { row.reset() }
        row.bind(index)
        row.bind(SearchBlock.layout)
        guard try row.step() else { return nil }
        let width = Int(row.integer() ?? 0)
        let settled = row.withBlob { bytes in
            (0..<bytes.count / 4).map {
                UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
            }
        }
        let large = row.withBlob { bytes in
            (0..<bytes.count / 3).map { place in
                Large(
                    offset: UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place * 3, as: UInt16.self)),
                    part: bytes[place * 3 + 2] & 0x7F,
                    isCut: bytes[place * 3 + 2] & 0x80 != 0
                )
            }
        }
        let isSound =
            settled.count == SearchBlock.groupCount && (0...1 << 10).contains(width) && width % 8 == 0
            && width * 8 >= SearchBlock.groupCount + min(large.count, SearchGroup.largeLimit)
            && large.allSatisfy { $0.offset < FacetBlock.capacity && $0.part < SearchPart.allCases.count }
        guard isSound else { return nil }
        (self.index, self.width, self.settled, self.large) = (index, width, settled, large)
    }

    /// All groups but for those whose number none can have, ascending, each with whether its blocks have settled all their exchanges.
    static func all(in db: Database) throws -> [(index: Int64, isFull: Bool)] {
        var row = try RawStatement(
            "SELECT id, settled FROM search_group WHERE layout = ? AND \(soundness) ORDER BY id",
            on: db
        )
        defer { row.reset() }
        row.bind(SearchBlock.layout)
        var found: [(index: Int64, isFull: Bool)] = []
        while try row.step() {
            let index = row.integer() ?? 0
            let isFull = row.withBlob { $0.count == SearchBlock.groupCount * 4 && $0.allSatisfy { $0 == 0xFF } }
            found.append((index: index, isFull: isFull))
        }
        return found
    }

    /// The column of a long part, by its place in `large`.
    static func column(ofLarge place: Int) -> Int { SearchBlock.groupCount + min(place, largeLimit - 1) }

    /// Whether an exchange past a number is settled in one of its blocks.
    func settles(past last: ExchangeID) -> Bool {
        settled.enumerated().contains { place, mask in
            let before = SearchBlock.firstID(of: index * Int64(SearchBlock.groupCount) + Int64(place)) - 1
            return mask >> max(0, last - before) != 0
        }
    }

    /// The columns that may hold all of these needles, one bit for each; `nil` when no needle is long enough to tell, or the filter is not whole.
    func columns(of needles: [[UInt8]], in db: Database) throws -> [UInt64]? {
        let bits = needles.flatMap(TrigramFilter.bits)
        guard !bits.isEmpty else { return nil }
        var row = try RawStatement("SELECT bits FROM search_filter WHERE id = ?", on: db)
        var columns = [UInt64](repeating: .max, count: width / 8)
        for bit in bits {
            row.bind(index << SearchGroup.sliceShift | Int64(bit / SearchGroup.sliceBits))
            defer { row.reset() }
            guard try row.step() else { return nil }
            let start = bit % SearchGroup.sliceBits * width
            let isThere = row.withBlob { slice in
                guard start + width <= slice.count else { return false }
                for word in columns.indices {
                    columns[word] &= UInt64(
                        littleEndian: slice.loadUnaligned(fromByteOffset: start + word * 8, as: UInt64.self)
                    )
                }
                return true
            }
            guard isThere else { return nil }
            if columns.allSatisfy({ $0 == 0 }) { break }
        }
        return columns
    }
}
