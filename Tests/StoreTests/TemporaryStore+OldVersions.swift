import GRDB

extension TemporaryStore {
    /// Takes from a closed store what an earlier version of its tables did not have.
    func takeBack(to version: Int) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            if version < 7 {
                for column in ["tls_cipher", "process", "process_name", "client_hello", "client_runtime"] {
                    try db.execute(sql: "ALTER TABLE connection DROP COLUMN \(column)")
                }
            }
            if version < 6 { try db.execute(sql: "ALTER TABLE exchange DROP COLUMN lens") }
            if version < 5 {
                try db.execute(sql: "DROP TABLE archive_import")
                for side in ["request", "response"] {
                    try db.execute(sql: "ALTER TABLE exchange DROP COLUMN \(side)_archived")
                }
            }
            if version < 4 {
                for table in ["mark", "session", "saved_search", "sequence", "body_share"] {
                    try db.execute(sql: "DROP TABLE \(table)")
                }
                try db.execute(sql: "ALTER TABLE facet_block DROP COLUMN open")
            }
            if version < 3 {
                // Blocks were of another layout, which is not read.
                try db.execute(sql: "DELETE FROM facet_block")
                for table in ["line_column", "search_block", "search_group", "search_filter"] {
                    try db.execute(sql: "DROP TABLE \(table)")
                }
            }
            if version < 2 {
                try db.execute(sql: "DROP TABLE message")
                for column in ["request_messages", "response_messages", "stream", "upstream_stream"] {
                    try db.execute(sql: "ALTER TABLE exchange DROP COLUMN \(column)")
                }
            }
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        try queue.close()
    }
}
