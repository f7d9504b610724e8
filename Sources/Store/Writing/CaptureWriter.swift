import GRDB
import Synchronization
import Traffic

/// Writes captured exchanges: takes batches from any event loop, and writes all that wait in one transaction on the connection's queue.
///
/// While a commit runs, the next batches gather. So under load a commit costs each batch less.
final class CaptureWriter: Sendable {
    struct Inbox {
        /// Where batches are written now.
        enum Place {
            case store
            /// The store is being written anew.
            case spool(Spool)
            /// Neither is free, and batches wait.
            case nowhere
        }

        /// Batches that wait; bounded by what the proxy lets be in flight (see `CaptureSink`).
        var batches: [CaptureBatch] = []
        /// Whether a drain is running or scheduled.
        var isDraining = false
        var isClosed = false
        var place = Place.store
    }

    let pool: DatabasePool
    let wal: WriteAheadLog
    let feeds: ChangeFeeds
    /// Bytes that are kept of a body at most.
    let bodyLimitBytes: Int64
    /// Makes blocks of the rows; `nil` when no blocks are to be made.
    let indexer: BlockIndexer?
    let classifier: (any ExchangeClassifier)?
    let tell: (@Sendable (RecordingNews) -> Void)?
    let inbox = Mutex(Inbox())
    let memory: Mutex<WriterMemory>
    /// The gap of exchanges that could not be recorded, while it has no row.
    private let unwrittenGap = Mutex<CaptureGap?>(nil)

    init(
        pool: DatabasePool,
        wal: WriteAheadLog,
        feeds: ChangeFeeds,
        indexer: BlockIndexer?,
        bodyLimitBytes: Int64,
        classifier: (any ExchangeClassifier)?,
        tell: (@Sendable (RecordingNews) -> Void)?,
        nextID: ExchangeID
    ) {
        self.tell = tell
        self.classifier = classifier
        self.pool = pool
        self.wal = wal
        self.feeds = feeds
        self.indexer = indexer
        self.bodyLimitBytes = bodyLimitBytes
        memory = Mutex(WriterMemory(nextID: nextID))
    }

    /// The gap that has no row yet, because nothing can be written.
    var openGap: CaptureGap? { unwrittenGap.withLock { $0 } }

    /// The gaps that have no rows yet: this one, and those that name files which were put aside.
    var openGaps: [CaptureGap] { memory.withLock(\.unwrittenAsides) + (openGap.map { [$0] } ?? []) }

    /// Takes a batch; its `onCommit` is called on the writer's queue, or at once when the store is closed.
    func submit(_ batch: CaptureBatch) {
        let (isTaken, isFirst) = inbox.withLock { inbox in
            guard !inbox.isClosed else { return (false, false) }
            inbox.batches.append(batch)
            defer { inbox.isDraining = true }
            return (true, !inbox.isDraining)
        }
        guard isTaken else { return batch.onCommit(CommitReceipt(ids: [], isRecorded: false)) }
        if isFirst { scheduleDrain() }
    }

    /// Waits for its turn, and changes the store in one transaction between two batches.
    ///
    /// - Parameters:
    ///   - body: the change; see `WriterMemory.transaction` for the memory.
    ///   - done: called on the writer's queue after the commit.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` or SQLite throws; nothing was changed then.
    func edit<Value: Sendable>(
        _ body: (Database, inout WriterMemory) throws -> Value,
        done: (Value) -> Void = { _ in }
    ) throws -> Value {
        try pool.writeWithoutTransaction { db in
            let value = try memory.withLock { try $0.transaction(on: db) { try body(db, &$0) } }
            done(value)
            wal.checkpointIfLarge(db)
            return value
        }
    }

    /// Refuses further batches and writes the batches that wait.
    ///
    /// - Throws: why the store does not say all that it lacks.
    func close() throws {
        inbox.withLock { $0.isClosed = true }
        try pool.writeWithoutTransaction { db in
            while drainOnce(db) {}
            // A gap that the store does not know in full gets a last chance, though no batch follows it.
            let (isPauseBehind, isLateBehind, isAsideBehind) = memory.withLock {
                ($0.pause?.isWritten == false, $0.unwrittenLate != nil, !$0.unwrittenAsides.isEmpty)
            }
            let lacksSome = isPauseBehind || isAsideBehind || openGap != nil
            guard lacksSome || isLateBehind else { return }
            // The store lacks none of the late exchanges.
            if let error = record([], on: db), lacksSome { throw error }
        }
    }

    /// Begins an import; returns its number.
    func begin(importOf name: String, started: Int64) throws -> Int64 {
        try edit { db, memory in
            let number = try ArchiveImportRow.begin(name, started: started, in: db)
            // An empty store takes the numbers of the archive over.
            memory.imports[number] = ImportNumbers(keeps: memory.nextID == 1)
            return number
        }
    }

    /// Ends an import, and forgets what it took over.
    func end(import number: Int64, as state: ArchiveImportRow.State) throws -> ArchiveImportRow? {
        // The import is over also where its row cannot say so; the next opening then takes it for broken off.
        defer { memory.withLock { $0.imports[number] = nil } }
        return try edit { db, _ in
            try ArchiveImportRow.end(number, as: state, in: db)
            return try ArchiveImportRow.read(number, in: db)
        }
    }

    // MARK: pausing

    /// Whether nothing new is recorded.
    var isPaused: Bool { memory.withLock { $0.pause?.isOn ?? false } }

    /// Writes the batches that wait, and records no exchange that begins from then on.
    func pause(now: Int64) throws {
        pool.writeWithoutTransaction { db in _ = drainOnce(db) }
        try edit { db, memory in
            guard memory.pause?.isOn != true else { return }
            // The exchanges that the pause before counted and could not write.
            if let last = memory.pause, !last.isWritten { try last.write(in: db) }
            let gap = CaptureGap(count: 0, from: now, to: now, cause: CaptureGap.pauseCause)
            try gap.write(in: db)
            let skipped = memory.pause?.skipped ?? []
            memory.pause = RecordingPause(row: db.lastInsertedRowID, gap: gap, skipped: skipped)
        }
    }

    /// Records exchanges again that begin from now on.
    func resume(now: Int64) throws {
        pool.writeWithoutTransaction { db in _ = drainOnce(db) }
        try edit { db, memory in
            guard var pause = memory.pause, pause.isOn else { return }
            pause.isOn = false
            pause.gap.to = max(now, pause.gap.to)
            try pause.write(in: db)
            memory.pause = pause
        }
    }

    // MARK: the writer's queue

    /// Has the batches that wait written, where there is a place for them now.
    func scheduleDrain() {
        switch inbox.withLock({ $0.place }) {
        case .store:
            pool.asyncWriteWithoutTransaction { db in
                // One round at a time, so that the indexer's writes find their place in the queue.
                if self.drainOnce(db) { self.scheduleDrain() }
            }
        case .spool(let spool):
            spool.queue.asyncWriteWithoutTransaction { db in
                if self.drainAside(db, spool) { self.scheduleDrain() }
            }
        // Who ends that schedules.
        case .nowhere: break
        }
    }

    /// Writes the batches that wait; false when none did, and then the next batch schedules a drain.
    private func drainOnce(_ db: Database) -> Bool {
        let batches = inbox.withLock { inbox in
            let batches = inbox.batches
            inbox.batches = []
            if batches.isEmpty { inbox.isDraining = false }
            return batches
        }
        guard !batches.isEmpty else { return false }
        let wanted = memory.withLock { memory in batches.map { memory.sift($0) } }
        write(wanted, on: db)
        return true
    }

    /// Writes batches to the store; those that cannot be written are lost and counted.
    func write(_ batches: [CaptureBatch], on db: Database) {
        if let error = record(batches, on: db) {
            // A batch that cannot be written must not cost the others. A lock stops all of them, and was waited for already.
            let isOfOneBatch = batches.count > 1 && (error as? DatabaseError)?.resultCode != .SQLITE_BUSY
            for batch in batches {
                guard let error = isOfOneBatch ? record([batch], on: db) : error else { continue }
                if isOfOneEvent(error, batch) { recordEach(of: batch, on: db) } else { lose(batch, error) }
            }
        }
        wal.checkpointIfLarge(db)
    }

    /// Whether an error keeps everything from being written: a lock, which was waited for, or the disk.
    private func stopsAll(_ error: any Error) -> Bool {
        let codes: [ResultCode] = [.SQLITE_BUSY, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY]
        return (error as? DatabaseError).map { codes.contains($0.resultCode) } ?? false
    }

    /// Whether others of a batch's events may be written though the batch cannot be.
    private func isOfOneEvent(_ error: any Error, _ batch: CaptureBatch) -> Bool {
        guard batch.events.count > 1, !stopsAll(error) else { return false }
        // An import ends with the first exchange that it cannot take over.
        return !batch.events.contains { if case .imported = $0 { true } else { false } }
    }

    /// Writes the events of a batch one by one, of which some cannot be written: those are lost alone, and have no number in the receipt.
    private func recordEach(of batch: CaptureBatch, on db: Database) {
        let told = Mutex(CommitReceipt(ids: [], isRecorded: false))
        /// A batch of its own, which adds what becomes of it to what is told; the first has what the whole batch tells of late exchanges.
        func part(_ events: ArraySlice<ExchangeEvent>) -> CaptureBatch {
            let endCount = events.count { if case .ended = $0 { true } else { false } }
            let late = events.startIndex == batch.events.startIndex ? batch.late : nil
            return CaptureBatch(events: Array(events), late: late) { receipt in
                told.withLock { told in
                    told.isRecorded = told.isRecorded || receipt.isRecorded
                    told.lost += receipt.isRecorded ? 0 : endCount
                    told.ids += receipt.isRecorded ? receipt.ids : Array(repeating: 0, count: endCount)
                }
            }
        }
        for index in batch.events.indices {
            let one = part(batch.events[index...index])
            guard let error = record([one], on: db) else { continue }
            lose(one, error)
            // Each of the others would wait as long, and be lost as well.
            guard stopsAll(error) else { continue }
            let rest = batch.events[(index + 1)...]
            if !rest.isEmpty { lose(part(rest), error) }
            break
        }
        let receipt = told.withLock { $0 }
        batch.onCommit(receipt.isRecorded ? receipt : CommitReceipt(ids: [], isRecorded: false))
    }

    /// Writes batches in one transaction and tells them so.
    ///
    /// On an error nothing is written, nobody is told, and the error is returned.
    private func record(_ batches: [CaptureBatch], on db: Database) -> (any Error)? {
        do {
            let written = try memory.withLock { try commit(batches, on: db, &$0) }
            // Followers are told first, so that a client that was told of a commit finds it everywhere.
            feeds.send(written.summaries)
            for (batch, ids) in zip(batches, written.ids) {
                batch.onCommit(CommitReceipt(ids: ids, isRecorded: true))
            }
            indexer?.note(written.ended, written.rows)
            return nil
        } catch {
            return error
        }
    }

    /// The result of one transaction.
    private struct Written {
        /// The exchanges that ended in each batch.
        var ids: [[ExchangeID]]
        /// Every exchange that ended, also where no batch ended it.
        var ended: [ExchangeID]
        /// Those of them that batches ended, if anyone makes blocks of them.
        var rows: [SearchedRow]
        /// The rows that were written, if anyone follows.
        var summaries: [ExchangeSummary]
    }

    /// Writes batches in one transaction, with the gaps and closed rows that could not be written before.
    private func commit(
        _ batches: [CaptureBatch],
        on db: Database,
        _ memory: inout WriterMemory
    ) throws -> Written {
        let gap = openGap
        let written = try memory.transaction(on: db) { memory in
            var transaction = try CaptureTransaction(
                db,
                bodyLimitBytes: bodyLimitBytes,
                collectsSummaries: !feeds.isEmpty,
                collectsRows: indexer != nil,
                classifier: classifier
            )
            try gap?.write(in: db)
            if let pause = memory.pause, !pause.isWritten { try pause.write(in: db) }
            memory.pause?.isWritten = true
            for id in memory.abandoned { try transaction.closeUnrecorded(id) }
            memory.abandoned = []
            let ids = try transaction.apply(batches, &memory)
            for gap in memory.unwrittenAsides { try gap.write(in: db) }
            memory.unwrittenAsides = []
            if let late = memory.unwrittenLate.take() { try memory.write(late, in: db) }
            for case let late? in batches.lazy.map(\.late) { try memory.write(late, in: db) }
            try WritableNumbers.checkGiven(memory.nextID - 1, to: "an exchange")
            return Written(
                ids: ids,
                ended: transaction.ended,
                rows: transaction.rows,
                summaries: transaction.summaries
            )
        }
        if let gap {
            unwrittenGap.withLock { $0 = nil }
            tell?(.resumed(gap))
        }
        return written
    }

    /// Counts the exchanges of a batch that cannot be written, and tells the batch so.
    private func lose(_ batch: CaptureBatch, _ error: any Error) {
        let cause = (error as? DatabaseError)?.message ?? "\(error)"
        let lost = memory.withLock { $0.lose(batch, cause: cause) }
        if let lost {
            let isFirst = unwrittenGap.withLock { gap in
                defer { if gap == nil { gap = lost } else { gap?.join(lost) } }
                return gap == nil
            }
            if isFirst { tell?(.stopped(cause: cause)) }
        }
        batch.onCommit(CommitReceipt(ids: [], isRecorded: false))
    }
}
