package import Archive
package import Traffic

extension TrafficStore {
    /// Whether an exchange came from an archive; an exchange that was recorded between those of an import counts too.
    ///
    /// - Throws: `StoreError`.
    package func isImported(_ id: ExchangeID) throws -> Bool {
        try read { try ArchiveImportRow.readAll(in: $0) }.contains { row in
            guard let first = row.first, let last = row.last else { return false }
            return first <= id && id <= last
        }
    }

    /// The words for what lifts the refusal of an exchange; `nil` for an exchange of an archive.
    ///
    /// The failure of such an exchange is the archive's word: a command made of it could send this user's login anywhere.
    ///
    /// - Throws: `StoreError`.
    package func refusalWords(
        _ words: ExchangeJSON.RefusalWords?,
        for exchange: Exchange
    ) throws -> ExchangeJSON.RefusalWords? {
        guard let words, let failure = exchange.failure, words(failure) != nil, try !isImported(exchange.id) else {
            return nil
        }
        return words
    }
}
