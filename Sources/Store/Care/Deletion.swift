import GRDB
import Traffic

/// The deletion of exchanges within one transaction: of their rows, messages and marks, and of bodies that no other message has.
///
/// The exchanges are of one block, which is written anew at the end, so that no count is wrong for a moment.
struct Deletion {
    /// Exchanges of one transaction, so that recording never waits long.
    static let limit = 1024
    /// Bytes of bodies after which a transaction ends.
    private static let limitBytes: Int64 = 16 << 20
    /// Messages of one transaction at most: an exchange that has more loses them in several transactions, and stays until the last.
    static let limitMessages: Int64 = 8192

    /// What became of the exchanges.
    struct Outcome {
        /// How many of the ids were looked at; the rest is for the next transaction.
        var taken = 0
        /// Whether the exchange after them lost messages and has more.
        fileprivate(set) var isBegun = false
        var deleted = 0
        /// How many are open and stay.
        var open = 0
        /// Bodies whose bytes are gone.
        fileprivate(set) var bodies: Set<BodyID> = []
    }

    private let db: Database
    private var question: RawStatement
    private var vault: BodyVault
    private var statements: [RawStatement]
    private var messages: RawStatement
    private var lastMessage: RawStatement
    /// Messages that this transaction may delete yet.
    private var messagesLeft = Deletion.limitMessages

    init(_ db: Database) throws {
        self.db = db
        question = try RawStatement(
            """
            SELECT (SELECT 1 FROM open_exchange WHERE open_exchange.id = exchange.id), request_body, request_kept, response_body,
                response_kept FROM exchange WHERE id = ?
            """,
            on: db
        )
        vault = try BodyVault(db, limitBytes: 0)
        statements = [
            try RawStatement("DELETE FROM mark WHERE exchange = ?", on: db),
            try RawStatement("DELETE FROM exchange WHERE id = ?", on: db),
        ]
        messages = try MessageRow.deletion(on: db)
        lastMessage = try MessageRow.last(on: db)
    }

    /// Deletes the first of these exchanges, ascending by id, and takes their bodies out of the writer's memory.
    static func run(_ ids: ArraySlice<ExchangeID>, in db: Database, _ memory: inout WriterMemory) throws -> Outcome {
        guard let first = ids.first else { return Outcome() }
        var deletion = try Deletion(db)
        let outcome = try deletion.delete(ids, lastOf: FacetBlock.index(of: first))
        let touched = ids.prefix(outcome.taken + (outcome.isBegun ? 1 : 0))
        guard outcome.deleted > 0 || outcome.isBegun else { return outcome }
        try FreshSearchBlock.remove(Set(touched.map(SearchBlock.index)), in: db)
        guard outcome.deleted > 0 else { return outcome }
        var sequence = try RawStatement(
            "INSERT INTO sequence (id, last) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET last = max(last, excluded.last)",
            on: db
        )
        sequence.bind(memory.nextID - 1)
        try sequence.run()
        try FreshFacetBlock.rewrite([FacetBlock.index(of: first)], in: db)
        memory.bodies.removeAll { outcome.bodies.contains($0) }
        return outcome
    }

    private mutating func delete(_ ids: ArraySlice<ExchangeID>, lastOf block: Int64) throws -> Outcome {
        var outcome = Outcome()
        var bytes: Int64 = 0
        for id in ids.prefix(Deletion.limit) where FacetBlock.index(of: id) == block && bytes < Deletion.limitBytes {
            guard try deleteMessages(of: id) else {
                outcome.isBegun = true
                break
            }
            outcome.taken += 1
            switch try delete(id, &outcome.bodies) {
            case .some(let size):
                bytes += size
                outcome.deleted += 1
            case .none: if try isOpen(id) { outcome.open += 1 }
            }
        }
        return outcome
    }

    /// Deletes the last messages of an exchange that is not open, as many as this transaction may; returns whether none is left.
    private mutating func deleteMessages(of id: ExchangeID) throws -> Bool {
        guard let bounds = MessageRow.bounds(of: id), try !isOpen(id) else { return true }
        lastMessage.bind(bounds.lowerBound)
        lastMessage.bind(bounds.upperBound)
        defer { lastMessage.reset() }
        guard try lastMessage.step(), let last = lastMessage.integer() else { return true }
        lastMessage.reset()
        // The messages of an exchange are numbered without holes.
        let count = min(last - bounds.lowerBound, messagesLeft)
        messagesLeft -= count
        messages.bind(last - count)
        messages.bind(bounds.upperBound)
        try messages.run()
        return last - count == bounds.lowerBound
    }

    /// Deletes one exchange, whose messages are gone; returns the bytes of its bodies, `nil` when it is open or not there.
    private mutating func delete(_ id: ExchangeID, _ gone: inout Set<BodyID>) throws -> Int64? {
        question.bind(id)
        guard try question.step(), question.integer() == nil else {
            question.reset()
            return nil
        }
        let bodies = (0..<2).map { _ in (question.integer(), question.integer(StoredNumber.amounts) ?? 0) }
        question.reset()
        for case (let body?, _) in bodies where try vault.release(body) { gone.insert(body) }
        for index in statements.indices {
            statements[index].bind(id)
            try statements[index].run()
        }
        return bodies.reduce(0) { $0 + $1.1 }
    }

    private mutating func isOpen(_ id: ExchangeID) throws -> Bool {
        question.bind(id)
        defer { question.reset() }
        guard try question.step() else { return false }
        return question.integer() != nil
    }
}
