import GRDB
import Traffic

extension WriterMemory {
    /// Tells the store of late exchanges, in a transaction with others.
    ///
    /// Nothing is missing where this cannot be written, so that costs nothing else: it is kept for the next transaction.
    ///
    /// - Throws: SQLite's error, where that has ended the whole transaction.
    mutating func write(_ late: LateSpell, in db: Database) throws {
        do {
            try CaptureGap.add(late, in: db)
        } catch {
            // SQLite has taken back the one statement that failed, or the transaction.
            guard db.isInsideTransaction else { throw error }
            keep(late)
        }
    }

    /// Keeps late exchanges that could not be written.
    mutating func keep(_ late: LateSpell) {
        if unwrittenLate == nil { unwrittenLate = late } else { unwrittenLate?.join(late) }
    }
}
