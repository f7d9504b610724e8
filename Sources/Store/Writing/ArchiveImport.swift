package import Archive
import Crypto
import Dispatch
import Foundation
import Synchronization
import Traffic

/// An archive on its way into a store: bytes in, exchanges committed in batches, at most two of them in memory.
///
/// A row says how far the import came, so that a broken-off import is known for one. The methods block; one caller at a time.
package final class ArchiveImport: Sendable {
    /// Bytes of exchanges that are committed together.
    private static let batchBytes = 4 << 20
    /// Exchanges that are committed together.
    private static let batchCount = 1000

    private struct State {
        var reader: ArchiveReader
        var batch: [ImportedExchange] = []
        var batchBytes = 0
        /// The batch before, being written.
        var pending: Commit?
        var isEnded = false
    }

    /// A batch that is being written.
    private final class Commit: Sendable {
        private let done = DispatchSemaphore(value: 0)
        private let isRecorded = Mutex(false)

        func end(_ receipt: CommitReceipt) {
            isRecorded.withLock { $0 = receipt.isRecorded }
            done.signal()
        }

        func wait() -> Bool {
            done.wait()
            return isRecorded.withLock { $0 }
        }
    }

    private let store: TrafficStore
    private let writer: CaptureWriter
    private let number: Int64
    /// The session that all of it is put into; `nil` for those that the archive names.
    private let session: String?
    private let state: Mutex<State>

    /// Begins an import.
    ///
    /// - Parameters:
    ///   - store: opened for writing.
    ///   - name: the file's, for people.
    ///   - session: the session that all of it is put into; `nil` for those that the archive names.
    /// - Throws: `StoreError` when the store cannot be written.
    package init(into store: TrafficStore, name: String, session: String? = nil) throws {
        guard let writer = store.writer else { throw store.readOnly }
        self.store = store
        self.writer = writer
        self.session = session
        state = Mutex(
            State(
                reader: ArchiveReader(
                    digest: { Array(SHA256.hash(data: $0)) },
                    entryLimitBytes: ArchiveSplitter.entryLimitBytes(ofBody: writer.bodyLimitBytes),
                    textLimitBytes: ArchiveSplitter.textLimitBytes(ofBody: writer.bodyLimitBytes)
                )
            )
        )
        do {
            number = try writer.begin(importOf: name, started: Moment.microseconds(store.clock.date))
        } catch {
            throw StoreError(error, reading: store.path)
        }
    }

    deinit {
        if !state.withLock(\.isEnded) { _ = try? writer.end(import: number, as: .broken) }
    }

    /// Whether the file is broken, so that nothing more of it is read.
    package var isBroken: Bool { state.withLock { $0.reader.report.broken != nil } }

    /// Exchanges read so far.
    package var count: Int { state.withLock { $0.reader.report.read } }

    /// Takes the next bytes of the file.
    ///
    /// - Throws: `StoreError` when the store cannot be written; the import is broken off then.
    package func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            var found: [ImportedExchange] = []
            try state.reader.write(bytes) { found.append($0) }
            try take(found, &state)
        }
    }

    /// Ends the import with the file.
    ///
    /// - Returns: what the reader found, and the import's row with the numbers of its exchanges.
    /// - Throws: `StoreError` when the store cannot be written.
    package func finish() throws -> (report: ImportReport, row: ArchiveImportRow?) {
        try state.withLock { state in
            var found: [ImportedExchange] = []
            try state.reader.finish { found.append($0) }
            try take(found, &state)
            try flush(&state)
            try settle(&state)
            state.isEnded = true
            let isWhole = state.reader.report.broken == nil
            do {
                return (state.reader.report, try writer.end(import: number, as: isWhole ? .done : .broken))
            } catch {
                throw StoreError(error, reading: store.path)
            }
        }
    }

    /// Ends the import before the file's end: the exchanges so far are kept, and the row says that some are missing.
    package func breakOff() throws -> ArchiveImportRow? {
        try state.withLock { state in
            guard !state.isEnded else { return nil }
            try flush(&state)
            try settle(&state)
            state.isEnded = true
            return try writer.end(import: number, as: .broken)
        }
    }

    private func take(_ found: [ImportedExchange], _ state: inout State) throws {
        for var exchange in found {
            if let session { exchange.session = session }
            exchange.limitArchivedBodies(to: writer.bodyLimitBytes)
            state.batchBytes += exchange.weightBytes
            state.batch.append(exchange)
            if state.batchBytes >= ArchiveImport.batchBytes || state.batch.count >= ArchiveImport.batchCount {
                try flush(&state)
            }
        }
    }

    private func flush(_ state: inout State) throws {
        guard !state.batch.isEmpty else { return }
        try settle(&state)
        let commit = Commit()
        state.pending = commit
        let events = state.batch.map { ExchangeEvent.imported(number, $0) }
        (state.batch, state.batchBytes) = ([], 0)
        store.submit(CaptureBatch(events: events) { commit.end($0) })
    }

    /// Waits for the batch that is being written.
    private func settle(_ state: inout State) throws {
        guard let commit = state.pending else { return }
        state.pending = nil
        guard commit.wait() else {
            state.isEnded = true
            let row = try? writer.end(import: number, as: .broken)
            throw StoreError.importEnded(path: store.path, imported: row?.range ?? "")
        }
    }
}

extension TrafficStore {
    /// Imports that were broken off, oldest first.
    package func brokenImports() throws -> [ArchiveImportRow] {
        try read { try ArchiveImportRow.readAll(in: $0) }.filter { $0.state == .broken }
    }
}
