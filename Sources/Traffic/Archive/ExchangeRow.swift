/// One exchange of a listing's JSON: what a script reads from `--json` and `--jsonl`.
package struct ExchangeRow: Hashable, Sendable, Codable {
    package var id: ExchangeID
    package var started: String
    package var durationMs: Double?
    package var method: String
    package var scheme: String?
    package var host: String
    package var port: Int
    package var target: String
    package var code: Int?
    package var type: String?
    package var requestBytes: Int64
    package var responseBytes: Int64
    package var `protocol`: String?
    package var upstreamProtocol: String?
    package var client: String?
    package var process: String?
    package var outcome: Outcome
    package var failure: ExchangeFailure?

    package init(_ summary: ExchangeSummary) {
        id = summary.id
        started = Timestamp.text(microseconds: summary.started)
        durationMs = summary.duration.map { Double($0) / 1000 }
        method = summary.method
        scheme = summary.scheme?.rawValue
        host = summary.host
        port = summary.port
        target = summary.target
        code = summary.code
        type = summary.mediaType
        requestBytes = summary.requestBytes
        responseBytes = summary.responseBytes
        `protocol` = summary.version?.rawValue
        upstreamProtocol = summary.upstreamVersion?.rawValue
        client = summary.clientName
        process = summary.process
        outcome = summary.outcome
        failure = summary.failure
    }

    /// Writes the members in the contract's order; null is written, never left out.
    static func members(_ row: ExchangeSummary, to json: inout JSONWriter) {
        json.integer("id", row.id)
        json.string("started", Timestamp.text(microseconds: row.started))
        json.milliseconds("durationMs", microseconds: row.duration)
        json.string("method", row.method)
        json.string("scheme", row.scheme?.rawValue)
        json.string("host", row.host)
        json.integer("port", row.port)
        json.string("target", row.target)
        json.integer("code", row.code)
        json.string("type", row.mediaType)
        json.integer("requestBytes", row.requestBytes)
        json.integer("responseBytes", row.responseBytes)
        json.string("protocol", row.version?.rawValue)
        json.string("upstreamProtocol", row.upstreamVersion?.rawValue)
        json.string("client", row.clientName)
        json.string("process", row.process)
        json.string("outcome", row.outcome.rawValue)
        guard let failure = row.failure else { return json.null("failure") }
        json.object("failure") { json in
            json.string("side", failure.side.rawValue)
            json.string("phase", failure.phase.rawValue)
            json.string("cause", failure.cause)
            json.string("message", failure.message)
            json.boolean("retry", failure.retry)
        }
    }
}
