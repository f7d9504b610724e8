package import Traffic

extension TrafficStore {
    /// Whether an exchange failed, and only an archive says how.
    ///
    /// A command made of the archive's word could run a program of the archive's author, or send this user's login anywhere.
    ///
    /// - Throws: `StoreError`.
    package func isFailureImported(_ exchange: Exchange) throws -> Bool {
        try exchange.failure != nil && isImported(exchange.id)
    }

    /// Whether an exchange came from an archive; an exchange that was recorded between those of an import counts too.
    private func isImported(_ id: ExchangeID) throws -> Bool {
        try read { db in
            var row = try RawStatement("SELECT 1 FROM archive_import WHERE first <= ?1 AND last >= ?1 LIMIT 1", on: db)
            defer { row.reset() }
            row.bind(id)
            return try row.step()
        }
    }
}
