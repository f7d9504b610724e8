import GRDB
import NIOCore
import Traffic

/// An exchange as its search block reads it: the columns that hold its texts, and a short body with them.
struct SearchedRow: Sendable {
    /// A side of it.
    struct Side: Sendable {
        let message: Message
        /// Where the body is kept; `nil` when nothing of it is.
        let body: BodyID?
        /// All kept bytes of the body, at most `BodyText.pieceBytes`; `nil` for a body that is read by itself, if it is.
        let bytes: ByteBuffer?
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
        "CASE substr(media_type, 1, 5) WHEN 'image' THEN 0 WHEN 'audio' THEN 0 WHEN 'video' THEN 0 WHEN 'font/' THEN 0 ELSE 1 END"

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
        line = SearchedRow.line(id, method, scheme, host, port, target, version, outcome)
        hasStream = row.integer() != nil
        request = Side(&row)
        response = Side(&row)
    }

    private static func line(
        _ id: ExchangeID,
        _ method: String,
        _ scheme: Scheme?,
        _ host: String,
        _ port: Int,
        _ target: String,
        _ version: HTTPVersion?,
        _ outcome: Outcome
    ) -> ExchangeSummary {
        ExchangeSummary(
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
    }

    /// Bytes that it holds in memory.
    var heldBytes: Int {
        let sides = [request, response].reduce(0) { $0 + ($1?.heldBytes ?? 0) }
        let texts = [line.method, line.host, line.target].reduce(0) { $0 + $1.utf8.count }
        return MemoryLayout<SearchedRow>.stride + texts + sides
    }

    /// An exchange that has ended, as it was written.
    ///
    /// - Parameters:
    ///   - exchange: the exchange.
    ///   - id: the number of its row.
    ///   - bodies: where its bodies are kept.
    ///   - tails: the last bytes of its bodies, which are most often all of them.
    init(
        _ exchange: Exchange,
        id: ExchangeID,
        bodies: (request: StoredBody, response: StoredBody),
        tails: (request: ByteBuffer, response: ByteBuffer)
    ) {
        line = SearchedRow.line(
            id,
            exchange.method,
            exchange.scheme,
            exchange.host,
            exchange.port,
            exchange.target,
            exchange.version,
            exchange.outcome
        )
        hasStream = exchange.messages.total > 0
        request = Side(exchange.request, bodies.request, tails.request)
        response = exchange.response.map { Side($0, bodies.response, tails.response) }
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
        bytes = row.withBlob { kept > 0 && $0.count == kept ? ByteBuffer(bytes: $0) : nil }
        guard let head else { return nil }
        message = Message(head: head, trailers: trailers, body: body)
    }

    fileprivate init(_ message: Message, _ stored: StoredBody, _ tail: ByteBuffer) {
        var body = Body(length: message.body.length, kept: stored.kept, sha256: [])
        body.archived = message.body.archived
        self.message = Message(head: message.head, trailers: message.trailers, body: body)
        self.body = stored.id
        let isWhole = stored.kept > 0 && stored.kept <= Int64(BodyText.pieceBytes)
        bytes = isWhole && Int64(tail.readableBytes) == stored.kept ? tail : nil
    }

    fileprivate var heldBytes: Int {
        message.head.storageCapacity + (message.trailers?.storageCapacity ?? 0) + (bytes?.storageCapacity ?? 0)
    }
}
