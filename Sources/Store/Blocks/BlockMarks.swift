import GRDB
import Traffic

/// The marks of a block's exchanges, and the sessions they were recorded in; read only when a question needs them.
struct BlockMarks {
    private(set) var favourites: Set<ExchangeID> = []
    private(set) var notes: [ExchangeID: String] = [:]
    /// The sessions by the first exchange of each, ascending; at most those that begin in the block, and the one before.
    private(set) var sessions: [(first: ExchangeID, name: String?)] = []

    /// Reads the marks and sessions of a block's exchanges.
    init(of block: FacetBlock, in db: Database) throws {
        var mark = try RawStatement(
            "SELECT exchange, favourite, note FROM mark WHERE exchange >= ? AND exchange <= ?",
            on: db
        )
        defer { mark.reset() }
        mark.bind(block.firstID)
        mark.bind(block.through)
        while try mark.step() {
            let id = mark.integer() ?? 0
            if mark.integer() == 1 { favourites.insert(id) }
            notes[id] = mark.text()
        }
        var session = try RawStatement(
            """
            SELECT first, name FROM session
            WHERE first <= ? AND first >= (SELECT coalesce(max(first), 0) FROM session WHERE first <= ?) ORDER BY first
            """,
            on: db
        )
        defer { session.reset() }
        session.bind(block.through)
        session.bind(block.firstID)
        while try session.step() { sessions.append((session.integer() ?? 0, session.text())) }
    }
}
