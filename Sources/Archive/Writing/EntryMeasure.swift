package import Traffic

/// Keeps entries as short as an import reads them while an archive is written, and counts those for which it left something out.
package struct EntryMeasure {
    /// Bytes that are kept for what a cut adds to an entry: numbers of more digits, and why the body is not whole.
    private static let reserveBytes: Int64 = 1024

    /// Exchanges so far of which something was left out, so that they come back without it.
    package private(set) var shortened: [ExchangeID] = []
    /// Entries so far that an import leaves out, because they are too long without their bodies and messages.
    package private(set) var overlong = 0
    private let entryLimitBytes: Int64
    private let textLimitBytes: Int64
    private let valuesLimit: Int64

    /// - Parameters:
    ///   - entryLimitBytes: bytes of an entry that are read; see `ArchiveSplitter`.
    ///   - textLimitBytes: bytes of a text in it that are read.
    ///   - valuesLimit: JSON values in it that are read.
    package init(
        entryLimitBytes: Int = ArchiveSplitter.entryLimitBytes(ofBody: ArchiveSplitter.leastBodyBytes),
        textLimitBytes: Int = ArchiveSplitter.textLimitBytes(ofBody: ArchiveSplitter.leastBodyBytes),
        valuesLimit: Int = ArchiveReader.valuesLimit
    ) {
        (self.entryLimitBytes, self.textLimitBytes) = (Int64(entryLimitBytes), Int64(textLimitBytes))
        self.valuesLimit = Int64(valuesLimit)
    }

    /// Writes an entry, with less of its bodies and messages where it would be too long.
    ///
    /// - Parameters:
    ///   - json: the writer.
    ///   - id: the exchange's number.
    ///   - contents: its bodies.
    ///   - source: the bodies' bytes.
    ///   - write: writes the entry with these contents, and returns how many messages were left out; called twice where bodies may be too long, first for
    ///     an outline, which it keeps in the writer.
    /// - Throws: what `source` and `write` throw.
    package mutating func entry(
        _ json: inout JSONWriter,
        _ id: ExchangeID,
        _ contents: EntryContents,
        source: ArchiveSource,
        _ write: (inout JSONWriter, EntryContents) throws -> Int64
    ) throws {
        var contents = contents
        if contents.mostBytes > entryLimitBytes / 2 || contents.mostTextBytes > textLimitBytes {
            var outline = JSONWriter()
            _ = try write(&outline, contents.outline)
            let room = entryLimitBytes - outline.length - EntryMeasure.reserveBytes
            // What is too long without its bodies is written whole: it does not come back anyhow.
            let isHopeless = room < 0 || outline.longestText > textLimitBytes || outline.values > valuesLimit
            if !isHopeless { try contents.fit(room, text: textLimitBytes, source) }
        }
        let bounds = JSONBounds(
            length: json.length + entryLimitBytes,
            text: textLimitBytes,
            values: json.values + valuesLimit
        )
        contents.bounds = bounds
        json.longestText = 0
        let leftOut = try write(&json, contents)
        if !json.isWithin(bounds) {
            overlong += 1
        } else if contents.isCut || leftOut > 0 {
            shortened.append(id)
        }
    }
}
