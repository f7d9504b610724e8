package import Traffic

/// Counts, while an archive is written, the entries that are too long for an import.
package struct EntryMeasure {
    /// Entries so far that an import leaves out.
    package private(set) var overlong = 0
    private let entryLimitBytes: Int
    private let textLimitBytes: Int

    /// - Parameters:
    ///   - entryLimitBytes: bytes of an entry that are read; see `ArchiveSplitter`.
    ///   - textLimitBytes: bytes of a text in it that are read.
    package init(
        entryLimitBytes: Int = ArchiveSplitter.entryLimitBytes(ofBody: 64 << 20),
        textLimitBytes: Int = ArchiveSplitter.textLimitBytes(ofBody: 64 << 20)
    ) {
        (self.entryLimitBytes, self.textLimitBytes) = (entryLimitBytes, textLimitBytes)
    }

    /// Measures the entry that `body` writes.
    ///
    /// - Throws: what `body` throws.
    package mutating func entry(_ json: inout JSONWriter, _ body: (inout JSONWriter) throws -> Void) rethrows {
        let start = json.length
        json.longestText = 0
        try body(&json)
        let isLong = json.length - start > Int64(entryLimitBytes) || json.longestText > Int64(textLimitBytes)
        if isLong { overlong += 1 }
    }
}
