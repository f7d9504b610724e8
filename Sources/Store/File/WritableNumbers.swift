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

    /// Deletes the blocks at places that no block can have, which nobody would make again.
    static func removeStrayBlocks(in db: Database) throws {
        let tables = [
            ("facet_block", FacetBlock.places), ("search_block", SearchBlock.places),
            ("search_group", FacetBlock.places),
        ]
        for (table, places) in tables {
            // Two stretches of the key, so that no row in between is read.
            try db.execute(
                sql: "DELETE FROM \(table) WHERE id < \(places.lowerBound) OR id > \(places.upperBound)"
            )
        }
    }
}
