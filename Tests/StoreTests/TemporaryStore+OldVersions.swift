import GRDB
import Support

extension TemporaryStore {
    /// Takes from a closed store what an earlier version of its tables did not have.
    func takeBack(to version: Int) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            for statement in OldStore.statements(backTo: version) { try db.execute(sql: statement) }
        }
        try queue.close()
    }
}
