import GRDB
import GRDBSQLite
import NIOCore

/// A prepared statement driven through SQLite's C interface: parameters and columns are visited one after the other, in order.
///
/// GRDB's own binding costs an allocation a value, which the capture path has no budget for. A statement is used on its connection's queue only.
struct RawStatement {
    private let statement: Statement
    private let handle: SQLiteStatement
    private let connection: SQLiteConnection?
    private var position: Int32 = 0
    private var bindResult: Int32 = SQLITE_OK

    /// Prepares `sql` on a connection, or takes the statement that is prepared already.
    init(_ sql: String, on db: Database) throws {
        statement = try db.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
        connection = db.sqliteConnection
    }

    /// SQLite copies the bytes before the call returns.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    // MARK: parameters

    /// Binds the next parameter to an integer or NULL.
    mutating func bind(_ value: Int64?) {
        position += 1
        guard let value else { return note(sqlite3_bind_null(handle, position)) }
        note(sqlite3_bind_int64(handle, position, value))
    }

    /// Binds the next parameter to a text or NULL.
    mutating func bind(_ value: String?) {
        position += 1
        guard var value else { return note(sqlite3_bind_null(handle, position)) }
        let result = value.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { characters in
                guard let base = characters.baseAddress, !characters.isEmpty else {
                    return sqlite3_bind_text(handle, position, "", 0, RawStatement.copied)
                }
                return sqlite3_bind_text(handle, position, base, Int32(clamping: characters.count), RawStatement.copied)
            }
        }
        note(result)
    }

    /// Binds the next parameter to bytes or NULL; no bytes are an empty blob, not NULL.
    mutating func bind(_ value: ByteBuffer?) {
        guard let value else { return bind(nil as Int64?) }
        value.withUnsafeReadableBytes { bind(blob: $0) }
    }

    /// Binds the next parameter to bytes, NULL where there are none.
    mutating func bind(bytes value: [UInt8]) {
        guard !value.isEmpty else { return bind(nil as Int64?) }
        value.withUnsafeBytes { bind(blob: $0) }
    }

    /// Binds the next parameter to bytes; no bytes are an empty blob.
    mutating func bind(blob value: [UInt8]) { value.withUnsafeBytes { bind(blob: $0) } }

    private mutating func bind(blob bytes: UnsafeRawBufferPointer) {
        position += 1
        guard let base = bytes.baseAddress, !bytes.isEmpty else {
            return note(sqlite3_bind_zeroblob(handle, position, 0))
        }
        note(sqlite3_bind_blob64(handle, position, base, UInt64(bytes.count), RawStatement.copied))
    }

    private mutating func note(_ result: Int32) {
        if result != SQLITE_OK { bindResult = result }
    }

    // MARK: running

    /// Runs a statement without rows, and makes it ready for the next use.
    mutating func run() throws {
        defer { reset() }
        _ = try step()
    }

    /// Runs a change of rows, and makes it ready for the next use; how many rows it changed.
    mutating func runCounting() throws -> Int {
        try run()
        return connection.map { Int(sqlite3_changes($0)) } ?? 0
    }

    /// Moves to the next row; false at the end.
    mutating func step() throws -> Bool {
        if bindResult != SQLITE_OK { throw DatabaseError(resultCode: ResultCode(rawValue: bindResult)) }
        position = 0
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let message = connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }

    /// Makes the statement ready for the next use; must follow the last `step`, also after an error.
    mutating func reset() {
        sqlite3_reset(handle)
        position = 0
        bindResult = SQLITE_OK
    }

    // MARK: columns

    /// The next column as an integer; `nil` for NULL.
    mutating func integer() -> Int64? {
        defer { position += 1 }
        return sqlite3_column_type(handle, position) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, position)
    }

    /// Leaves out the next column without reading it.
    mutating func skip() { position += 1 }

    /// The next column as text; `nil` for NULL.
    mutating func text() -> String? {
        defer { position += 1 }
        guard let bytes = sqlite3_column_text(handle, position) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, position))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The next column as bytes; `nil` for NULL.
    mutating func buffer() -> ByteBuffer? {
        if sqlite3_column_type(handle, position) == SQLITE_NULL {
            position += 1
            return nil
        }
        return withBlob { ByteBuffer(bytes: $0) }
    }

    /// The next column as an array of bytes, empty for NULL.
    mutating func bytes() -> [UInt8] { withBlob { Array($0) } }

    /// The next column's bytes in SQLite's memory, empty for NULL; they are valid until the next `step` or `reset`.
    mutating func borrowedBlob() -> UnsafeRawBufferPointer {
        defer { position += 1 }
        let base = sqlite3_column_blob(handle, position)
        return UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : Int(sqlite3_column_bytes(handle, position)))
    }

    /// Calls with the next column's bytes, empty for NULL.
    mutating func withBlob<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { position += 1 }
        let base = sqlite3_column_blob(handle, position)
        let count = Int(sqlite3_column_bytes(handle, position))
        return try body(UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : count))
    }
}
