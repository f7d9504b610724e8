import GRDB

extension StoreError {
    /// The error for a failure on a file that was accepted as a store.
    ///
    /// - Parameters:
    ///   - error: SQLite's, or any other; a `StoreError` stays what it is.
    ///   - path: the store's file.
    init(_ error: any Error, reading path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError:
            self = .failed(path: path, message: error.sentence, Failure(error.resultCode))
        default: self = .unusable(path: path, reason: "\(error)")
        }
    }

    /// The error for a store that was closed and does not say all that it lacks.
    ///
    /// - Parameters:
    ///   - error: why it could not be told.
    ///   - path: the store's file.
    ///   - gap: what has no row for it; `nil` where only the count of a pause is behind.
    init(_ error: any Error, closing path: String, lacking gap: CaptureGap?) {
        let reason = (error as? DatabaseError)?.message ?? "\(error)"
        self = .untold(path: path, reason: reason, missing: gap?.count)
    }
}

extension StoreError.Failure {
    fileprivate init(_ code: ResultCode) {
        self =
            switch code {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damage
            case .SQLITE_FULL: .fullDisk
            case .SQLITE_BUSY, .SQLITE_LOCKED: .locked
            case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: .noAccess
            default: .other
            }
    }
}

extension DatabaseError {
    /// What SQLite says of the failure, or its number where it says nothing.
    var sentence: String { message ?? "SQLite error \(resultCode.rawValue)" }
}
