import Testing

/// A column of whole numbers in a store's tables.
struct StoredColumn: Sendable, CustomTestStringConvertible {
    let table: String
    let name: String
    /// Whether it is the table's key, so that no two rows have the same number in it.
    let isKey: Bool

    var testDescription: String { "\(table).\(name)" }

    /// Every such column but the key of `sequence`, which SQLite itself holds at 1.
    static let all =
        keys.map { StoredColumn(table: $0, name: $1, isKey: true) }
        + rest.flatMap { table, names in
            names.split(separator: " ").map { StoredColumn(table: table, name: String($0), isKey: false) }
        }

    /// Whether its numbers measure something, so that another number hides nothing and no question is refused for it.
    var isMeasure: Bool { StoredColumn.measures[table]?.split(separator: " ").contains { $0 == name } ?? false }

    /// Whether a file of exchanges tells what its table holds; blocks, gaps and imports stand in no such file.
    var isExported: Bool {
        [
            "exchange", "message", "open_exchange", "body_chunk", "connection", "certificate", "mark", "session",
        ].contains(table)
    }

    private static let measures = [
        "exchange": """
        started duration port request_bytes response_bytes blocked dns connect tls send wait receive request_kept response_kept \
        request_messages response_messages
        """,
        "message": "time wire_bytes size",
        "capture_gap": "count started ended",
        "session": "started",
        "facet_block": "first_started last_started",
    ]

    private static let keys = [
        ("exchange", "id"), ("message", "id"), ("archive_import", "id"), ("open_exchange", "id"), ("body_chunk", "id"),
        ("connection", "id"), ("certificate", "id"), ("capture_gap", "id"), ("facet_block", "id"),
        ("line_column", "id"), ("search_block", "id"), ("search_group", "id"), ("search_filter", "id"),
        ("mark", "exchange"), ("session", "first"), ("body_share", "body"),
    ]

    private static let rest = [
        (
            "exchange",
            """
            started duration port code request_bytes response_bytes failure_retry replay_of blocked dns connect tls send wait receive \
            client upstream request_body request_kept response_body response_kept request_messages response_messages stream \
            upstream_stream
            """
        ),
        ("message", "exchange time opcode wire_bytes size compressed status"),
        ("archive_import", "started count first last"),
        ("connection", "token process"),
        ("capture_gap", "count started ended"),
        ("facet_block", "layout revision through count open first_started last_started"),
        ("search_block", "layout settled"),
        ("search_group", "layout width"),
        ("mark", "favourite"),
        ("session", "started"),
        ("sequence", "last"),
        ("body_share", "others"),
    ]
}
