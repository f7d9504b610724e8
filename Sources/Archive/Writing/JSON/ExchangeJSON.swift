import NIOCore
package import Traffic

/// Writes one exchange whole: the keys of a listing, then everything else that is recorded of it, bodies decoded.
package struct ExchangeJSON {
    private let exchange: Exchange
    private let summary: ExchangeSummary
    private let includesBodies: Bool
    private let remedyWords: TLSRemedy.Words?
    private let refusalWords: RefusalWords?
    private let isFailureImported: Bool

    /// Puts what helps against a failure other than a handshake's as a line for a shell; `nil` where nothing does.
    package typealias RefusalWords = @Sendable (ExchangeFailure) -> String?

    /// Prepares to write an exchange.
    ///
    /// - Parameters:
    ///   - record: the exchange.
    ///   - includesBodies: whether the bodies' decoded content is written, or only their measures.
    ///   - remedyWords: the words for what mends a failed handshake; `nil` writes no command.
    ///   - refusalWords: the words for what lifts a refusal; `nil` writes no remedy for one.
    ///   - isFailureImported: whether only an archive tells of the failure; it is then explained, without a command and without a host to pass through.
    package init(
        _ record: ExchangeRecord,
        includesBodies: Bool = true,
        remedyWords: TLSRemedy.Words?,
        refusalWords: RefusalWords? = nil,
        isFailureImported: Bool = false
    ) {
        exchange = record.exchange
        summary = record.summary
        self.includesBodies = includesBodies
        self.remedyWords = remedyWords
        self.refusalWords = refusalWords
        self.isFailureImported = isFailureImported
    }

    /// Writes the object, handing bytes on while a body goes by.
    ///
    /// - Parameters:
    ///   - contents: its bodies as `contents` reads them, cut to what is to be written; `nil` writes all of them.
    ///   - json: the writer.
    ///   - source: the bodies' bytes; asked for twice, piece by piece.
    ///   - messages: the messages of its stream; asked for page by page.
    ///   - handOn: may take bytes out of the writer.
    /// - Returns: how many messages `contents` had no room for.
    /// - Throws: what `source`, `messages` and `handOn` throw.
    @discardableResult
    package func write(
        _ contents: EntryContents? = nil,
        to json: inout JSONWriter,
        source: ArchiveSource,
        messages: MessageSource = { _, _ in [] },
        handOn: (inout JSONWriter) throws -> Void
    ) throws -> Int64 {
        var leftOut: Int64 = 0
        try json.object {
            leftOut = try members(contents, to: &$0, source: source, messages: messages, handOn: handOn)
        }
        return leftOut
    }

    /// Reads once the bodies that are written.
    ///
    /// - Throws: what `source` throws.
    package func contents(_ source: ArchiveSource) throws -> EntryContents {
        // The bytes of a WebSocket are frames: `messages` has them.
        let sides = includesBodies && !exchange.isWebSocket ? MessageSide.allCases : []
        return try EntryContents(exchange, sides: Set(sides), repeatsRequest: false, source: source)
    }

    /// Writes the members into an open object, which may get further members.
    ///
    /// - Returns: how many messages `contents` had no room for.
    /// - Throws: what `source`, `messages` and `handOn` throw.
    @discardableResult
    package func members(
        _ contents: EntryContents? = nil,
        to json: inout JSONWriter,
        source: ArchiveSource,
        messages: MessageSource = { _, _ in [] },
        handOn: (inout JSONWriter) throws -> Void
    ) throws -> Int64 {
        let contents = try contents ?? self.contents(source)
        ExchangeRow.members(summary, to: &json)
        remedy(&json)
        json.integer("startedMicroseconds", exchange.timeline.started)
        json.integer("replayOf", exchange.replayOf)
        json.integer("stream", exchange.stream.map(Int64.init))
        json.integer("upstreamStream", exchange.upstreamStream.map(Int64.init))
        json.array("warnings") { json in for warning in exchange.warnings { json.string(nil, warning) } }
        RuleUse.write(exchange.rules, as: "rules", to: &json)
        timings(&json)
        ExchangeJSON.write(exchange.client, as: "clientConnection", to: &json)
        ExchangeJSON.write(exchange.upstream, as: "upstreamConnection", to: &json)
        try write(.request, exchange.request, contents, to: &json, source, handOn)
        json.array("interim") { json in
            for head in exchange.interim { json.object { ExchangeJSON.head(head, to: &$0) } }
        }
        if let response = exchange.response {
            try write(.response, response, contents, to: &json, source, handOn)
        } else {
            json.null("response")
        }
        json.string("ownResponse", exchange.ownResponse.map { ByteText.passed($0) })
        json.exact("ownResponseBase64", exchange.ownResponse)
        guard includesBodies else { return 0 }
        var leftOut: Int64 = 0
        try json.array("messages") { json in
            let started = exchange.timeline.started
            leftOut = try MessageJSON.writeAll(
                of: exchange,
                from: messages,
                contents,
                to: &json,
                handOn: handOn
            ) { message, json in MessageJSON(message, started: started).write(to: &json) }
        }
        if leftOut > 0 { json.integer("messagesLeftOut", leftOut) }
        return leftOut
    }

    private func remedy(_ json: inout JSONWriter) {
        if let remedy = TLSRemedy(exchange) {
            (isFailureImported ? remedy.meaning : remedy).write("remedy", to: &json, words: remedyWords)
        } else if !isFailureImported, let failure = exchange.failure, let command = refusalWords?(failure) {
            json.object("remedy") { json in
                json.string("explanation", failure.message)
                json.string("command", command)
                json.null("passThrough")
            }
        } else {
            json.null("remedy")
        }
    }

    private func timings(_ json: inout JSONWriter) {
        let timeline = exchange.timeline
        json.object("timings") { json in
            json.milliseconds("blockedMs", microseconds: timeline.blocked)
            json.milliseconds("dnsMs", microseconds: timeline.dns)
            json.milliseconds("connectMs", microseconds: timeline.connect)
            json.milliseconds("tlsMs", microseconds: timeline.tls)
            json.milliseconds("sendMs", microseconds: timeline.send)
            json.milliseconds("waitMs", microseconds: timeline.wait)
            json.milliseconds("receiveMs", microseconds: timeline.receive)
        }
    }

    private static func write(_ peer: Peer?, as name: String, to json: inout JSONWriter) {
        guard let peer else { return json.null(name) }
        json.object(name) { json in
            json.integer("connection", peer.token)
            json.string("address", peer.address)
            peer.writeOrigin(to: &json)
            guard let tls = peer.tls else { return json.null("tls") }
            json.object("tls") { json in
                json.string("version", tls.version)
                json.string("cipher", tls.cipher)
                json.string("serverName", tls.serverName)
                json.string("alpn", tls.applicationProtocol)
                json.array("certificates") { json in
                    for der in tls.certificates { json.string(nil, PEM.text(der)) }
                }
            }
        }
    }

    private func write(
        _ side: MessageSide,
        _ message: Message,
        _ contents: EntryContents,
        to json: inout JSONWriter,
        _ source: ArchiveSource,
        _ handOn: (inout JSONWriter) throws -> Void
    ) throws {
        try json.object(side.rawValue) { json in
            ExchangeJSON.head(message.head, to: &json)
            json.string("sentHead", message.sentHead.map { ByteText.passed($0) })
            json.exact("sentHeadBase64", message.sentHead)
            if let trailers = message.trailers {
                let fields = HeaderList(trailers: trailers)
                ExchangeJSON.fields(fields, as: "trailers", to: &json)
                if SynthesizedHead.lines(fields) != trailers { json.bytes("trailersText", trailers) }
            } else {
                json.null("trailers")
            }
            try body(side, message, contents, to: &json, source, handOn)
        }
    }

    private func body(
        _ side: MessageSide,
        _ message: Message,
        _ contents: EntryContents,
        to json: inout JSONWriter,
        _ source: ArchiveSource,
        _ handOn: (inout JSONWriter) throws -> Void
    ) throws {
        try json.object("body") { json in
            json.integer("size", message.body.length)
            let kept = contents.keptOnWire(side, of: message)
            json.integer("kept", kept)
            json.boolean("truncated", kept < message.body.length && !exchange.isWebSocket)
            json.string("sha256", message.body.sha256.isEmpty ? nil : Hexadecimal.text(message.body.sha256))
            json.array("codings") { json in
                for name in ContentCoding.names(of: message.fields) { json.string(nil, name) }
            }
            guard let content = contents[side] else { return }
            try withoutActuallyEscaping(source) { source in
                let bytes: BodySource = { try source(exchange.id, side, $0, $1) }
                json.integer("decodedSize", content.length)
                json.string("problem", content.problem)
                if case .text(let charset) = content.form {
                    json.string("encoding", charset.rawValue)
                    json.openString("text")
                } else {
                    json.string("encoding", "base64")
                    json.openString("base64")
                }
                try content.write(to: &json, source: bytes, handOn: handOn)
                json.closeString()
            }
        }
    }

    private static func head(_ head: ByteBuffer, to json: inout JSONWriter) {
        fields(HeaderList(head: head), as: "fields", to: &json)
        json.string("head", ByteText.passed(head))
        json.exact("headBase64", head)
    }

    private static func fields(_ fields: HeaderList, as name: String, to json: inout JSONWriter) {
        json.array(name) { json in
            for field in fields {
                json.array { json in
                    json.string(nil, field.name)
                    json.string(nil, field.value)
                }
            }
        }
    }
}
