import Foundation
import GRDB
import NIOCore
import Traffic

extension ExchangeRow {
    /// Reads the row that a statement made from `summarySelection` stands on.
    static func summary(_ row: inout RawStatement) -> ExchangeSummary {
        let id = row.integer() ?? 0
        let started = row.integer(StoredNumber.moments) ?? 0
        let duration = row.integer(StoredNumber.amounts)
        let method = row.text() ?? ""
        let scheme = row.text().flatMap(Scheme.init(rawValue:))
        let host = row.text() ?? ""
        let port = Int(row.integer(StoredNumber.ports) ?? 0)
        let target = row.text() ?? ""
        let code = row.integer().map(Int.init)
        let mediaType = row.text()
        let requestBytes = row.integer(StoredNumber.amounts) ?? 0
        let responseBytes = row.integer(StoredNumber.amounts) ?? 0
        let version = row.text().flatMap(HTTPVersion.init(rawValue:))
        let upstreamVersion = row.text().flatMap(HTTPVersion.init(rawValue:))
        let clientName = row.text()
        let lens = row.text()
        let process = row.text()
        let outcome = row.text().flatMap(Outcome.init(rawValue:)) ?? .failed
        let failure = failure(&row)
        let replayOf = row.integer()
        let marks = MarkRow.marks(&row)
        var summary = ExchangeSummary(
            id: id,
            started: started,
            duration: duration,
            method: method,
            scheme: scheme,
            host: host,
            port: port,
            target: target,
            code: code,
            mediaType: mediaType,
            requestBytes: requestBytes,
            responseBytes: responseBytes,
            version: version,
            upstreamVersion: upstreamVersion,
            clientName: clientName,
            process: process,
            outcome: outcome,
            failure: failure,
            replayOf: replayOf
        )
        summary.lens = lens
        summary.marks = marks
        summary.session = row.text()
        summary.receive = row.integer(StoredNumber.amounts)
        summary.messages = messages(&row)
        summary.setRules(row.withBlob(StoredRules.uses) ?? [])
        return summary
    }

    /// Reads the row that a statement made from `measuredSelection` stands on: the line, and whether a body of it was not kept whole.
    ///
    /// The bytes of a WebSocket are kept as messages only, and count as whole.
    static func measured(_ row: inout RawStatement) -> (line: ExchangeSummary, isTruncated: Bool) {
        let line = summary(&row)
        func isTruncated(_ length: Int64) -> Bool {
            var body = Body(length: length, kept: row.integer(StoredNumber.amounts) ?? 0, sha256: [])
            body.archived = archived(row.text())
            return body.isTruncated
        }
        let (request, response) = (isTruncated(line.requestBytes), isTruncated(line.responseBytes))
        let hasResponse = row.integer() == 1
        return (line, line.version != .webSocket && (request || hasResponse && response))
    }

    private static func messages(_ row: inout RawStatement) -> MessageCounts {
        MessageCounts(
            request: row.integer(StoredNumber.amounts) ?? 0,
            response: row.integer(StoredNumber.amounts) ?? 0
        )
    }

    private static func failure(_ row: inout RawStatement) -> ExchangeFailure? {
        let side = row.text().flatMap(ExchangeFailure.Side.init(rawValue:))
        let phase = row.text().flatMap(ExchangeFailure.Phase.init(rawValue:))
        let cause = Cause(rawValue: row.text() ?? "")
        let message = row.text() ?? ""
        let retry = row.integer() == 1
        guard let side, let phase else { return nil }
        return ExchangeFailure(side: side, phase: phase, cause: cause, message: message, retry: retry)
    }

    /// Reads a whole exchange, without the bodies' bytes; `nil` when there is none of this id.
    static func exchange(_ id: ExchangeID, in db: Database) throws -> Exchange? {
        var row = try RawStatement(selection, on: db)
        defer { row.reset() }
        row.bind(id)
        guard try row.step() else { return nil }
        let line = summary(&row)
        let timeline = timeline(of: line, &row)
        let (client, upstream) = (row.integer(), row.integer())
        _ = row.integer()
        var requestBody = Body(length: line.requestBytes, kept: row.integer(StoredNumber.amounts) ?? 0, sha256: [])
        requestBody.sha256 = row.bytes()
        _ = row.integer()
        var responseBody = Body(length: line.responseBytes, kept: row.integer(StoredNumber.amounts) ?? 0, sha256: [])
        responseBody.sha256 = row.bytes()
        let warnings = row.text().flatMap { try? JSONDecoder().decode([String].self, from: Data($0.utf8)) } ?? []
        let request = Message(
            head: row.buffer() ?? ByteBuffer(),
            sentHead: row.buffer(),
            trailers: row.buffer(),
            body: requestBody
        )
        let (responseHead, responseSentHead, responseTrailers) = (row.buffer(), row.buffer(), row.buffer())

        var exchange = Exchange(
            timeline: timeline,
            method: line.method,
            scheme: line.scheme,
            host: line.host,
            port: line.port,
            target: line.target,
            request: request,
            client: try client.flatMap { try ConnectionRow.read($0, in: db) } ?? Peer(token: 0, address: "", tls: nil),
            outcome: line.outcome
        )
        exchange.id = line.id
        exchange.version = line.version
        exchange.upstreamVersion = line.upstreamVersion
        exchange.code = line.code
        exchange.mediaType = line.mediaType
        exchange.response = responseHead.map {
            Message(head: $0, sentHead: responseSentHead, trailers: responseTrailers, body: responseBody)
        }
        exchange.interim = row.buffer().map(separated) ?? []
        exchange.ownResponse = row.buffer()
        exchange.messages = messages(&row)
        exchange.stream = row.integer().map(Int.init)
        exchange.upstreamStream = row.integer().map(Int.init)
        // Each column is read, also where there is no response that would take it.
        let (requestArchived, responseArchived) = (archived(row.text()), archived(row.text()))
        let rules = row.withBlob(StoredRules.uses)
        exchange.request.body.archived = requestArchived
        exchange.response?.body.archived = responseArchived
        exchange.upstream = try upstream.flatMap { try ConnectionRow.read($0, in: db) }
        exchange.failure = line.failure
        exchange.rules = rules ?? []
        exchange.warnings = warnings + (rules == nil ? [StoredRules.unreadable] : [])
        exchange.replayOf = line.replayOf
        return exchange
    }

    /// The facts that an archive told of a body; `nil` for a body as it passed, and where the facts are none.
    static func archived(_ text: String?) -> ArchivedBody? {
        guard let text, let body = try? JSONDecoder().decode(ArchivedBody.self, from: Data(text.utf8)) else {
            return nil
        }
        return [body.size, body.kept].allSatisfy { StoredNumber.amounts.contains($0) } ? body : nil
    }

    /// Where an exchange's body is kept; `nil` when nothing of it is.
    static func body(of id: ExchangeID, _ side: MessageSide, in db: Database) throws -> BodyID? {
        var row = try RawStatement("SELECT \(side.rawValue)_body FROM exchange WHERE id = ?", on: db)
        defer { row.reset() }
        row.bind(id)
        return try row.step() ? row.integer() : nil
    }

    private static func timeline(of line: ExchangeSummary, _ row: inout RawStatement) -> Timeline {
        var timeline = Timeline(started: line.started)
        timeline.duration = line.duration
        timeline.blocked = row.integer(StoredNumber.amounts)
        timeline.dns = row.integer(StoredNumber.amounts)
        timeline.connect = row.integer(StoredNumber.amounts)
        timeline.tls = row.integer(StoredNumber.amounts)
        timeline.send = row.integer(StoredNumber.amounts)
        timeline.wait = row.integer(StoredNumber.amounts)
        timeline.receive = row.integer(StoredNumber.amounts)
        return timeline
    }

    /// Separates the heads that were written as one.
    private static func separated(_ all: ByteBuffer) -> [ByteBuffer] {
        var rest = all
        var heads: [ByteBuffer] = []
        while let count = rest.readInteger(as: UInt32.self), let head = rest.readSlice(length: Int(count)) {
            heads.append(head)
        }
        return heads
    }
}
