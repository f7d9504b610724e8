import Foundation
import GRDB
import Synchronization
import Traffic

extension CaptureWriter {
    /// Attempts at taking a spool over while another process holds the store's lock, each as long as SQLite waits for a lock: a minute in all.
    private static let attempts = 12

    /// Runs a long change of the store's file on the writer's queue, while recording goes on in a spool; see `Spool`.
    ///
    /// Imports wait. Nobody who follows the store is told of an exchange before the store has it, nor who asked for a replay.
    ///
    /// - Parameters:
    ///   - path: the store's.
    ///   - now: the time by which a spool that cannot be taken over is named.
    ///   - body: the change, outside of a transaction. Where there is no room for a spool, recording waits for it.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
    func aside<Value>(beside path: String, now: Date, _ body: (Database) throws -> Value) throws -> Value {
        try pool.writeWithoutTransaction { db in
            guard let spool = try? Spool(beside: path, db) else { return try body(db) }
            let before = begin(spool)
            defer { end(spool, before, db, now: now) }
            return try body(db)
        }
    }

    /// Has batches written to a spool from now on.
    private func begin(_ spool: Spool) -> WriterMemory.BeforeSpool {
        let before = memory.withLock { $0.beginSpool() }
        let isDraining = inbox.withLock { inbox in
            inbox.place = .spool(spool)
            return inbox.isDraining
        }
        if isDraining { scheduleDrain() }
        return before
    }

    /// Takes a spool over, and has batches written to the store again.
    private func end(_ spool: Spool, _ before: WriterMemory.BeforeSpool, _ db: Database, now: Date) {
        var isTaken = true
        do {
            let ended = try takeOver(spool, into: db)
            indexer?.note(ended)
            feeds.resync()
        } catch {
            isTaken = false
            stop(spool)
            let path = spool.setAside(now: now) { path in
                var gap = spool.ended.withLock { $0 }
                gap?.cause = "\((error as? DatabaseError)?.message ?? "\(error)"); they are in \(path)"
                memory.withLock { [gap] in $0.forgetSpool(before, gap: gap) }
                write([], on: db)
            }
            tell?(.setAside(path: path))
        }
        inbox.withLock { inbox in
            inbox.place = .store
            inbox.isDraining = true
        }
        for (tell, receipt) in spool.receipts.withLock({ $0 }) {
            tell(isTaken ? receipt : CommitReceipt(ids: [], isRecorded: false))
        }
        scheduleDrain()
        wal.checkpointIfLarge(db)
    }

    private func takeOver(_ spool: Spool, into db: Database) throws -> [ExchangeID] {
        for _ in 1..<CaptureWriter.attempts {
            do { return try spool.takeOver(into: db) { stop(spool) } } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY
            {
                // Recording goes on in the spool.
                continue
            }
        }
        return try spool.takeOver(into: db) { stop(spool) }
    }

    /// Has batches wait, and waits for those that are being written to the spool.
    private func stop(_ spool: Spool) {
        inbox.withLock { $0.place = .nowhere }
        spool.queue.writeWithoutTransaction { _ in }
    }

    // MARK: the spool's queue

    /// Writes the batches that wait to the spool, but for those of imports; false when none did, and when they have to wait for the store.
    func drainAside(_ db: Database, _ spool: Spool) -> Bool {
        let batches: [CaptureBatch]? = inbox.withLock { inbox in
            guard case .spool = inbox.place else { return nil }
            let batches = inbox.batches.filter { !$0.isOfImport }
            inbox.batches.removeAll { !$0.isOfImport }
            if batches.isEmpty { inbox.isDraining = false }
            return batches
        }
        guard let batches, !batches.isEmpty else { return false }
        do {
            let written = try memory.withLock { try commitAside(batches, on: db, &$0) }
            for case .ended(_, let exchange, _, _) in written.batches.lazy.flatMap(\.events) {
                spool.ended.withLock { $0.count(exchange) }
            }
            for (batch, ids) in zip(written.batches, written.ids) {
                let receipt = CommitReceipt(ids: ids, isRecorded: true)
                if batch.endsReplay {
                    spool.receipts.withLock { $0.append((batch.onCommit, receipt)) }
                } else {
                    batch.onCommit(receipt)
                }
            }
            return true
        } catch {
            // The disk may be full as long as there are two copies of the store. Nothing is lost by waiting for the store.
            inbox.withLock { inbox in
                inbox.batches = batches + inbox.batches
                inbox.place = .nowhere
            }
            return false
        }
    }

    /// Writes batches to the spool in one transaction; gaps wait for the store.
    ///
    /// - Returns: the batches, without what a pause passes over, and the ids of the exchanges that ended in each.
    /// - Throws: what SQLite says; the memory is as it was then.
    private func commitAside(
        _ batches: [CaptureBatch],
        on db: Database,
        _ memory: inout WriterMemory
    ) throws -> (batches: [CaptureBatch], ids: [[ExchangeID]]) {
        let pause = memory.pause
        do {
            let wanted = batches.map { memory.sift($0) }
            let ids = try memory.transaction(on: db) { memory in
                var transaction = try CaptureTransaction(
                    db,
                    bodyLimitBytes: bodyLimitBytes,
                    collectsSummaries: false,
                    classifier: classifier
                ) { body in
                    // Of an exchange that was open when the spool began, the store has the first pieces.
                    try self.pool.read { try BodyVault.start(of: body, in: $0) }
                }
                let ids = try transaction.apply(wanted, &memory)
                for case let late? in batches.lazy.map(\.late) { memory.keep(late) }
                try WritableNumbers.checkGiven(memory.nextID - 1, to: "an exchange")
                return ids
            }
            return (wanted, ids)
        } catch {
            memory.pause = pause
            throw error
        }
    }
}

extension CaptureBatch {
    /// Whether it is a part of an import.
    fileprivate var isOfImport: Bool { events.contains { if case .imported = $0 { true } else { false } } }

    /// Whether it ends a replay, whose number is given to somebody who reads it at once.
    fileprivate var endsReplay: Bool {
        events.contains { if case .ended(_, let exchange, _, _) = $0 { exchange.replayOf != nil } else { false } }
    }
}

extension CaptureGap? {
    /// Takes in an exchange that ended.
    fileprivate mutating func count(_ exchange: Exchange) {
        let started = exchange.timeline.started
        let one = CaptureGap(
            count: 1,
            from: started,
            to: started + (exchange.timeline.duration ?? 0),
            cause: CaptureGap.unnamedCause
        )
        if self == nil { self = one } else { self?.join(one) }
    }
}
