import GRDB

extension WriterMemory {
    /// Runs a change of the store as one transaction in which the memory changes too: with the commit, or not at all.
    ///
    /// Every transaction that changes this memory runs so, and nothing is remembered that the store does not hold.
    ///
    /// - Throws: what `body` or SQLite throws; then the store and the memory are as they were, but for what was only cached.
    mutating func transaction<Value>(
        on db: Database,
        _ body: (inout WriterMemory) throws -> Value
    ) throws -> Value {
        var begin = try RawStatement("BEGIN IMMEDIATE", on: db)
        var commit = try RawStatement("COMMIT", on: db)
        // Before the lock is waited for: exchanges that were lost while another process held it stay lost.
        let before = copied
        keep()
        try begin.run()
        do {
            let value = try body(&self)
            try commit.run()
            keep()
            return value
        } catch {
            // Some errors have rolled back already.
            if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK") }
            revert(to: before)
            throw error
        }
    }
}
