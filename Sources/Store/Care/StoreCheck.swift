import GRDB
import Traffic

/// A store looked through for damage: the file itself, blocks beside rows, rows beside bodies, and what refers to what.
package struct StoreCheck: Sendable, Equatable {
    /// Problems that are named; further ones are counted.
    private static let limit = 20

    /// What is wrong, one sentence each.
    package private(set) var problems: [String] = []
    /// Bodies that are kept, equal ones once.
    package private(set) var bodies = 0
    /// Their bytes.
    package private(set) var bodyBytes: Int64 = 0
    private var unnamed = 0

    /// Whether nothing is wrong.
    package var isSound: Bool { problems.isEmpty }

    init(problems: [String]) { self.problems = problems }

    /// Looks through a store within one snapshot.
    ///
    /// - Throws: what SQLite says of a file that it cannot read on; `CancellationError`.
    init(of db: Database) throws {
        try Task.checkCancellation()
        for line in try String.fetchAll(db, sql: "PRAGMA integrity_check(\(Self.limit))") where line != "ok" {
            add("the file: \(line)")
        }
        try checkReferences(in: db)
        try checkBodies(in: db)
        let lost =
            try Int.fetchOne(
                db,
                sql:
                    "SELECT count(*) FROM body_share WHERE NOT EXISTS (SELECT 1 FROM body_chunk WHERE body_chunk.id = body << \(BodyVault.sequenceBits))"
            ) ?? 0
        if lost > 0 { add("\(lost) bodies are counted and not there") }
        try checkBlocks(in: db)
        for problem in try SearchCheck.problems(in: db) { add(problem) }
        if unnamed > 0 { problems.append("and \(unnamed) more") }
    }

    private mutating func add(_ problem: String) {
        if problems.count < Self.limit { problems.append(problem) } else { unnamed += 1 }
    }

    // MARK: rows

    private mutating func checkReferences(in db: Database) throws {
        let questions = [
            (
                "open exchanges that are not open",
                "open_exchange WHERE NOT EXISTS (SELECT 1 FROM exchange WHERE exchange.id = open_exchange.id AND outcome = 'pending')"
            ),
            (
                "messages without their exchange",
                "message WHERE NOT EXISTS (SELECT 1 FROM exchange WHERE exchange.id = message.exchange)"
            ),
            (
                "marks without their exchange",
                "mark WHERE NOT EXISTS (SELECT 1 FROM exchange WHERE exchange.id = mark.exchange)"
            ),
            (
                "exchanges without their client's connection",
                "exchange WHERE NOT EXISTS (SELECT 1 FROM connection WHERE connection.id = exchange.client)"
            ),
            (
                "exchanges without their upstream's connection",
                "exchange WHERE upstream IS NOT NULL AND NOT EXISTS (SELECT 1 FROM connection WHERE connection.id = exchange.upstream)"
            ),
            (
                "connections without a certificate of theirs",
                "connection, json_each(connection.certificates) AS one WHERE NOT EXISTS (SELECT 1 FROM certificate WHERE certificate.id = one.value)"
            ),
            (
                "exchanges with an id beyond the last one given out",
                "exchange WHERE id > \(try TrafficStore.lastID(in: db))"
            ),
        ]
        for (what, rest) in questions {
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(rest)") ?? 0
            if count > 0 { add("\(count) \(what)") }
        }
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
    }

    /// Looks at each body in its pieces; how many belong to an ended message of their own.
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

    /// Bytes that the message a body was made for says it keeps of it; -1 while it is open, `nil` when it has another body or is gone.
    private static func ownKept(_ body: BodyID, _ owner: inout RawStatement) throws -> Int64? {
        owner.bind(body >> 1)
        defer { owner.reset() }
        guard try owner.step() else { return nil }
        if owner.integer() == 1 { return -1 }
        let sides = [(owner.integer(), owner.integer() ?? 0), (owner.integer(), owner.integer() ?? 0)]
        return sides.first { $0.0 == body }?.1
    }

    // MARK: blocks

    private mutating func checkBlocks(in db: Database) throws {
        for row in try FacetBlockRow.readAll(in: db) {
            try Task.checkCancellation()
            guard let block = try row.facets(in: db), let numbers = try row.numbers(in: db) else {
                add("block \(row.index) cannot be read")
                continue
            }
            let open = Set(block.open.map { block.firstID + ExchangeID($0) })
            let fresh = try FreshFacetBlock(index: row.index, through: block.through, leavingOpen: open, in: db)
            let hasLines = try fresh.lines.isWritten(row.index, exchanges: block.count, in: db)
            if fresh.facets != block || fresh.numbers != numbers || !hasLines {
                add("block \(row.index) is not what its exchanges say")
            }
        }
    }
}
