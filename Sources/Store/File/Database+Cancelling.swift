import GRDB
import GRDBSQLite

extension Database {
    /// Runs statements that end with the task that asks for them, however long one of them takes; what one of them had changed is as it was then.
    ///
    /// SQLite looks between two instructions. To some of its versions the check of a file's structure is a single one.
    ///
    /// - Parameters:
    ///   - instructions: instructions of SQLite's machine between two looks at the task. So many take well under a millisecond, unless they copy large rows.
    ///   - body: what asks for them.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; `CancellationError` when the task was cancelled meanwhile.
    func cancellable<Value>(every instructions: Int32 = 10_000, _ body: () throws -> Value) throws -> Value {
        sqlite3_progress_handler(
            sqliteConnection,
            instructions,
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
