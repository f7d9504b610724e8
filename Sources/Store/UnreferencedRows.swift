import Foundation
import GRDB

/// Connections that no exchange refers to, and certificates that none of the other connections has.
struct UnreferencedRows {
    /// Rows of one transaction.
    private static let batchLimit = 2048

    /// Rows of one table to be deleted together.
    struct Batch {
        let table: String
        let ids: ArraySlice<Int64>

        /// Deletes them.
        func delete(in db: Database) throws {
            var row = try RawStatement("DELETE FROM \(table) WHERE id = ?", on: db)
            for id in ids {
                row.bind(id)
                try row.run()
            }
        }
    }

    private let connections: [Int64]
    private let certificates: [Int64]

    /// Looks through every exchange and every connection, up to rows beyond which nothing is deleted.
    init(upTo last: (connection: Int64, certificate: Int64), in db: Database) throws {
        var used = BitSet(last.connection)
        var exchange = try RawStatement("SELECT client, upstream FROM exchange", on: db)
        defer { exchange.reset() }
        while try exchange.step() {
            for _ in 0..<2 { exchange.integer().map { used.insert($0) } }
        }
        var unused: [Int64] = []
        var shown = BitSet(last.certificate)
        var connection = try RawStatement("SELECT id, certificates FROM connection", on: db)
        defer { connection.reset() }
        while try connection.step() {
            let (id, list) = (connection.integer() ?? 0, connection.text())
            if id <= last.connection, !used.contains(id) {
                unused.append(id)
            } else if let list, let ids = try? JSONDecoder().decode([Int64].self, from: Data(list.utf8)) {
                for id in ids { shown.insert(id) }
            }
        }
        connections = unused
        var hidden: [Int64] = []
        var certificate = try RawStatement("SELECT id FROM certificate WHERE id <= ?", on: db)
        defer { certificate.reset() }
        certificate.bind(last.certificate)
        while try certificate.step() {
            let id = certificate.integer() ?? 0
            if !shown.contains(id) { hidden.append(id) }
        }
        certificates = hidden
    }

    /// The greatest ids there are.
    static func last(in db: Database) throws -> (connection: Int64, certificate: Int64) {
        (
            try Int64.fetchOne(db, sql: "SELECT coalesce(max(id), 0) FROM connection") ?? 0,
            try Int64.fetchOne(db, sql: "SELECT coalesce(max(id), 0) FROM certificate") ?? 0
        )
    }

    /// What is to be deleted, in pieces.
    var batches: [Batch] {
        [("connection", connections), ("certificate", certificates)].flatMap { table, ids in
            stride(from: 0, to: ids.count, by: Self.batchLimit).map { start in
                Batch(table: table, ids: ids[start..<min(ids.count, start + Self.batchLimit)])
            }
        }
    }
}

/// Numbers from 1 up to a greatest, one bit each; greater ones are not kept.
private struct BitSet {
    private var words: [UInt64]
    private let last: Int64

    init(_ last: Int64) {
        self.last = max(0, last)
        words = Array(repeating: 0, count: Int(clamping: self.last >> 6) + 1)
    }

    mutating func insert(_ number: Int64) {
        guard number > 0, number <= last else { return }
        words[Int(number >> 6)] |= 1 << UInt64(number & 63)
    }

    func contains(_ number: Int64) -> Bool {
        number > 0 && number <= last && words[Int(number >> 6)] & 1 << UInt64(number & 63) != 0
    }
}
