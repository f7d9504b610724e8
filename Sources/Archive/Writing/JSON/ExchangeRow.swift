package import Traffic

/// One exchange of a listing's JSON, as scripts read it.
package struct ExchangeRow: Hashable, Sendable, Decodable {
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
    package var url: String
    package var requestBytes: Int64
    package var responseBytes: Int64
    package var `protocol`: String?
    package var upstreamProtocol: String?
    package var client: String?
    package var lens: String?
    package var process: String?
    package var outcome: Outcome
    package var failure: ExchangeFailure?
    package var favourite: Bool?
    package var tags: [String]?
    package var note: String?
    package var session: String?
    package var receiveMs: Double?
    package var messageCounts: MessageCounts?
    package var ruleNames: [String]?
    package var modified: Bool?

    /// Writes an exchange's object.
    package static func write(_ row: ExchangeSummary, to json: inout JSONWriter) {
        json.object { members(row, to: &$0) }
    }

    /// Writes the members in the contract's order; null is written, never left out.
    ///
    /// Only the members of rules are left out where no rule touched it.
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
        json.string("url", row.url)
        json.integer("requestBytes", row.requestBytes)
        json.integer("responseBytes", row.responseBytes)
        json.string("protocol", row.version?.rawValue)
        json.string("upstreamProtocol", row.upstreamVersion?.rawValue)
        json.string("client", row.clientName)
        json.string("lens", row.lens)
        json.string("process", row.process)
        json.string("outcome", row.outcome.rawValue)
        if let failure = row.failure {
            json.object("failure") { json in
                json.string("side", failure.side.rawValue)
                json.string("phase", failure.phase.rawValue)
                json.string("cause", failure.cause.rawValue)
                json.string("message", failure.message)
                json.boolean("retry", failure.retry)
            }
        } else {
            json.null("failure")
        }
        json.boolean("favourite", row.marks.isFavourite)
        json.array("tags") { json in for tag in row.marks.tags { json.string(nil, tag) } }
        json.string("note", row.marks.note)
        json.string("session", row.session)
        json.milliseconds("receiveMs", microseconds: row.receive)
        json.object("messageCounts") { json in
            json.integer("request", row.messages.request)
            json.integer("response", row.messages.response)
        }
        guard !row.rules.isEmpty else { return }
        json.array("ruleNames") { json in for name in row.rules { json.string(nil, name) } }
        json.boolean("modified", row.isModified)
    }
}
