import Foundation
import NIOCore
import Traffic

extension ExchangeRow {
    /// The rows that an exchange's row refers to.
    struct References {
        /// The client's connection.
        var client: Int64
        /// The upstream's connection, where an upstream was reached.
        var upstream: Int64?
        /// Where the bodies are.
        var request: StoredBody
        var response: StoredBody
        /// The app that sent it and the lens that reads it, where they are known.
        var classification: ExchangeClass
    }

    /// Writes an exchange under an id, with a statement made from `insertion`.
    ///
    /// The `warnings` are sentences of the store's own, kept beside the exchange's.
    static func write(
        _ exchange: Exchange,
        id: ExchangeID,
        references: References,
        warnings: [String],
        with row: inout RawStatement
    ) throws {
        writeSummary(exchange, id: id, classification: references.classification, to: &row)
        let timeline = exchange.timeline
        row.bind(timeline.blocked)
        row.bind(timeline.dns)
        row.bind(timeline.connect)
        row.bind(timeline.tls)
        row.bind(timeline.send)
        row.bind(timeline.wait)
        row.bind(timeline.receive)
        row.bind(references.client)
        row.bind(references.upstream)
        row.bind(references.request.id)
        row.bind(references.request.kept)
        row.bind(bytes: exchange.request.body.sha256)
        row.bind(references.response.id)
        row.bind(references.response.kept)
        row.bind(bytes: exchange.response?.body.sha256 ?? [])
        let rules = StoredRules.kept(of: exchange.rules)
        row.bind(text(of: exchange.warnings + warnings + StoredRules.warnings(of: exchange.rules, kept: rules.count)))
        row.bind(exchange.request.head)
        row.bind(exchange.request.sentHead)
        row.bind(exchange.request.trailers)
        row.bind(exchange.response?.head)
        row.bind(exchange.response?.sentHead)
        row.bind(exchange.response?.trailers)
        row.bind(exchange.interim.isEmpty ? nil : joined(exchange.interim))
        row.bind(exchange.ownResponse)
        let messages = exchange.messages
        row.bind(messages.total > 0 ? messages.request : nil)
        row.bind(messages.total > 0 ? messages.response : nil)
        row.bind(exchange.stream.map(Int64.init))
        row.bind(exchange.upstreamStream.map(Int64.init))
        row.bind(exchange.request.body.archived.flatMap(text))
        row.bind(exchange.response?.body.archived.flatMap(text))
        row.bind(StoredRules.text(of: rules))
        try row.run()
    }

    private static func writeSummary(
        _ exchange: Exchange,
        id: ExchangeID,
        classification: ExchangeClass,
        to row: inout RawStatement
    ) {
        row.bind(id)
        row.bind(exchange.timeline.started)
        row.bind(exchange.timeline.duration)
        row.bind(exchange.method)
        row.bind(exchange.scheme?.rawValue)
        row.bind(exchange.host)
        row.bind(Int64(exchange.port))
        row.bind(exchange.target)
        row.bind(exchange.code.map(Int64.init))
        row.bind(exchange.mediaType)
        row.bind(exchange.request.body.length)
        row.bind(exchange.response?.body.length ?? 0)
        row.bind(exchange.version?.rawValue)
        row.bind(exchange.upstreamVersion?.rawValue)
        row.bind(classification.client)
        row.bind(classification.lens)
        row.bind(exchange.client.process?.name)
        row.bind(exchange.outcome.rawValue)
        let failure = exchange.failure
        row.bind(failure?.side.rawValue)
        row.bind(failure?.phase.rawValue)
        row.bind(failure?.cause.rawValue)
        row.bind(failure?.message)
        row.bind(failure.map { $0.retry ? 1 : 0 })
        row.bind(exchange.replayOf)
    }

    /// Sentences as a JSON list; `nil` where there are none.
    private static func text(of sentences: [String]) -> String? {
        guard !sentences.isEmpty, let json = try? JSONEncoder().encode(sentences) else { return nil }
        return String(decoding: json, as: UTF8.self)
    }

    /// The facts that an archive tells of a body, as JSON.
    private static func text(of archived: ArchivedBody) -> String? {
        (try? JSONEncoder().encode(archived)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Heads one after the other, each after its length in four bytes.
    private static func joined(_ heads: [ByteBuffer]) -> ByteBuffer {
        var all = ByteBuffer()
        for head in heads {
            all.writeInteger(UInt32(clamping: head.readableBytes))
            all.writeImmutableBuffer(head)
        }
        return all
    }
}
