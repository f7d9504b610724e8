package import Traffic

/// Reads an archive from its bytes, piece by piece, and gives one exchange after the other: HAR of any tool, or what `inspect` exported.
///
/// It reads gzip too. Faults of an entry are repaired and reported; an entry that cannot be read is left out and reported; a file that breaks off
/// gives the exchanges that were whole. It holds one entry in memory.
package struct ArchiveReader {
    /// The report so far.
    package private(set) var report = ImportReport()
    private var splitter: ArchiveSplitter
    private let unpacker = ArchiveUnpacker()
    private var lastStart = "1970-01-01T00:00:00.000Z"
    private let digest: ([UInt8]) -> [UInt8]
    private let valuesLimit: Int

    /// The most JSON values that are read of one entry: enough for the messages of a long stream, and less than a gigabyte of memory.
    ///
    /// A packed entry with more values may have only a few hundred kilobytes.
    package static let valuesLimit = 8_000_000

    /// - Parameters:
    ///   - digest: SHA-256.
    ///   - valuesLimit: an entry with more JSON values is left out and reported.
    ///   - entryLimitBytes: a longer entry is left out and reported.
    ///   - textLimitBytes: an entry with a longer text is left out and reported.
    package init(
        digest: @escaping ([UInt8]) -> [UInt8],
        valuesLimit: Int = ArchiveReader.valuesLimit,
        entryLimitBytes: Int = ArchiveSplitter.entryLimitBytes(ofBody: ArchiveSplitter.leastBodyBytes),
        textLimitBytes: Int = ArchiveSplitter.textLimitBytes(ofBody: ArchiveSplitter.leastBodyBytes)
    ) {
        self.digest = digest
        self.valuesLimit = valuesLimit
        splitter = ArchiveSplitter(entryLimitBytes: entryLimitBytes, textLimitBytes: textLimitBytes)
    }

    /// Takes the next bytes; it ignores them once the file has turned out to be broken.
    ///
    /// - Throws: what `give` throws.
    package mutating func write(_ bytes: [UInt8], _ give: (ImportedExchange) throws -> Void) throws {
        guard report.broken == nil else { return }
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty, report.broken == nil {
            // Few bytes at a time, because they may unpack to many.
            do throws(ArchiveProblem) {
                try unpacker.write(rest.prefix(ArchiveUnpacker.stepBytes)) { pieces.append($0) }
            } catch {
                report.broken = error.description
            }
            rest = rest.dropFirst(ArchiveUnpacker.stepBytes)
            for piece in pieces { try split(piece, give) }
            pieces.removeAll(keepingCapacity: true)
        }
    }

    /// Says that the file has ended.
    ///
    /// - Throws: what `give` throws.
    package mutating func finish(_ give: (ImportedExchange) throws -> Void) throws {
        guard report.broken == nil else { return }
        do {
            var pieces: [[UInt8]] = []
            defer { report.kind = splitter.kind }
            let unpacked = Result { () throws(ArchiveProblem) in try unpacker.finish { pieces.append($0) } }
            for piece in pieces { try split(piece, give) }
            try unpacked.get()
            guard report.broken == nil else { return }
            try splitter.finish { _ in }
        } catch let problem as ArchiveProblem {
            report.broken = problem.description
        }
    }

    private mutating func split(_ bytes: [UInt8], _ give: (ImportedExchange) throws -> Void) throws {
        var pieces: [ArchivePiece] = []
        let limit = valuesLimit
        do {
            try splitter.write(bytes) { pieces.append(ArchivePiece($0, valuesLimit: limit)) }
        } catch let problem as ArchiveProblem {
            report.broken = problem.description
        }
        report.kind = splitter.kind
        for piece in pieces {
            switch piece {
            case .entry(let number, let value): try read(number, value, give)
            case .unreadable(let number, let reason): report.leaveOut(number, reason)
            case .member: break
            }
        }
    }

    private mutating func read(_ number: Int, _ value: JSONValue, _ give: (ImportedExchange) throws -> Void) throws {
        let imported: ImportedExchange
        if splitter.kind == .har {
            var mender = HARMender(entry: number, lastStart: lastStart)
            let mended = mender.mend(value)
            report.add(mender.findings)
            guard let mended else {
                report.leaveOut(number, "has no request")
                return
            }
            lastStart = mended["startedDateTime"]?.string ?? lastStart
            imported = HAREntryReader(mended, digest: digest).exchange()
        } else {
            do throws(ArchiveProblem) {
                imported = try ExchangeJSONReader(value, digest: digest).exchange()
            } catch {
                report.leaveOut(number, error.description)
                return
            }
        }
        report.read += 1
        try give(imported)
    }
}
