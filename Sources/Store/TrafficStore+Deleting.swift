import GRDB
package import Traffic

extension TrafficStore {
    /// What a deletion did.
    package struct DeletionResult: Sendable, Equatable {
        package var deleted = 0
        /// Exchanges that were meant and stay, because they are open.
        package var open = 0

        package init(deleted: Int = 0, open: Int = 0) { (self.deleted, self.open) = (deleted, open) }
    }

    /// Exchanges that retention deletes from which on connections that nobody refers to are looked for, at least.
    private static let retentionSweepFrom = 10_000

    /// Deletes every ended exchange that a filter selects.
    ///
    /// - Throws: `StoreError`; what was deleted before it stays deleted.
    package func clear(_ filter: Filter) throws -> DeletionResult { try delete(ids(filter)) }

    /// Deletes these exchanges but for the open ones, in small transactions between which recording goes on; numbers of no exchange are left out.
    ///
    /// - Throws: `StoreError`; what was deleted before it stays deleted.
    @discardableResult
    package func delete(_ ids: [ExchangeID]) throws -> DeletionResult {
        let result = try deleteRows(ids)
        try sweepConnections(after: result.deleted, atLeast: 1)
        return result
    }

    private func deleteRows(_ ids: [ExchangeID]) throws -> DeletionResult {
        guard let writer else { throw readOnly }
        var result = DeletionResult()
        // No exchange has a number below 1, from which no block can be computed.
        var rest = Set(ids.lazy.filter { $0 > 0 }).sorted()[...]
        while let first = rest.first {
            let outcome = try edit {
                try writer.edit { db, memory in
                    try Deletion.run(rest, in: db, &memory)
                } done: { outcome in
                    if outcome.deleted > 0 || outcome.isBegun {
                        indexer?.deleted(rest.prefix(outcome.taken + (outcome.isBegun ? 1 : 0)))
                    }
                    guard outcome.deleted > 0 else { return }
                    indexer?.edited(FacetBlock.index(of: first))
                    feeds.resync()
                }
            }
            // At once: what follows may fail, or be given up.
            connectionSweep.note(outcome.deleted)
            rest = rest.dropFirst(outcome.taken)
            result.deleted += outcome.deleted
            result.open += outcome.open
        }
        return result
    }

    /// Deletes connections and certificates that no exchange refers to any more, where that is worth it; see `ConnectionSweep`.
    ///
    /// Whoever asked may have left. What was deleted is deleted all the same, and the next deletion looks.
    private func sweepConnections(after deleted: Int, atLeast least: Int) throws {
        guard deleted > 0, !Task.isCancelled else { return }
        do {
            let total = try total()
            try edit { try connectionSweep.settle(of: total, atLeast: least, removeUnreferenced) }
        } catch is CancellationError {}
    }

    /// Deletes connections and certificates that no exchange refers to any more.
    func sweepConnections() throws {
        try edit { try connectionSweep.run(removeUnreferenced) }
    }

    /// See `UnreferencedRows`; for the sweep alone.
    private func removeUnreferenced() throws {
        guard let writer else { throw readOnly }
        // From here on nothing new refers to the rows that are there now.
        let last = try writer.edit { db, memory in
            memory.connections.removeAll()
            return try UnreferencedRows.last(in: db)
        }
        let rows = try UnreferencedRows(upTo: last, in: pool)
        for batch in rows.batches { try writer.edit { db, _ in try batch.delete(in: db) } }
    }

    /// Deletes some of the exchanges that a policy does not keep.
    ///
    /// - Parameters:
    ///   - policy: what is kept.
    ///   - now: microseconds since 1970.
    /// - Returns: whether there may be more.
    /// - Throws: `StoreError`.
    package func retain(_ policy: RetentionPolicy, now: Int64) throws -> Bool {
        let used = try policy.bytes == nil ? 0 : read(StoreFile.usedBytes)
        let tooMany = policy.bytes.map { max(0, used - $0) } ?? 0
        var limit = 0
        if policy.count != nil || tooMany > 0 {
            let total = try total()
            if let count = policy.count { limit = min(max(0, total - count), Deletion.limit) }
            if tooMany > 0 {
                // As large a part of the exchanges as of the bytes, and a little more, so that this is not due again at once.
                let part = Double(total) * Double(tooMany) / Double(max(1, used))
                limit = max(limit, min(Int(part.rounded(.up)) + total / 32 + 1, Deletion.limit / 4))
            }
        }
        let started = policy.age.map { now - $0 }
        let due = limit
        let ids = try read { db in
            try Expired(limit: due, startedBefore: started, includesMarked: policy.includesMarked).ids(in: db)
        }
        guard !ids.isEmpty else { return false }
        let deleted = try deleteRows(ids).deleted
        try sweepConnections(after: deleted, atLeast: Self.retentionSweepFrom)
        return deleted > 0
    }

    /// How many exchanges there are; no block is read for it, since the number is asked for every few seconds.
    func total() throws -> Int {
        try read { db in try StretchCount(in: db, cache: self.cache).count(1...ExchangeID.max) }
    }

    /// Runs a change, with its errors as sentences.
    func edit<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as FilterError {
            throw error
        } catch {
            throw StoreError(error, reading: path)
        }
    }

    /// The refusal of a change where the store is open for reading only.
    var readOnly: StoreError { .readOnly(path: path) }
}
