import GRDB
import Support

/// Another program that is about to write to a store, and keeps everybody else from it.
final class ForeignLock {
    private let queue: DatabaseQueue

    /// Takes the lock, when nobody is just writing.
    init(on home: TemporaryStore) throws {
        var configuration = Configuration()
        // It holds its lock from one access to the next.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(Double(Patience.seconds(10)))
        queue = try DatabaseQueue(path: home.path, configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: "PRAGMA user_version; BEGIN IMMEDIATE") }
    }

    /// Lets others write.
    func release() throws { try queue.inDatabase { try $0.execute(sql: "ROLLBACK") } }
}
