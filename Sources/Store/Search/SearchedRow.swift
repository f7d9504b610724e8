import GRDB
import Traffic

/// An exchange as its search block reads it: the columns that hold its texts, and a short body with them.
struct SearchedRow {
    /// A side of it.
    struct Side {
        let message: Message
        /// Where the body is kept; `nil` when nothing of it is.
        let body: BodyID?
        /// All kept bytes of the body, at most `BodyText.pieceBytes`; `nil` for a body that is read by itself, if it is.
        let bytes: [UInt8]?
    }

    /// Its line, as far as a search for text reads it.
    let line: ExchangeSummary
    let hasStream: Bool
    private let request: Side?
    private let response: Side?

    /// Reads exchanges between two ids, ascending.
    static let selection = """
        SELECT id, method, scheme, host, port, target, version, outcome, request_messages,
            \(columns(.request)), \(columns(.response)) FROM exchange WHERE id >= ? AND id <= ? ORDER BY id
        """

    /// Pictures and sounds have no text that is searched; those that are written in XML are read by themselves.
    private static let mayHaveText =
        "coalesce(substr(media_type, 1, 5), '') NOT IN ('image', 'audio', 'video', 'font/')"

    private static func columns(_ side: MessageSide) -> String {
        let name = side.rawValue
        return """
            \(name)_head, \(name)_trailers, \(name)_bytes, \(name)_kept, \(name)_archived, \(name)_body,
            CASE WHEN \(name)_kept <= \(BodyText.pieceBytes) AND \(name)_body BETWEEN 0 AND \(BodyVault.greatestBody)
                AND \(side == .request ? "1" : mayHaveText)
                THEN (SELECT bytes FROM body_chunk WHERE body_chunk.id = \(name)_body << \(BodyVault.sequenceBits)) END
            """
    }

    /// Reads the row that a statement made from `selection` stands on.
    init(_ row: inout RawStatement) {
        let id = row.integer() ?? 0
        let method = row.text() ?? ""
        let scheme = row.text().flatMap(Scheme.init(rawValue:))
        let host = row.text() ?? ""
        let port = Int(row.integer(StoredNumber.ports) ?? 0)
        let target = row.text() ?? ""
        let version = row.text().flatMap(HTTPVersion.init(rawValue:))
        let outcome = row.text().flatMap(Outcome.init(rawValue:)) ?? .failed
        line = ExchangeSummary(
            id: id,
            started: 0,
            duration: nil,
            method: method,
            scheme: scheme,
            host: host,
            port: port,
            target: target,
            code: nil,
            mediaType: nil,
            requestBytes: 0,
            responseBytes: 0,
            version: version,
            upstreamVersion: nil,
            outcome: outcome,
            failure: nil
        )
        hasStream = row.integer() != nil
        request = Side(&row)
        response = Side(&row)
    }

    /// A side; `nil` where there is no message.
    func message(_ side: MessageSide) -> Side? { side == .request ? request : response }
}

extension SearchedRow.Side {
    fileprivate init?(_ row: inout RawStatement) {
        let head = row.buffer()
        let trailers = row.buffer()
        let length = row.integer(StoredNumber.amounts) ?? 0
        let kept = row.integer(StoredNumber.amounts) ?? 0
        var body = Body(length: length, kept: kept, sha256: [])
        body.archived = ExchangeRow.archived(row.text())
        self.body = row.integer()
        bytes = row.withBlob { kept > 0 && $0.count == kept ? Array($0) : nil }
        guard let head else { return nil }
        message = Message(head: head, trailers: trailers, body: body)
    }
}
