import GRDB
import NIOCore
import Traffic

/// Makes the filters of a group's blocks from the blocks.
struct FreshSearchGroup: Sendable {
    private let index: Int64
    private var settled = [UInt32](repeating: 0, count: SearchBlock.groupCount)
    private var large: [SearchGroup.Large] = []
    /// A filter for each block, then for each long part.
    private var filters: [TrigramFilter] = []

    /// Exchanges from which on filters are worth their 2 MiB.
    private static let leastExchanges = 512
    /// Bytes of text from which on filters are worth it, however few the exchanges.
    private static let leastTextBytes = 4 << 20

    private var exchanges = 0
    private var textBytes = 0

    /// Whether filters save more than they cost; else the blocks are looked through one after the other.
    var isWorthIt: Bool {
        exchanges >= FreshSearchGroup.leastExchanges || textBytes >= FreshSearchGroup.leastTextBytes
    }

    /// Makes the filters of the blocks that are there; `nil` where one is damaged.
    ///
    /// Exchanges without a block are not settled, and are read from their rows.
    init?(index: Int64, in db: Database) throws {
        self.index = index
        var row = try RawStatement(
            """
            SELECT id, settled, places, urls, lines, messages, bodies FROM search_block
            WHERE id >= ? AND id < ? AND layout = ? ORDER BY id
            """,
            on: db
        )
        defer { row.reset() }
        let first = index * Int64(SearchBlock.groupCount)
        row.bind(first)
        row.bind(first + Int64(SearchBlock.groupCount))
        row.bind(SearchBlock.layout)
        while try row.step() {
            let place = Int((row.integer() ?? 0) - first)
            guard filters.count <= place, place < SearchBlock.groupCount else { return nil }
            while filters.count < place { filters.append(TrigramFilter()) }
            settled[place] = UInt32(truncatingIfNeeded: row.integer() ?? 0)
            let isSound = row.withBlob { note($0, place) }
            guard isSound else { return nil }
            var filter = TrigramFilter()
            for _ in SearchPart.Section.allCases {
                row.withBlob { text in
                    filter.add(text)
                    textBytes += text.count
                }
            }
            filters.append(filter)
        }
        while filters.count < SearchBlock.groupCount { filters.append(TrigramFilter()) }
        for part in large.prefix(SearchGroup.largeLimit) {
            filters.append(try FreshSearchGroup.filter(of: part, index, in: db))
        }
        if large.count > SearchGroup.largeLimit { filters[filters.count - 1].fill() }
    }

    /// Takes note of the parts that are too long to be in a block.
    private mutating func note(_ places: UnsafeRawBufferPointer, _ place: Int) -> Bool {
        guard let view = SearchBlockView(places: places) else { return false }
        var found: [SearchGroup.Large] = []
        var count = 0
        let isSound = view.eachEntry(0, Array(repeating: [], count: SearchPart.Section.allCases.count)) {
            offset,
            parts,
            cut,
            _ in
            count += 1
            for part in SearchPart.allCases where parts >> UInt8(part.rawValue) & 1 == 1 {
                let offset = UInt16(truncatingIfNeeded: place * Int(SearchBlock.capacity) + offset)
                let isCut = cut >> UInt8(part.rawValue) & 1 == 1
                found.append(SearchGroup.Large(offset: offset, part: UInt8(part.rawValue), isCut: isCut))
            }
        }
        large += found
        exchanges += count
        return isSound
    }

    private static func filter(
        of large: SearchGroup.Large,
        _ index: Int64,
        in db: Database
    ) throws -> TrigramFilter {
        var filter = TrigramFilter()
        let id = FacetBlock.firstID(of: index) + ExchangeID(large.offset)
        guard let line = try ExchangeQuery.summary(id, in: db) else { return filter }
        let subject = StoredSubject(line, in: db)
        let part = SearchPart(rawValue: Int(large.part))
        guard let side: MessageSide = part == .requestBody ? .request : part == .responseBody ? .response : nil,
            let message = try subject.message(side)
        else {
            // A stream of messages may have any length, and a block that is full of its texts is rare.
            filter.fill()
            return filter
        }
        var text: [UInt8] = []
        try BodyText.read(side, of: subject, message) { piece in
            let kept = text.suffix(2)
            text = Array(kept)
            TextFold.append(piece, to: &text)
            text.withUnsafeBytes { filter.add($0) }
            return true
        }
        return filter
    }

    /// Deletes a group's filters, which no longer hold.
    static func remove(_ index: Int64, in db: Database) throws {
        var row = try RawStatement("DELETE FROM search_group WHERE id = ?", on: db)
        row.bind(index)
        try row.run()
        guard db.changesCount > 0 else { return }
        var filters = try RawStatement("DELETE FROM search_filter WHERE id >= ? AND id < ?", on: db)
        filters.bind(index << SearchGroup.sliceShift)
        filters.bind((index + 1) << SearchGroup.sliceShift)
        try filters.run()
    }

    /// Deletes filters of no group, which earlier versions left.
    static func removeStray(in db: Database) throws {
        try db.execute(
            sql: "DELETE FROM search_filter WHERE id >> \(SearchGroup.sliceShift) NOT IN (SELECT id FROM search_group)"
        )
    }

    /// The slices as they are written, so that a check can compare them.
    var slices: [[UInt8]] {
        let width = width
        let turned = turned(width)
        let sliceBytes = SearchGroup.sliceBits * width
        return stride(from: 0, to: turned.count, by: sliceBytes).map { Array(turned[$0..<$0 + sliceBytes]) }
    }

    /// Bytes for each bit.
    private var width: Int { (filters.count + 63) / 64 * 8 }

    /// Writes the filters in the place of earlier ones.
    func write(in db: Database) throws {
        var insertion = try RawStatement("INSERT OR REPLACE INTO search_filter (id, bits) VALUES (?, ?)", on: db)
        for (slice, bytes) in slices.enumerated() {
            insertion.bind(index << SearchGroup.sliceShift | Int64(slice))
            insertion.bind(blob: bytes)
            try insertion.run()
        }
        var row = try RawStatement(
            "INSERT OR REPLACE INTO search_group (id, layout, width, settled, large) VALUES (?, ?, ?, ?, ?)",
            on: db
        )
        var masks = ByteBuffer()
        for mask in settled { masks.writeInteger(mask, endianness: .little) }
        var parts = ByteBuffer()
        for part in large {
            parts.writeInteger(part.offset, endianness: .little)
            parts.writeInteger(part.part | (part.isCut ? 0x80 : 0))
        }
        row.bind(index)
        row.bind(SearchBlock.layout)
        row.bind(Int64(width))
        row.bind(masks)
        row.bind(parts)
        try row.run()
    }

    /// The filters with bits and columns transposed: `width` bytes for each bit.
    private func turned(_ width: Int) -> [UInt8] {
        let count = TrigramFilter.bitCount / 8
        return [UInt8](unsafeUninitializedCapacity: TrigramFilter.bitCount * width) { turned, written in
            turned.initialize(repeating: 0)
            written = TrigramFilter.bitCount * width
            // For each byte of a filter that byte of eight filters.
            var squares = [UInt64](repeating: 0, count: count)
            for eight in stride(from: 0, to: filters.count, by: 8) {
                for column in eight..<min(filters.count, eight + 8) {
                    filters[column].gather(into: &squares, shift: 8 * (column - eight))
                }
                var byte = 0
                while byte < count {
                    var columns = FreshSearchGroup.transposed(squares[byte])
                    var place = byte * 8 * width + eight / 8
                    while columns != 0 {
                        turned[place] = UInt8(truncatingIfNeeded: columns)
                        columns >>= 8
                        place += width
                    }
                    squares[byte] = 0
                    byte += 1
                }
            }
        }
    }

    /// Eight bytes as a square of bits, mirrored at its diagonal.
    private static func transposed(_ square: UInt64) -> UInt64 {
        var square = square
        var swap = (square ^ square >> 7) & 0x00AA_00AA_00AA_00AA
        square ^= swap ^ swap << 7
        swap = (square ^ square >> 14) & 0x0000_CCCC_0000_CCCC
        square ^= swap ^ swap << 14
        swap = (square ^ square >> 28) & 0x0000_0000_F0F0_F0F0
        return square ^ swap ^ swap << 28
    }
}
