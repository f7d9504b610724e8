import Foundation
import GRDB
import Traffic

extension TrafficStore {
    /// Changes what is said of exchanges, open ones too; those that are not there are left out.
    ///
    /// - Returns: how many of them are there.
    /// - Throws: `FilterError` when one would have too many tags, `StoreError`; what was changed before it stays changed.
    @discardableResult
    package func mark(_ ids: [ExchangeID], _ change: MarkChange) throws -> Int {
        guard let writer else { throw readOnly }
        var found = 0
        var rest = Set(ids).sorted()[...]
        while let first = rest.first {
            let block = FacetBlock.index(of: first)
            let batch = rest.prefix(Deletion.limit).prefix { FacetBlock.index(of: $0) == block }
            rest = rest.dropFirst(batch.count)
            found += try edit {
                try writer.edit { db, _ in
                    try MarkEdit.run(change, on: batch, collectsSummaries: !feeds.isEmpty, in: db)
                } done: { edit in
                    if edit.hasNewBlock { indexer?.edited(block) }
                    feeds.send(edit.summaries)
                }.found
            }
        }
        return found
    }

    /// Begins a session: what is recorded from now on belongs to it, until the store closes.
    package func beginSession(_ name: String, now: Int64) throws {
        guard let writer else { throw readOnly }
        try edit {
            try writer.edit { db, memory in
                try SessionRow.begin(name, at: memory.nextID, now: now, in: db)
                (memory.session, memory.lastSession) = (name, name)
            }
        }
    }

    /// The sessions, oldest first; one that was taken up again is one.
    package func sessions() throws -> [StoreSession] {
        try read { db in
            let exchanges = try StretchCount(in: db, cache: self.cache)
            var sessions: [StoreSession] = []
            var places: [String: Int] = [:]
            for stretch in try SessionRow.all(in: db) {
                try Task.checkCancellation()
                let count = try exchanges.count(stretch.ids)
                if let known = places[stretch.name] {
                    sessions[known].count += count
                } else {
                    places[stretch.name] = sessions.count
                    sessions.append(StoreSession(name: stretch.name, started: stretch.started, count: count))
                }
            }
            return sessions
        }
    }

    /// The saved searches, by name.
    package func savedSearches() throws -> [SavedSearch] {
        try read { db in
            var row = try RawStatement("SELECT name, query FROM saved_search ORDER BY name", on: db)
            defer { row.reset() }
            var found: [SavedSearch] = []
            while try row.step() { found.append(SavedSearch(name: row.text() ?? "", query: row.text() ?? "")) }
            return found
        }
    }

    /// A search as it can be saved: a plain name, and a query that can be read, with the saved searches in it replaced by what they stand for.
    ///
    /// - Throws: `FilterError` saying what is wrong with the name or the query.
    package func checked(_ search: SavedSearch, now: Date) throws -> SavedSearch {
        let query = try expanded(search.query)
        // Under a name that hides it, everything is seldom meant: a variable of a shell may be empty.
        guard !query.allSatisfy(\.isWhitespace) else {
            throw FilterError("a saved search needs a query; name what it is to find")
        }
        _ = try FilterParser.parse(query, now: Moment.microseconds(now))
        let name = try Tag.name(search.name)
        guard !SavedSearch.commands.contains(name) else {
            throw FilterError(
                "\(name) is a word of the command line and cannot be the name of a saved search; choose another"
            )
        }
        return SavedSearch(name: name, query: query)
    }

    /// Saves a search under its name, in the place of one before.
    package func save(_ search: SavedSearch) throws {
        guard let writer else { throw readOnly }
        try edit {
            try writer.edit { db, _ in
                var row = try RawStatement("INSERT OR REPLACE INTO saved_search (name, query) VALUES (?, ?)", on: db)
                row.bind(search.name)
                row.bind(search.query)
                try row.run()
            }
        }
    }

    /// Forgets a saved search; whether there was one.
    package func forgetSearch(_ name: String) throws -> Bool {
        guard let writer else { throw readOnly }
        return try edit {
            try writer.edit { db, _ in
                var row = try RawStatement("DELETE FROM saved_search WHERE name = ?", on: db)
                row.bind(name)
                try row.run()
                return db.changesCount > 0
            }
        }
    }
}
