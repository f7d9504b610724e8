import Traffic

/// The facets of up to 4,096 consecutive exchanges as columns, with which a million exchanges are counted in milliseconds.
///
/// Exchanges that were open when the block was made are only named in it, later ones than `through` are not. Both are read from their rows.
struct FacetBlock: Sendable, Equatable {
    /// Ids that belong to one block.
    static let capacity: Int64 = 4096
    /// The places of blocks whose ids can all be computed.
    static let places = 0...ExchangeID.max / capacity - 1
    /// The version of the columns; a block of another layout is not read, and is made again.
    ///
    /// The number follows from the facets' names, so that a new facet needs no change here.
    static let layout: Int64 = {
        var sum: UInt64 = 14_695_981_039_346_656_037
        for byte in "6 \(Facet.all.map(\.name).joined(separator: " "))".utf8 {
            sum = (sum ^ UInt64(byte)) &* 1_099_511_628_211
        }
        return Int64(sum >> 1)
    }()

    /// One facet of the block's exchanges.
    struct Column: Sendable, Equatable {
        /// The values that occur.
        var values: [String]
        /// How often each value occurs.
        var counts: [Int]
        /// For each exchange the position of its value in `values`; empty where all have the only one.
        var codes: [UInt16]
    }

    /// Its place: it holds ids from `index * capacity + 1`.
    let index: Int64
    /// The greatest id that was looked at.
    let through: ExchangeID
    /// The exchanges in it, ascending, as distances from `firstID`.
    let offsets: [UInt16]
    /// The exchanges that were open when the block was made, ascending, as distances from `firstID`.
    let open: [UInt16]
    /// In the order of `Facet.all`.
    let columns: [Column]

    /// The id that distance 0 means.
    var firstID: ExchangeID { FacetBlock.firstID(of: index) }
    /// Exchanges in it.
    var count: Int { offsets.count }

    /// The block that an id belongs to.
    static func index(of id: ExchangeID) -> Int64 { (id - 1) / capacity }
    /// The first id of a block.
    static func firstID(of index: Int64) -> ExchangeID { index * capacity + 1 }
    /// The last id of a block.
    static func lastID(of index: Int64) -> ExchangeID { (index + 1) * capacity }

    /// Makes a block of ended exchanges, ascending by id.
    init(index: Int64, through: ExchangeID, exchanges: [ExchangeSummary], open: [ExchangeID] = []) {
        self.index = index
        self.through = through
        let firstID = FacetBlock.firstID(of: index)
        self.open = open.map { UInt16(truncatingIfNeeded: $0 - firstID) }
        offsets = exchanges.map { UInt16(truncatingIfNeeded: $0.id - firstID) }
        let facets = Facet.all
        var columns = facets.map { _ in ColumnMaker(capacity: exchanges.count) }
        // Exchange by exchange: a line copied for each facet costs more than its value.
        for exchange in exchanges {
            for place in facets.indices { columns[place].add(facets[place].value(exchange)) }
        }
        self.columns = columns.map(\.made)
    }

    /// Makes a block of columns that were read.
    init(index: Int64, through: ExchangeID, offsets: [UInt16], open: [UInt16], columns: [Column]) {
        self.index = index
        self.through = through
        self.offsets = offsets
        self.open = open
        self.columns = columns
    }

    /// Makes a column, value by value.
    private struct ColumnMaker {
        private var known: [ExactText: Int] = [:]
        private var column = Column(values: [], counts: [], codes: [])
        /// The position of the last value, which most often comes again.
        private var last = 0

        init(capacity: Int) { column.codes.reserveCapacity(capacity) }

        /// Takes values for the same by their bytes, by which they are found.
        mutating func add(_ value: String) {
            if column.values.isEmpty || ExactText(column.values[last]) != ExactText(value) {
                last = known[ExactText(value)] ?? column.values.count
                if last == column.values.count {
                    known[ExactText(value)] = last
                    column.values.append(value)
                    column.counts.append(0)
                }
            }
            column.counts[last] += 1
            column.codes.append(UInt16(truncatingIfNeeded: last))
        }

        /// The column; without codes where all have the only value.
        var made: Column {
            var made = column
            if made.values.count <= 1 { made.codes = [] }
            return made
        }
    }
}
