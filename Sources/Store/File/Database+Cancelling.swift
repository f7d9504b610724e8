import GRDB
import GRDBSQLite

extension Database {
    /// Runs statements that end when the task is cancelled, however long a statement takes; an ended statement has changed nothing.
    ///
    /// SQLite looks between two instructions. In some versions the check of a file's structure is a single instruction.
    ///
    /// - Parameters:
    ///   - instructions: SQLite's instructions between two looks at the task: well under a millisecond, unless they copy large rows.
    ///   - body: runs the statements.
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
