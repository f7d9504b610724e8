package import Foundation
import GRDB
package import Traffic

extension TrafficStore {
    /// Changes the marks of exchanges, open ones too; numbers of no exchange are left out.
    ///
    /// - Returns: how many of them are there.
    /// - Throws: `FilterError` when an exchange would have too many tags, `StoreError`; the changes before it stay.
    @discardableResult
    package func mark(_ ids: [ExchangeID], _ change: MarkChange) throws -> Int {
        guard let writer else { throw readOnly }
        var found = 0
        // No exchange has a number below 1, from which no block can be computed.
        var rest = Set(ids.lazy.filter { $0 > 0 }).sorted()[...]
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

    /// Begins a session: exchanges that are recorded from now on belong to it, until the store closes.
    package func beginSession(_ name: String, now: Int64) throws {
        guard let writer else { throw readOnly }
        try edit {
            try writer.edit { db, memory in
                try SessionRow.begin(name, at: memory.nextID, now: now, in: db)
                (memory.session, memory.lastSession) = (name, name)
            }
        }
    }

    /// The sessions, oldest first; a session that was taken up again is listed once.
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

    /// A search as it can be saved: a plain name, and a readable query in which each saved search is replaced by its own query.
    ///
    /// - Throws: `FilterError` saying what is wrong with the name or the query.
    package func checked(_ search: SavedSearch, now: Date) throws -> SavedSearch {
        let query = try expanded(search.query)
        // An empty query selects everything, which is seldom meant under a name: a variable of a shell may have been empty.
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

    /// Saves a search under its name, in the place of an earlier search.
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

    /// Forgets a saved search; returns whether there was one of this name.
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
