import NIOCore
import Traffic

/// The folded texts of 32 consecutive exchanges, which a search reads in the place of rows.
///
/// Equal texts are kept once, so that the field lines which every request repeats cost little. Exchanges that were open when the block was
/// made are not settled, and are evaluated from their rows.
struct SearchBlock: Sendable, Equatable {
    /// Ids that belong to one block.
    static let capacity: Int64 = 32
    /// Blocks of one group: as many exchanges as a facet block has.
    static let groupCount = Int(FacetBlock.capacity / capacity)
    /// Bytes of an exchange's text in one part that are kept here; a longer text is read from its row, and has a filter of its own.
    static let partLimitBytes = 64 << 10
    /// The version of the format, and of how texts are read for it; a block of another layout is not read, and is made again.
    ///
    /// 1: a body's text ended at the first byte that its charset does not have. 2: it goes on, escapes are read, and URLs stand decoded too.
    static let layout: Int64 = 2

    /// An exchange's texts: for each part the numbers of its texts in the part's section.
    struct Entry: Sendable, Equatable {
        /// Its place in the block.
        var offset: UInt8
        /// One bit for each part whose text is too long to be here.
        var large: UInt8 = 0
        /// One bit for each part whose text was not read to its end, since it is too long for any search.
        var cut: UInt8 = 0
        var texts: [[UInt16]] = Array(repeating: [], count: SearchPart.allCases.count)
    }

    let index: Int64
    /// One bit for each id whose exchange is told in full here, or that no exchange has.
    var settled: UInt32 = 0
    var entries: [Entry] = []
    var sections = Array(repeating: TextSection(), count: SearchPart.Section.allCases.count)

    init(index: Int64) { self.index = index }

    /// The places of blocks whose ids can all be computed.
    static let places = 0...ExchangeID.max / capacity - 1
    /// Whether a row's id is such a place, as SQL.
    static let soundness = "id BETWEEN \(places.lowerBound) AND \(places.upperBound)"

    /// The block that an id belongs to.
    static func index(of id: ExchangeID) -> Int64 { (id - 1) / capacity }
    /// The first id of a block.
    static func firstID(of index: Int64) -> ExchangeID { index * capacity + 1 }
    /// The last id of a block.
    static func lastID(of index: Int64) -> ExchangeID { (index + 1) * capacity }
    /// The group that a block belongs to.
    static func group(of index: Int64) -> Int64 { index / Int64(groupCount) }

    /// Bytes of its texts.
    var textBytes: Int { sections.reduce(0) { $0 + $1.bytes.count } }

    /// Where the texts are: for each section the ends, then for each exchange its numbers; little-endian.
    func encodedPlaces() -> ByteBuffer {
        var places = ByteBuffer()
        for section in sections {
            places.writeInteger(UInt16(truncatingIfNeeded: section.count), endianness: .little)
            for end in section.ends { places.writeInteger(end, endianness: .little) }
        }
        for entry in entries {
            places.writeInteger(entry.offset)
            places.writeInteger(entry.large)
            places.writeInteger(entry.cut)
            for numbers in entry.texts {
                places.writeInteger(UInt16(truncatingIfNeeded: numbers.count), endianness: .little)
                for number in numbers { places.writeInteger(number, endianness: .little) }
            }
        }
        return places
    }
}
