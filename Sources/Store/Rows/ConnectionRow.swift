import Foundation
import GRDB
import Traffic

/// A connection of the proxy as rows: one in `connection`, one in `certificate` for each certificate not seen lately.
struct ConnectionRow {
    /// The rows that are remembered between batches, so that a connection and a certificate are written once.
    struct Memory: Sendable {
        /// The connections written last, by token.
        fileprivate var peers = RecentMap<UInt64, Written>(limit: 4096)
        /// The certificates written last, by their bytes.
        fileprivate var certificates = RecentMap<[UInt8], Int64>(limit: 1024)

        /// Forgets all rows, because they may have been rolled back.
        mutating func removeAll() {
            peers.removeAll()
            certificates.removeAll()
        }
    }

    /// A connection and its row.
    fileprivate struct Written: Sendable {
        var peer: Peer
        var row: Int64

        /// Whether the row describes this connection: a token alone does not, since a connection is known better after its handshake, and when its
        /// program was found.
        func isOf(_ other: Peer) -> Bool {
            peer === other
                || (peer.address == other.address && peer.tls == other.tls && peer.process == other.process
                    && peer.hello == other.hello && peer.runtime == other.runtime)
        }
    }

    private var connection: RawStatement
    private var certificate: RawStatement
    private let db: Database

    init(_ db: Database) throws {
        self.db = db
        connection = try RawStatement(
            """
            INSERT INTO connection (token, address, tls_version, server_name, application_protocol, certificates,
                tls_cipher, process, process_name, client_hello, client_runtime)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            on: db
        )
        certificate = try RawStatement("INSERT INTO certificate (der) VALUES (?)", on: db)
    }

    /// The row of a connection, written if it is not remembered.
    mutating func row(of peer: Peer, _ memory: inout Memory) throws -> Int64 {
        if let known = memory.peers[peer.token], known.isOf(peer) { return known.row }
        connection.bind(Int64(bitPattern: peer.token))
        connection.bind(peer.address)
        connection.bind(peer.tls?.version)
        connection.bind(peer.tls?.serverName)
        connection.bind(peer.tls?.applicationProtocol)
        connection.bind(try peer.tls.flatMap { try rows(of: $0.certificates, &memory) })
        connection.bind(peer.tls?.cipher)
        connection.bind(peer.process.flatMap { $0.id > 0 ? Int64($0.id) : nil })
        connection.bind(peer.process?.name)
        connection.bind(peer.hello)
        connection.bind(peer.runtime?.rawValue)
        try connection.run()
        let row = db.lastInsertedRowID
        try WritableNumbers.checkGiven(row, to: "a connection")
        memory.peers.insert(Written(peer: peer, row: row), for: peer.token)
        return row
    }

    /// The rows of a chain as a JSON list; `nil` for none.
    private mutating func rows(of chain: [[UInt8]], _ memory: inout Memory) throws -> String? {
        guard !chain.isEmpty else { return nil }
        var rows: [String] = []
        for der in chain {
            if let known = memory.certificates[der] {
                rows.append(String(known))
                continue
            }
            certificate.bind(bytes: der)
            try certificate.run()
            let row = db.lastInsertedRowID
            try WritableNumbers.checkGiven(row, to: "a certificate")
            memory.certificates.insert(row, for: der)
            rows.append(String(row))
        }
        return "[\(rows.joined(separator: ","))]"
    }

    /// Reads a connection; `nil` when there is none of this id.
    static func read(_ id: Int64, in db: Database) throws -> Peer? {
        var row = try RawStatement(
            """
            SELECT token, address, tls_version, server_name, application_protocol, certificates,
                tls_cipher, process, process_name, client_hello, client_runtime FROM connection WHERE id = ?
            """,
            on: db
        )
        defer { row.reset() }
        row.bind(id)
        guard try row.step() else { return nil }
        let token = UInt64(bitPattern: row.integer() ?? 0)
        let address = row.text() ?? ""
        let (version, serverName, applicationProtocol, list) = (row.text(), row.text(), row.text(), row.text())
        let (cipher, number, name, hello) = (row.text(), row.integer(), row.text(), row.text())
        let process = name.map { LocalProcess(id: Int32(clamping: number ?? 0), name: $0) }
        let runtime = row.text().flatMap(ClientRuntime.init(rawValue:))
        func peer(_ tls: Peer.TLS?) -> Peer {
            Peer(token: token, address: address, tls: tls, process: process, hello: hello, runtime: runtime)
        }
        guard let version else { return peer(nil) }
        let rows = list.flatMap { try? JSONDecoder().decode([Int64].self, from: Data($0.utf8)) } ?? []
        var tls = Peer.TLS(
            version: version,
            serverName: serverName,
            applicationProtocol: applicationProtocol,
            certificates: try rows.compactMap { try certificate($0, in: db) }
        )
        tls.cipher = cipher
        return peer(tls)
    }

    private static func certificate(_ id: Int64, in db: Database) throws -> [UInt8]? {
        var row = try RawStatement("SELECT der FROM certificate WHERE id = ?", on: db)
        defer { row.reset() }
        row.bind(id)
        return try row.step() ? row.bytes() : nil
    }
}
