/// An exchange as a row of the table `exchange`: its columns, in the order in which they are written and read.
enum ExchangeRow {
    /// The columns that make a line of a listing.
    ///
    /// They come first, so that reading them leaves the heads' pages on the disk.
    static let summaryColumns = [
        "id", "started", "duration", "method", "scheme", "host", "port", "target", "code", "media_type",
        "request_bytes",
        "response_bytes", "version", "upstream_version", "client_name", "lens", "process", "outcome", "failure_side",
        "failure_phase",
        "failure_cause", "failure_message", "failure_retry", "replay_of",
    ]

    /// The columns that only a whole exchange has.
    static let detailColumns = [
        "blocked", "dns", "connect", "tls", "send", "wait", "receive", "client", "upstream", "request_body",
        "request_kept",
        "request_sha256", "response_body", "response_kept", "response_sha256", "warnings", "request_head",
        "request_sent_head",
        "request_trailers", "response_head", "response_sent_head", "response_trailers", "interim", "own_response",
        "request_messages", "response_messages", "stream", "upstream_stream",
        "request_archived", "response_archived", "rules",
    ]

    /// Writes a row, in the place of the row of the same id if there is one.
    static let insertion: String = {
        let columns = summaryColumns + detailColumns
        let marks = Array(repeating: "?", count: columns.count)
        return
            "INSERT OR REPLACE INTO exchange (\(columns.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))"
    }()

    /// The columns of other tables, and the few later columns that a line shows, read after `summaryColumns`.
    private static let lifeColumns = [
        "favourite", "tags", "note", sessionColumn, "receive", "request_messages", "response_messages", "rules",
    ]

    private static let sessionColumn =
        "(SELECT name FROM session WHERE first <= exchange.id ORDER BY first DESC LIMIT 1)"

    /// What tells whether the bodies were kept whole, read after `lifeColumns`.
    private static let measureColumns = [
        "request_kept", "request_archived", "response_kept", "response_archived", "response_head IS NOT NULL",
    ]

    private static let source = "FROM exchange LEFT JOIN mark ON mark.exchange = exchange.id "

    /// Reads lines of a listing; a condition follows.
    static let summarySelection = "SELECT \((summaryColumns + lifeColumns).joined(separator: ", ")) \(source)"

    /// Reads lines without their sessions, which would each be looked up, and whether their bodies were kept whole; a condition follows.
    static let measuredSelection =
        "SELECT \((summaryColumns + lifeColumns + measureColumns).joined(separator: ", ")) \(source)"
        .replacing(sessionColumn, with: "NULL")

    /// Reads a whole exchange by its id.
    static let selection =
        "SELECT \((summaryColumns + lifeColumns + detailColumns).joined(separator: ", ")) \(source)WHERE id = ?"
}
