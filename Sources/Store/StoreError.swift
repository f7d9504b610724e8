import GRDB
import Traffic

/// Why a store cannot be opened or read, as one sentence for the user.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the file is damaged.
    package private(set) var isDamage = false
    /// Whether another process writes the store.
    package var isBeingWritten = false
    package init(_ description: String) { self.description = description }

    /// The sentence for a failure of SQLite on a file that was accepted as a store.
    init(_ error: any Error, reading path: String) {
        guard let error = error as? DatabaseError else {
            self = (error as? StoreError) ?? StoreError("the store \(path) cannot be used: \(error)")
            return
        }
        let remedy =
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB:
                "it is damaged; keep a copy, then try `sqlite3 FILE .recover`, or name another file with --store"
            case .SQLITE_FULL: "the disk is full; free some space"
            case .SQLITE_BUSY, .SQLITE_LOCKED: "another program holds it locked; close that program and try again"
            case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
                "check that you may read and write the file and its directory, or name another one with --store"
            default: "if it persists, name another file with --store"
            }
        self.init(
            "the store \(path) cannot be used (\(error.message ?? "SQLite error \(error.resultCode.rawValue)")): \(remedy)"
        )
        isDamage = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }

    /// The sentence for a store that was closed and does not say all that it lacks.
    ///
    /// - Parameters:
    ///   - error: why it could not be told.
    ///   - path: where it is.
    ///   - gap: what has no row for it; `nil` where only the count of a pause is behind.
    init(_ error: any Error, closing path: String, lacking gap: CaptureGap?) {
        let cause = (error as? DatabaseError)?.message ?? "\(error)"
        let missing = gap.map { "; exchanges that passed and are not in it: \($0.count)" } ?? ""
        self.init("the store \(path) could not be told all that it lacks (\(cause))\(missing)")
    }
}
