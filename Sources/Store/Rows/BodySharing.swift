import GRDB
import Traffic

/// Counts how many messages share a body: rows of the table `body_share`, only for bodies that several messages have.
struct BodySharing {
    private var addition: RawStatement
    private var question: RawStatement
    private var reduction: RawStatement
    private var deletion: RawStatement

    init(_ db: Database) throws {
        addition = try RawStatement(
            "INSERT INTO body_share (body, others) VALUES (?, 1) ON CONFLICT (body) DO UPDATE SET others = others + 1",
            on: db
        )
        question = try RawStatement("SELECT others FROM body_share WHERE body = ?", on: db)
        reduction = try RawStatement("UPDATE body_share SET others = others - 1 WHERE body = ?", on: db)
        deletion = try RawStatement("DELETE FROM body_share WHERE body = ?", on: db)
    }

    /// Takes note that one more message has a body.
    mutating func add(_ body: BodyID) throws {
        addition.bind(body)
        try addition.run()
    }

    /// Takes note that one message fewer has a body; returns whether that was the last.
    mutating func release(_ body: BodyID) throws -> Bool {
        let others = try self.others(of: body)
        guard others > 0 else { return true }
        if others > 1 {
            reduction.bind(body)
            try reduction.run()
        } else {
            deletion.bind(body)
            try deletion.run()
        }
        return false
    }

    /// How many messages have a body beside the first.
    mutating func others(of body: BodyID) throws -> Int64 {
        question.bind(body)
        defer { question.reset() }
        return try question.step() ? question.integer(StoredNumber.amounts) ?? 0 : 0
    }
}
