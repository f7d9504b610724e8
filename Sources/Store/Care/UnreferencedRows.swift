import Foundation
import GRDB

/// Connections that no exchange refers to, and certificates that none of the other connections has.
///
/// They are looked for a slice at a time, so that no long reading keeps the log from being moved into the file. The result holds although the store
/// changes between two slices: nothing new refers to rows that were there at the beginning.
struct UnreferencedRows {
    /// Rows of one transaction.
    private static let batchLimit = 2048
    /// Rows of one slice.
    private static let sliceRows: Int64 = 16_384

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

    /// Looks through every exchange, every connection and every certificate, up to rows beyond which nothing is deleted.
    ///
    /// - Parameters:
    ///   - last: the greatest ids when the writer forgot the rows that it remembers.
    ///   - pool: where; each slice is read in a snapshot of its own.
    /// - Throws: what SQLite says.
    init(upTo last: (connection: Int64, certificate: Int64), in pool: DatabasePool) throws {
        var used = BitSet(last.connection)
        try UnreferencedRows.eachRow(of: .exchanges, in: pool) { row in
            for connection in row.references { used.insert(connection) }
        }
        var shown = BitSet(last.certificate)
        var (connections, certificates): ([Int64], [Int64]) = ([], [])
        try UnreferencedRows.eachRow(of: .connections, in: pool) { row in
            if row.id <= last.connection, !used.contains(row.id) {
                connections.append(row.id)
            } else {
                for certificate in row.references { shown.insert(certificate) }
            }
        }
        try UnreferencedRows.eachRow(of: .certificates, in: pool) { row in
            if row.id <= last.certificate, !shown.contains(row.id) { certificates.append(row.id) }
        }
        (self.connections, self.certificates) = (connections, certificates)
    }

    /// The greatest ids there are.
    static func last(in db: Database) throws -> (connection: Int64, certificate: Int64) {
        (
            try Int64.fetchOne(db, sql: "SELECT coalesce(max(id), 0) FROM connection") ?? 0,
            try Int64.fetchOne(db, sql: "SELECT coalesce(max(id), 0) FROM certificate") ?? 0
        )
    }

    /// The rows to be deleted, a batch for each transaction.
    var batches: [Batch] {
        [("connection", connections), ("certificate", certificates)].flatMap { table, ids in
            stride(from: 0, to: ids.count, by: Self.batchLimit).map { start in
                Batch(table: table, ids: ids[start..<min(ids.count, start + Self.batchLimit)])
            }
        }
    }

    // MARK: slices

    /// What is looked through.
    private enum Kind: Sendable {
        case exchanges, connections, certificates

        /// The id, then the rows that it refers to.
        var columns: String {
            switch self {
            case .exchanges: "id, client, upstream FROM exchange"
            case .connections: "id, certificates FROM connection"
            case .certificates: "id FROM certificate"
            }
        }

        func references(_ row: inout RawStatement) -> [Int64] {
            switch self {
            case .exchanges: [row.integer(), row.integer()].compactMap(\.self)
            case .connections:
                row.text().flatMap { try? JSONDecoder().decode([Int64].self, from: Data($0.utf8)) } ?? []
            case .certificates: []
            }
        }
    }

    /// A row with the rows that it refers to.
    private struct Row: Sendable {
        var id: Int64
        var references: [Int64]
    }

    private static func eachRow(of kind: Kind, in pool: DatabasePool, _ give: (Row) -> Void) throws {
        var last: Int64 = 0
        while true {
            let after = last
            let slice = try pool.read { db in
                var slice: [Row] = []
                var row = try RawStatement("SELECT \(kind.columns) WHERE id > ? ORDER BY id LIMIT ?", on: db)
                defer { row.reset() }
                row.bind(after)
                row.bind(sliceRows)
                while try row.step() {
                    slice.append(Row(id: row.integer() ?? 0, references: kind.references(&row)))
                }
                return slice
            }
            for row in slice { give(row) }
            guard let end = slice.last?.id, end > last else { return }
            last = end
        }
    }
}

/// Numbers from 1 up to a greatest, one bit each; greater ones are not kept.
///
/// The memory follows how many there are, not how great they are.
private struct BitSet {
    /// 64 numbers each, by the least of them divided by 64; words without a number are left out.
    private var words: [Int64: UInt64] = [:]
    private let last: Int64

    init(_ last: Int64) { self.last = last }

    mutating func insert(_ number: Int64) {
        guard number > 0, number <= last else { return }
        words[number >> 6, default: 0] |= 1 << UInt64(number & 63)
    }

    func contains(_ number: Int64) -> Bool {
        number > 0 && number <= last && words[number >> 6, default: 0] & 1 << UInt64(number & 63) != 0
    }
}
