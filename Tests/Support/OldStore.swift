/// What a store of today has and one of an earlier version of its tables had not.
package enum OldStore {
    /// The statements that take it away from a closed store of today, in the order in which they can be executed.
    ///
    /// - Parameter version: what the store is to be of.
    /// - Returns: statements of SQLite, without semicolons.
    package static func statements(backTo version: Int) -> [String] {
        var statements: [String] = []
        func drop(_ columns: String..., from table: String) {
            statements += columns.map { "ALTER TABLE \(table) DROP COLUMN \($0)" }
        }
        func drop(_ tables: String...) { statements += tables.map { "DROP TABLE \($0)" } }
        if version < 7 {
            drop("tls_cipher", "process", "process_name", "client_hello", "client_runtime", from: "connection")
        }
        if version < 6 { drop("lens", from: "exchange") }
        if version < 5 {
            drop("archive_import")
            drop("request_archived", "response_archived", from: "exchange")
        }
        if version < 4 {
            drop("mark", "session", "saved_search", "sequence", "body_share")
            drop("open", from: "facet_block")
        }
        if version < 3 {
            // Blocks were of another layout, which is not read.
            statements.append("DELETE FROM facet_block")
            drop("line_column", "search_block", "search_group", "search_filter")
        }
        if version < 2 {
            drop("message")
            drop("request_messages", "response_messages", "stream", "upstream_stream", from: "exchange")
        }
        return statements + ["PRAGMA user_version = \(version)"]
    }
}
