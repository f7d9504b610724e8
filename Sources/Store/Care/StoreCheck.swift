import GRDB
import Traffic

/// What a look through a store for damage found: in the file itself, and between blocks, rows, bodies and the rows that they refer to.
package struct StoreCheck: Sendable, Equatable {
    /// How many problems are named; further problems are counted.
    private static let limit = 20
    /// Rows of a table that are held against others in one snapshot.
    private static let sliceRows: Int64 = 16_384

    /// What is wrong, one sentence each.
    package private(set) var problems: [String] = []
    /// Bodies that are kept; equal bodies count once.
    package private(set) var bodies = 0
    /// Their bytes.
    package private(set) var bodyBytes: Int64 = 0
    private var unnamed = 0

    /// Whether nothing is wrong.
    package var isSound: Bool { problems.isEmpty }

    init(problems: [String]) { self.problems = problems }

    /// Looks through a store, each part of it in a snapshot of its own.
    ///
    /// Each block and each slice of a table is read in a snapshot of its own, so that the log is not held for as long as the whole check takes. Two
    /// parts cannot be cut: SQLite's own check of the file, and bodies, since only all exchanges together say how many have a body in common.
    ///
    /// - Parameters:
    ///   - pool: the store.
    ///   - between: called where no snapshot is held.
    /// - Throws: what SQLite says of a file that it cannot read on; `CancellationError`; what `between` throws.
    init(in pool: DatabasePool, between: () throws -> Void = {}) throws {
        try Task.checkCancellation()
        try pool.read { db in
            try db.cancellable {
                for line in try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Self.limit))") where line != "ok" {
                    add("the file: \(line)")
                }
            }
        }
        try between()
        for question in Question.all { try check(question, in: pool, between) }
        try pool.read { db in try db.cancellable { try checkBodies(in: db) } }
        try between()
        try checkBlocks(in: pool, between)
        try SearchCheck.run(in: pool, between) { add($0) }
        if unnamed > 0 { problems.append("and \(unnamed) more") }
    }

    private mutating func add(_ problem: String) {
        if problems.count < Self.limit { problems.append(problem) } else { unnamed += 1 }
    }

    // MARK: rows

    /// Rows that should not be there.
    private struct Question {
        /// What they are.
        let what: String
        let table: String
        var key = "id"
        /// What the rows are joined with.
        var others = ""
        /// What is true of them.
        let condition: String

        static let all = [
            Question(
                what: "open exchanges that are not open",
                table: "open_exchange",
                condition:
                    "NOT EXISTS (SELECT 1 FROM exchange WHERE exchange.id = open_exchange.id AND outcome = 'pending')"
            ),
            Question(
                what: "messages without their exchange",
                table: "message",
                condition: "NOT EXISTS (SELECT 1 FROM exchange WHERE exchange.id = message.exchange)"
            ),
            Question(
                what: "marks without their exchange",
                table: "mark",
                key: "exchange",
                condition: "NOT EXISTS (SELECT 1 FROM exchange WHERE exchange.id = mark.exchange)"
            ),
            Question(
                what: "exchanges without their client's connection",
                table: "exchange",
                condition: "NOT EXISTS (SELECT 1 FROM connection WHERE connection.id = exchange.client)"
            ),
            Question(
                what: "exchanges without their upstream's connection",
                table: "exchange",
                condition:
                    "upstream IS NOT NULL AND NOT EXISTS (SELECT 1 FROM connection WHERE connection.id = exchange.upstream)"
            ),
            Question(
                what: "connections without a certificate of theirs",
                table: "connection",
                others: ", json_each(connection.certificates) AS one",
                condition: "NOT EXISTS (SELECT 1 FROM certificate WHERE certificate.id = one.value)"
            ),
            Question(
                what: "blocks with numbers that no block can have",
                table: "facet_block",
                condition: "layout = \(FacetBlock.layout) AND NOT (\(FacetBlockRow.soundness))"
            ),
            Question(
                what: "search blocks with a number that none can have",
                table: "search_block",
                condition: "layout = \(SearchBlock.layout) AND NOT (\(SearchBlock.soundness))"
            ),
            Question(
                what: "search groups with a number that none can have",
                table: "search_group",
                condition: "layout = \(SearchBlock.layout) AND NOT (\(SearchGroup.soundness))"
            ),
        ]
    }

    /// Counts the rows of one kind, a slice of their table in each snapshot.
    private mutating func check(_ question: Question, in pool: DatabasePool, _ between: () throws -> Void) throws {
        let key = "\(question.table).\(question.key)"
        // Rows that are written meanwhile are not looked at: else a faster writer would keep this from ending.
        let last: Int64 =
            try pool.read { try Int64.fetchOne($0, sql: "SELECT max(\(key)) FROM \(question.table)") } ?? .min
        var through = Int64.min
        var count = 0
        while through < last {
            let before = through
            let slice: (end: Int64, count: Int) = try pool.read { db in
                try db.cancellable { try Self.slice(of: question, key, after: before, in: db) }
            }
            through = slice.end
            count += slice.count
            try between()
        }
        if count > 0 { add("\(count) \(question.what)") }
    }

    /// The last row of the slice of a table after a row, and how many rows of the slice should not be there.
    private static func slice(
        of question: Question,
        _ key: String,
        after last: Int64,
        in db: Database
    ) throws -> (end: Int64, count: Int) {
        let rows = "SELECT \(key) AS id FROM \(question.table) WHERE \(key) > ? ORDER BY \(key) LIMIT ?"
        let end = try Int64.fetchOne(db, sql: "SELECT max(id) FROM (\(rows))", arguments: [last, sliceRows]) ?? .max
        let range = "\(key) > ? AND \(key) <= ?"
        let count = try Int.fetchOne(
            db,
            sql: "SELECT count(*) FROM \(question.table)\(question.others) WHERE \(range) AND \(question.condition)",
            arguments: [last, end]
        )
        return (end, count ?? 0)
    }

    // MARK: bodies

    /// What messages say of a body that is not their own.
    private struct Shared {
        var kept: Int64
        var count: Int64
    }

    private mutating func checkBodies(in db: Database) throws {
        var shared: [BodyID: Shared] = [:]
        var own = 0
        var row = try RawStatement(
            """
            SELECT id, request_body, request_kept, response_body, response_kept FROM exchange
            WHERE id NOT IN (SELECT id FROM open_exchange)
            """,
            on: db
        )
        defer { row.reset() }
        while try row.step() {
            let id = row.integer() ?? 0
            for side in MessageSide.allCases {
                let (body, kept) = (row.integer(), row.integer() ?? 0)
                if (body == nil) != (kept == 0) {
                    add(
                        "exchange \(id) keeps \(kept) bytes of its \(side.rawValue) and has \(body == nil ? "no" : "a") body"
                    )
                }
                guard let body else { continue }
                if body == BodyVault.body(of: id, side) {
                    own += 1
                } else {
                    shared[body, default: Shared(kept: kept, count: 0)].count += 1
                    if shared[body]?.kept != kept { add("exchange \(id) says \(kept) bytes of a body that has others") }
                }
            }
        }
        let found = try compareChunks(with: &shared, in: db)
        if found < own { add("\(own - found) bodies are missing") }
        for body in shared.keys { add("body \(body) is missing") }
        let lost =
            try Int.fetchOne(
                db,
                sql:
                    "SELECT count(*) FROM body_share WHERE NOT EXISTS (SELECT 1 FROM body_chunk WHERE body_chunk.id = body << \(BodyVault.sequenceBits))"
            ) ?? 0
        if lost > 0 { add("\(lost) bodies are counted and not there") }
    }

    /// Looks at each body in its pieces; returns how many belong to an ended message of their own.
    private mutating func compareChunks(with shared: inout [BodyID: Shared], in db: Database) throws -> Int {
        var own = 0
        var chunk = try RawStatement("SELECT id, length(bytes) FROM body_chunk ORDER BY id", on: db)
        defer { chunk.reset() }
        var owner = try RawStatement(
            """
            SELECT (SELECT 1 FROM open_exchange WHERE open_exchange.id = exchange.id), request_body, request_kept, response_body,
                response_kept FROM exchange WHERE id = ?
            """,
            on: db
        )
        var sharing = try BodySharing(db)
        var present: (body: BodyID, pieces: Int64, last: Int64, bytes: Int64)?
        while true {
            let piece = try chunk.step() ? (id: chunk.integer() ?? 0, bytes: chunk.integer() ?? 0) : nil
            let body = piece.map { $0.id >> BodyVault.sequenceBits }
            if let whole = present, whole.body != body {
                if whole.last != whole.pieces - 1 { add("body \(whole.body) lacks a piece") }
                let kept = try StoreCheck.ownKept(whole.body, &owner)
                let others = shared.removeValue(forKey: whole.body)
                own += kept.map { $0 >= 0 ? 1 : 0 } ?? 0
                let count = (others?.count ?? 0) + (kept.map { $0 >= 0 } == true ? 1 : 0)
                if kept == nil, others == nil { add("body \(whole.body) belongs to no exchange") }
                for said in [kept, others?.kept] {
                    guard let said, said >= 0, said != whole.bytes else { continue }
                    add("body \(whole.body) has \(whole.bytes) bytes where \(said) are said to be kept")
                }
                let counted = try sharing.others(of: whole.body) + 1
                if count > 0, counted != count {
                    add("body \(whole.body) is counted \(counted) times and had \(count) times")
                }
                bodies += 1
                bodyBytes += whole.bytes
                present = nil
            }
            guard let piece, let body else { return own }
            let number = piece.id & (1 << BodyVault.sequenceBits - 1)
            let before = present ?? (body, 0, 0, 0)
            present = (body, before.pieces + 1, number, before.bytes + piece.bytes)
        }
    }

    /// The bytes that a body's own message says it keeps; -1 while its exchange is open, `nil` when the message has another body or is gone.
    private static func ownKept(_ body: BodyID, _ owner: inout RawStatement) throws -> Int64? {
        owner.bind(body >> 1)
        defer { owner.reset() }
        guard try owner.step() else { return nil }
        if owner.integer() == 1 { return -1 }
        let sides = [(owner.integer(), owner.integer() ?? 0), (owner.integer(), owner.integer() ?? 0)]
        return sides.first { $0.0 == body }?.1
    }

    // MARK: blocks

    private mutating func checkBlocks(in pool: DatabasePool, _ between: () throws -> Void) throws {
        let indexes = try pool.read { db in try FacetBlockRow.readAll(in: db).map(\.index) }
        for index in indexes {
            try Task.checkCancellation()
            let problem = try pool.read { db in
                // The block may be gone, with all its exchanges.
                try db.cancellable { try FacetBlockRow.read(index, in: db)?.problem(in: db) }
            }
            if let problem { add(problem) }
            try between()
        }
    }
}

extension FacetBlockRow {
    /// What is wrong with the block, in a sentence; `nil` where it is what its exchanges say.
    fileprivate func problem(in db: Database) throws -> String? {
        guard let block = try facets(in: db), let numbers = try numbers(in: db) else {
            return "block \(index) cannot be read"
        }
        let open = Set(block.open.map { block.firstID + ExchangeID($0) })
        let fresh = try FreshFacetBlock(index: index, through: block.through, leavingOpen: open, in: db)
        let hasLines = try fresh.lines.isWritten(index, exchanges: block.count, in: db)
        let isSame = fresh.facets == block && fresh.numbers == numbers && hasLines
        return isSame ? nil : "block \(index) is not what its exchanges say"
    }
}
