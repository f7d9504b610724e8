import GRDB
import Traffic

/// The numbers that a writer gives out and goes on from: what it computes from a number has to fit into 64 bits.
enum WritableNumbers {
    /// The numbers of exchanges, connections and certificates.
    ///
    /// They end at half of the exchanges whose messages can be numbered, the least room of all; see `MessageRow`. A writer stops at the same end at
    /// which a store is refused, so that a store that was accepted is not refused the next time.
    private static let range: ClosedRange<Int64> = 1...1 << 33

    /// The keys that hold such numbers, each with the bits behind the number; none has to be looked through for its ends.
    private static let columns: [(table: String, column: String, bits: Int64, owner: String)] = [
        ("exchange", "id", 0, "an exchange"), ("sequence", "last", 0, "an exchange"),
        ("open_exchange", "id", 0, "an exchange"), ("body_chunk", "id", BodyVault.exchangeBits, "an exchange"),
        ("message", "id", MessageRow.numberBits, "an exchange"), ("mark", "exchange", 0, "an exchange"),
        ("connection", "id", 0, "a connection"), ("certificate", "id", 0, "a certificate"),
    ]

    /// Refuses a store with a number that no writer gave out; such a store can still be read.
    ///
    /// - Throws: `StoreError.unwritable`.
    static func check(in db: Database, path: String) throws {
        for (table, column, bits, owner) in columns {
            var ends = try RawStatement(
                "SELECT (SELECT min(\(column)) FROM \(table)) >> \(bits), (SELECT max(\(column)) FROM \(table)) >> \(bits)",
                on: db
            )
            defer { ends.reset() }
            guard try ends.step() else { continue }
            for number in [ends.integer(), ends.integer()].compactMap(\.self) where !range.contains(number) {
                let problem =
                    "the number \(number) of \(owner) is outside of \(range.lowerBound) to \(range.upperBound)"
                throw StoreError.unwritable(path: path, problem)
            }
        }
    }

    /// Refuses a number that was just given out and is behind the last, so that its transaction fails.
    ///
    /// - Throws: `DatabaseError`, whose message is the cause of a gap.
    static func checkGiven(_ number: Int64, to owner: String) throws {
        guard number > range.upperBound else { return }
        throw DatabaseError(message: "the store has no number left for \(owner)")
    }

    /// Deletes the blocks that tell of numbers to come, and facet blocks whose row is damaged.
    ///
    /// Another program may have deleted the row of the last number, which the next exchange gets then: a block that tells of the row would answer for
    /// that exchange. Each table takes one statement or two, since a store that others wrote may have any number of such blocks.
    static func removeStrayBlocks(in db: Database) throws {
        let last = try TrafficStore.lastID(in: db)
        func end(_ capacity: Int64) -> Int64 { (last + capacity - 1) / capacity }
        try db.execute(
            sql: """
                DELETE FROM facet_block
                WHERE id >= \(end(FacetBlock.capacity)) OR through > \(last) OR NOT (\(FacetBlockRow.soundness));
                DELETE FROM line_column WHERE id >> \(LineColumn.kindBits) NOT IN (SELECT id FROM facet_block);
                DELETE FROM search_block WHERE id < 0 OR id >= \(end(SearchBlock.capacity));
                DELETE FROM search_group WHERE id < 0 OR id >= \(end(FacetBlock.capacity));
                """
        )
        if db.changesCount > 0 { try FreshSearchGroup.removeStray(in: db) }
        try db.execute(
            sql: """
                DELETE FROM search_block
                WHERE id = \(last / SearchBlock.capacity) AND settled >> \(last % SearchBlock.capacity) <> 0
                """
        )
        // A group answers for its blocks, and so goes with a block of its own.
        let (isGone, group) = (db.changesCount > 0, last / FacetBlock.capacity)
        guard try isGone || SearchGroup(index: group, in: db)?.settles(past: last) == true else { return }
        try FreshSearchGroup.remove(group, in: db)
    }
}
