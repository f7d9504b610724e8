import Foundation
import Store
import Traffic

/// Changes a store: through the instance that records into it, or by itself where none runs.
struct StoreEditor {
    /// Characters of a query text that go into an address; the text may have 10,000.
    private static let textLimit = 8_000
    /// Bytes of a filter in an address, in which each character may take a dozen.
    private static let queryLimitBytes = 30_000
    /// Exchanges and ranges that one address names, at most: each is a condition of the question to the store.
    private static let rangeLimit = 300

    private let way: Way
    private let options: StoreOptions

    private enum Way {
        case instance(InstanceClient)
        case store(TrafficStore)
    }

    /// Finds the running instance, or takes the right to write.
    ///
    /// - Throws: `StoreError` when another program writes the store, or there is none; `InputError` when the instance file cannot be read.
    init(_ options: StoreOptions) throws {
        self.options = options
        // A store that is not there is not to be made.
        if let instance = try InstanceFile.read(for: options.path) {
            way = .instance(InstanceClient(instance))
        } else {
            way = .store(try options.openForChanging())
        }
    }

    /// Deletes what a filter selects; the counts of what was deleted and of what stays because it is open.
    func clear(_ filter: Filter) async throws -> TrafficStore.DeletionResult {
        struct Answer: Decodable {
            var deleted: Int
            var open: Int
        }
        switch way {
        case .store(let store): return try await closing(store) { try $0.clear(filter) }
        case .instance(let client):
            var open = 0
            let deleted = try await Self.count(try parts(of: filter), "deleted") { part in
                let answer = try await client.post("clear?" + Self.query(part), as: Answer.self)
                open += answer.open
                return answer.deleted
            }
            return TrafficStore.DeletionResult(deleted: deleted, open: open)
        }
    }

    /// Changes what is said of the exchanges that a filter selects; how many they are.
    func mark(_ filter: Filter, _ change: MarkChange) async throws -> Int {
        struct Answer: Decodable { var marked: Int }
        switch way {
        case .store(let store): return try await closing(store) { try $0.mark($0.ids(filter), change) }
        case .instance(let client):
            return try await Self.count(try parts(of: filter), "marked") { part in
                try await client.post("marks?" + Self.query(part), change, as: Answer.self).marked
            }
        }
    }

    /// Makes the file small.
    ///
    /// - Throws: `StoreError`, `InputError`; `CancellationError` where this process was asked to end meanwhile. The store is as it was then.
    func compact() async throws -> TrafficStore.CompactResult {
        struct Answer: Decodable {
            var before: Int64
            var after: Int64
            var logHeld: Bool
        }
        switch way {
        case .store(let store):
            let end = EndRequest()
            defer { end.forget() }
            let threads = BlockingThreads()
            return try await closing(store) { store in
                try await threads.run(until: end.made) { try store.compact() }
            }
        case .instance(let client):
            let answer = try await client.post("compact", as: Answer.self)
            return .init(before: answer.before, after: answer.after, isLogHeld: answer.logHeld)
        }
    }

    /// Saves a search; as it was saved.
    func save(_ search: SavedSearch) async throws -> SavedSearch {
        struct Search: Codable {
            var name: String
            var query: String
        }
        switch way {
        case .store(let store):
            return try await closing(store) { store in
                let search = try store.checked(search, now: Date())
                try store.save(search)
                return search
            }
        case .instance(let client):
            let asked = Search(name: search.name, query: search.query)
            let answer = try await client.post("saved", asked, as: Search.self)
            return SavedSearch(name: answer.name, query: answer.query)
        }
    }

    /// Forgets a saved search.
    ///
    /// - Throws: `InputError` when there is none of this name.
    func forget(_ name: String) async throws {
        switch way {
        case .store(let store):
            guard try await closing(store, { try $0.forgetSearch(name) }) else {
                throw InputError("there is no saved search \(name); 'inspect saved' lists them")
            }
        case .instance(let client): try await client.delete("saved/\(PercentCoding.encoded(name.utf8, keeping: .word))")
        }
    }

    private func closing<Value>(
        _ store: TrafficStore,
        _ body: (TrafficStore) async throws -> Value
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try await body(store)) } catch { result = .failure(error) }
        try store.close()
        return try result.get()
    }

    /// A filter as filters that each fit into an address: itself, or the exchanges that it selects now.
    private func parts(of filter: Filter) throws -> [Filter] {
        guard filter.text.count > Self.textLimit || Self.query(filter).utf8.count > Self.queryLimitBytes else {
            return [filter]
        }
        let reading = try options.openForReading()
        defer { try? reading.close() }
        var ranges: [ClosedRange<ExchangeID>] = []
        for id in try reading.ids(filter).sorted() {
            if let last = ranges.last, last.upperBound + 1 == id {
                ranges[ranges.count - 1] = last.lowerBound...id
            } else {
                ranges.append(id...id)
            }
        }
        return try Self.parts(of: ranges).map { try SelectorText.numbers($0).filter(now: 0) { $0 } }
    }

    /// Ranges in parts whose text fits into an address each.
    static func parts(of ranges: [ClosedRange<ExchangeID>]) -> [[ClosedRange<ExchangeID>]] {
        var parts: [[ClosedRange<ExchangeID>]] = []
        var length = 0
        for range in ranges {
            let added = SelectorText.words(range).count + 1
            if parts.isEmpty || length + added > textLimit || parts[parts.count - 1].count == rangeLimit {
                parts.append([])
                length = 0
            }
            parts[parts.count - 1].append(range)
            length += added
        }
        return parts
    }

    /// Changes what filters select, one after the other.
    ///
    /// - Parameters:
    ///   - parts: the filters.
    ///   - verb: what is done to an exchange, as in "was marked".
    ///   - change: changes what one of them selects; returns how many exchanges that were.
    /// - Returns: how many exchanges were changed.
    /// - Throws: what `change` throws; `InputError` with that error and the count, where exchanges were changed before.
    static func count(
        _ parts: [Filter],
        _ verb: String,
        _ change: (Filter) async throws -> Int
    ) async throws -> Int {
        var count = 0
        for part in parts {
            do {
                count += try await change(part)
            } catch  where count > 0 {
                let before = count.counted("exchange was", "exchanges were")
                throw InputError("\(CommandFailure.sentence(error)); \(before) \(verb) before")
            }
        }
        return count
    }

    /// A filter as the query of an address.
    private static func query(_ filter: Filter) -> String {
        filter.isEmpty ? "all=true" : "q=" + PercentCoding.encoded(filter.text.utf8, keeping: .word)
    }
}
