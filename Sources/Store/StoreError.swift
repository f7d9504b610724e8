package import Traffic

/// Why a store cannot be opened, read or written.
///
/// Printed, it is one sentence for the user. The sentence names no option and no command of the program: the caller knows which of them help.
package enum StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    // MARK: the file

    /// There is no file.
    case missing(path: String)
    /// The file has no bytes, and was to be read.
    case empty(path: String)
    /// A later version of the program made the store.
    case newer(path: String)
    /// An earlier version of the program made the store, which only a writer brings up to date.
    case older(path: String)
    /// The file is no store; `isDatabase` where it is an SQLite database of another program.
    case foreign(path: String, isDatabase: Bool)
    /// The schema of the store is not as we make it, and SQLite would run what is in it; `change` names the first difference.
    case altered(path: String, _ change: String)
    /// A folder, a pipe or a device has the name.
    case notAFile(path: String)
    /// The file cannot be opened; `reason` is the system's.
    case unopenable(path: String, reason: String)
    /// The folder of the store cannot be made.
    case noFolder(String)
    /// Another user laid this link in a folder where anybody may put one.
    case foreignLink(String)
    /// Every user of the machine may put another file in the place of the store; `own` is a name that nobody else may take.
    case openFolder(String, own: String)
    /// The file has a second name, by which another writer would not see the lock.
    case hardLink(path: String)
    /// A file of the store belongs to another user, is open to others, or is no file.
    case untrusted(path: String, FileOwnership.Problem)

    // MARK: the lock

    /// The lock's file cannot be made; `reason` is the system's.
    case noLock(path: String, reason: String)
    /// The lock's file belongs to another user, is open to others, or is no file.
    case untrustedLock(path: String, FileOwnership.Problem)
    /// The file system knows no locks; `reason` is the system's.
    case unlockable(path: String, reason: String)
    /// Another process writes the store; its number where it wrote one down.
    case beingWritten(path: String, process: Int32?)

    // MARK: reading and writing

    /// SQLite failed on a file that was accepted as a store; `message` is its own.
    case failed(path: String, message: String, Failure)
    /// A number in the store leaves a writer no room, while readers need none; `problem` names the number.
    case unwritable(path: String, _ problem: String)
    /// Something else failed; `reason` says what.
    case unusable(path: String, reason: String)
    /// The store was opened for reading only.
    case readOnly(path: String)
    /// An import ended early, since a batch of it could not be written; `imported` says what is in the store of it.
    case importEnded(path: String, imported: String)
    /// A store of an earlier version cannot be copied before it is brought up to date.
    case uncopied(path: String, reason: String)
    /// A store was closed and does not say all that it lacks; `missing` counts exchanges without a row, `nil` where only another count is behind.
    case untold(path: String, reason: String, missing: Int?)
    /// SQLite has a setting at another value than it was given.
    case setting(String, actual: String, wanted: String)

    /// What SQLite's failures come to.
    package enum Failure: Sendable {
        case damage
        case fullDisk
        case locked
        /// The file or its folder may not be read or written.
        case noAccess
        case other
    }

    /// Whether the file is damaged.
    package var isDamage: Bool {
        if case .failed(_, _, .damage) = self { true } else { false }
    }

    /// Whether another process writes the store.
    package var isBeingWritten: Bool {
        if case .beingWritten = self { true } else { false }
    }

    package var description: String {
        switch self {
        case .missing(let path): "there is no store at \(path) yet"
        case .empty(let path): "the store \(path) is empty"
        case .newer(let path): "the store \(path) was made by a newer inspect; use that one"
        case .older(let path): "the store \(path) was made by an older inspect"
        case .foreign(let path, let isDatabase):
            "\(path) is \(isDatabase ? "an SQLite database of another program" : "not a store"); it was left as it is"
        case .altered(let path, let change):
            "the store \(path) was changed by another program (\(change)); undo that, or use a copy from before it"
        case .notAFile(let path): "\(path) is not a file"
        case .unopenable(let path, let reason): "cannot open \(path): \(reason); check who owns it and its directory"
        case .noFolder(let folder): "cannot make the directory \(folder); check who owns the one above it"
        case .foreignLink(let link):
            "\(link) is a link of another user's, in a folder where anybody may put one; name the file itself"
        case .openFolder(let folder, _): "every user of this machine may replace the files in \(folder)"
        case .hardLink(let path): "\(path) has a second name (a hard link); remove that one"
        case .untrusted(let path, let problem):
            switch problem {
            case .mode: "\(path) \(problem); run chmod 600 \(ShellWord(path))"
            case .owner: "\(path) \(problem); write to it as that user"
            case .notAFile: "\(path) \(problem); remove it"
            }
        case .noLock(let path, let reason): "cannot make \(path): \(reason); check the directory"
        case .untrustedLock(let path, let problem): "\(path) \(problem); remove it"
        case .unlockable(let path, let reason): "cannot lock \(path): \(reason)"
        case .beingWritten(let path, let process):
            "the store \(path) is being written by \(process.map { "process \($0)" } ?? "another process"); stop it"
        case .failed(let path, let message, let failure):
            "the store \(path) cannot be used (\(message))\(failure.remedy.map { ": \($0)" } ?? "")"
        case .unwritable(let path, let problem): "the store \(path) can be read, but not written (\(problem))"
        case .unusable(let path, let reason): "the store \(path) cannot be used: \(reason)"
        case .readOnly(let path): "the store \(path) is open for reading only"
        case .importEnded(let path, let imported):
            "the store \(path) cannot be written any more; is the disk full? \(imported)"
        case .uncopied(let path, let reason):
            """
            the store \(path) was made by an older inspect and cannot be copied before it is brought up to date (\(reason)): \
            free some space beside it; nothing was changed
            """
        case .untold(let path, let reason, let missing):
            "the store \(path) could not be told all that it lacks (\(reason))"
                + (missing.map { "; exchanges that passed and are not in it: \($0)" } ?? "")
        case .setting(let name, let actual, let wanted):
            "SQLite has \(name) at \(actual) where \(wanted) was asked for; this build of it cannot write stores"
        }
    }
}

extension StoreError.Failure {
    /// What to do about it; `nil` where nothing is known to help.
    fileprivate var remedy: String? {
        switch self {
        case .damage: "it is damaged; keep a copy, then try `sqlite3 FILE .recover`"
        case .fullDisk: "the disk is full; free some space"
        case .locked: "another program holds it locked; close that program and try again"
        case .noAccess: "check that you may read and write the file and its directory"
        case .other: nil
        }
    }
}
