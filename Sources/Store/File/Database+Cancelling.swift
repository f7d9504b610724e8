import GRDB
import GRDBSQLite

extension Database {
    /// Instructions of SQLite's machine between two looks at the task: well under a millisecond.
    private static var instructionsBetweenLooks: Int32 { 10_000 }

    /// Runs a read whose statements end with the task that reads, however long one of them takes.
    ///
    /// SQLite looks between two instructions. To some of its versions the check of a file's structure is a single one.
    ///
    /// - Parameter body: the read.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `CancellationError` when the task was cancelled meanwhile.
    func cancellable<Value>(_ body: () throws -> Value) throws -> Value {
        sqlite3_progress_handler(
            sqliteConnection,
            Database.instructionsBetweenLooks,
            { _ in Task.isCancelled ? 1 : 0 },
            nil
        )
        defer { sqlite3_progress_handler(sqliteConnection, 0, nil, nil) }
        do {
            return try body()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            throw CancellationError()
        }
    }
}
