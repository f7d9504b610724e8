import GRDB
import Traffic

/// The numbers from which a writer can go on: what it computes from a number has to fit into 64 bits.
enum WritableNumbers {
    /// The numbers that exchanges, connections and certificates may have when a store is opened for writing.
    ///
    /// They end at half of the exchanges whose messages can be numbered, the least room of all; see `MessageRow`.
    private static let range: ClosedRange<Int64> = 1...1 << 33

    /// The columns that hold such numbers; none has to be looked through for its ends.
    private static let columns: [(table: String, column: String, owner: String)] = [
        ("exchange", "id", "an exchange"), ("sequence", "last", "an exchange"),
        ("open_exchange", "id", "an exchange"), ("connection", "id", "a connection"),
        ("certificate", "id", "a certificate"),
    ]

    /// Refuses a store with a number that no writer gave out; such a store can still be read.
    ///
    /// - Throws: `StoreError.failed` that names the number, as damage.
    static func check(in db: Database, path: String) throws {
        for (table, column, owner) in columns {
            var ends = try RawStatement(
                "SELECT (SELECT min(\(column)) FROM \(table)), (SELECT max(\(column)) FROM \(table))",
                on: db
            )
            defer { ends.reset() }
            guard try ends.step() else { continue }
            for number in [ends.integer(), ends.integer()].compactMap(\.self) where !range.contains(number) {
                let message = """
                    the number \(number) of \(owner) is outside of \(range.lowerBound) to \(range.upperBound); \
                    the store can be read, and not written
                    """
                throw StoreError.failed(path: path, message: message, .damage)
            }
        }
    }

    /// Deletes the blocks that no writer makes again: those of numbers that were not given out, and facet blocks whose row is damaged.
    ///
    /// Each table takes one statement, since a store that others wrote may have any number of such blocks.
    static func removeStrayBlocks(in db: Database) throws {
        let last = try TrafficStore.lastID(in: db)
        func end(_ capacity: Int64) -> Int64 { (last + capacity - 1) / capacity }
        try db.execute(
            sql: """
                DELETE FROM facet_block WHERE id >= \(end(FacetBlock.capacity)) OR NOT (\(FacetBlockRow.soundness));
                DELETE FROM line_column WHERE id >> \(LineColumn.kindBits) NOT IN (SELECT id FROM facet_block);
                DELETE FROM search_block WHERE id < 0 OR id >= \(end(SearchBlock.capacity));
                DELETE FROM search_group WHERE id < 0 OR id >= \(end(FacetBlock.capacity));
                """
        )
        if db.changesCount > 0 { try FreshSearchGroup.removeStray(in: db) }
    }
}
