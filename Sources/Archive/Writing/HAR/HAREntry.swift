import Traffic

/// One exchange as a HAR entry.
struct HAREntry {
    private let exchange: Exchange
    private let summary: ExchangeSummary

    init(_ record: ExchangeRecord) {
        exchange = record.exchange
        summary = record.summary
    }

    /// Reads once the bodies that the entry has.
    func contents(_ source: ArchiveSource) throws -> EntryContents {
        var sides: Set<MessageSide> = []
        if HARRequest.hasContent(exchange) { sides.insert(.request) }
        if HARResponse.isAnswered(exchange), !exchange.isWebSocket { sides.insert(.response) }
        return try EntryContents(exchange, sides: sides, repeatsRequest: true, source: source)
    }

    /// Writes the entry, handing bytes on while a body goes by; returns how many messages there was no room for.
    func write(
        _ contents: EntryContents,
        to json: inout JSONWriter,
        source: ArchiveSource,
        messages: MessageSource,
        handOn: (inout JSONWriter) throws -> Void
    ) throws -> Int64 {
        var leftOut: Int64 = 0
        try json.object { json in
            json.string("startedDateTime", Timestamp.text(microseconds: exchange.timeline.started))
            json.milliseconds("time", microseconds: HARTimings(exchange.timeline).total)
            try HARRequest(exchange, url: url).write(contents, to: &json, source: source, handOn: handOn)
            try HARResponse(exchange).write(contents, to: &json, source: source, handOn: handOn)
            json.object("cache") { _ in }
            HARTimings(exchange.timeline).write(to: &json)
            if let address = exchange.upstream.flatMap(HAREntry.bareAddress) { json.string("serverIPAddress", address) }
            if let upstream = exchange.upstream { json.string("connection", String(upstream.token)) }
            extensions(&json)
            HARExact(exchange, url: url).write(contents, to: &json)
            leftOut = try HARMessages(exchange).write(contents, to: &json, source: messages, handOn: handOn)
        }
        return leftOut
    }

    /// The URL without a fragment, with invalid characters escaped; where that changed it, `_target` holds the target as sent.
    private var url: String {
        guard exchange.scheme != nil, !exchange.host.isEmpty else {
            // Readers want a URL with a host in every entry.
            if exchange.host.isEmpty { return "http://unreadable.invalid/" }
            return "tcp://\(Endpoint.bracketed(exchange.host)):\(exchange.port)"
        }
        return PercentCoding.encoded(summary.url.utf8.prefix { $0 != UInt8(ascii: "#") }, keeping: .url)
    }

    private func extensions(_ json: inout JSONWriter) {
        json.integer("_id", exchange.id)
        if exchange.outcome != .completed { json.string("_outcome", exchange.outcome.rawValue) }
        if let failure = exchange.failure {
            json.object("_failure") { json in
                json.string("side", failure.side.rawValue)
                json.string("phase", failure.phase.rawValue)
                json.string("cause", failure.cause.rawValue)
                json.boolean("retry", failure.retry)
            }
        }
        if PercentCoding.encoded(exchange.target.utf8, keeping: .url) != exchange.target {
            json.string("_target", exchange.target)
        }
        if !exchange.client.address.isEmpty { json.string("_clientAddress", exchange.client.address) }
        if let client = summary.clientName { json.string("_client", client) }
        if let process = summary.process { json.string("_process", process) }
        if let original = exchange.replayOf { json.integer("_replayOf", original) }
        let marks = summary.marks
        if let note = marks.note {
            json.string("comment", note)
            json.string("_note", note)
        }
        if !marks.tags.isEmpty { json.array("_tags") { json in for tag in marks.tags { json.string(nil, tag) } } }
        if marks.isFavourite { json.boolean("_favourite", true) }
        if let session = summary.session { json.string("_session", session) }
        if !exchange.warnings.isEmpty {
            json.array("_warnings") { json in for warning in exchange.warnings { json.string(nil, warning) } }
        }
        RuleUse.write(exchange.rules, as: "_rules", to: &json)
    }

    /// The address of a connection without its port and brackets.
    private static func bareAddress(_ peer: Peer) -> String? {
        guard let colon = peer.address.lastIndex(of: ":") else { return nil }
        let host = peer.address[..<colon]
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
    }
}
