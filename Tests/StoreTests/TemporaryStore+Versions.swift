import Foundation
import GRDB

extension TemporaryStore {
    /// The versions that the tables of a store have had, each of which has a stored file.
    static let versions = 1...8

    /// Puts the stored file of a version in the place of the store.
    func place(version: Int) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "File/Versions/version-\(version).sql")
        let sql = try String(contentsOf: file, encoding: .utf8)
        let pool = try DatabasePool(path: path)
        try pool.write { try $0.execute(sql: sql) }
        try pool.close()
    }
}
