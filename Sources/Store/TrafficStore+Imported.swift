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
        try read { try ArchiveImportRow.readAll(in: $0) }.contains { row in
            guard let first = row.first, let last = row.last else { return false }
            return first <= id && id <= last
        }
    }
}
