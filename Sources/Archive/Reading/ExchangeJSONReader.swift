import NIOCore
import Traffic

/// Makes the record of an exchange from the JSON of an export.
struct ExchangeJSONReader {
    private let value: JSONValue
    private let digest: ([UInt8]) -> [UInt8]

    init(_ value: JSONValue, digest: @escaping ([UInt8]) -> [UInt8]) {
        self.value = value
        self.digest = digest
    }

    /// The exchange with its bodies and messages.
    ///
    /// - Throws: `ArchiveProblem` when it is no exchange of ours.
    func exchange() throws(ArchiveProblem) -> ImportedExchange {
        guard let started = started, let request = value["request"], request.isObject,
            let method = value["method"]?.string
        else {
            throw ArchiveProblem("is no exchange that inspect exported: it lacks its start, its method or its request")
        }
        var exchange = Exchange(
            timeline: timeline(started),
            method: method,
            scheme: value["scheme"]?.string.flatMap(Scheme.init),
            host: ArchiveFields.text(value["host"]),
            port: value["port"]?.integer.flatMap { (0...65_535).contains($0) ? Int($0) : nil } ?? 0,
            target: ArchiveFields.text(value["target"]),
            request: Message(head: ByteBuffer()),
            client: ExchangeJSONReader.peer(value["clientConnection"]) ?? Peer(token: 0, address: "", tls: nil),
            outcome: value["outcome"]?.string.flatMap(Outcome.init) ?? .completed
        )
        exchange.id = max(0, value["id"]?.integer ?? 0)
        exchange.version = value["protocol"]?.string.flatMap(HTTPVersion.init)
        exchange.upstreamVersion = value["upstreamProtocol"]?.string.flatMap(HTTPVersion.init)
        exchange.code = ArchiveFields.code(value["code"])
        exchange.mediaType = value["type"]?.string
        exchange.stream = ArchiveFields.stream(value["stream"])
        exchange.upstreamStream = ArchiveFields.stream(value["upstreamStream"])
        exchange.upstream = ExchangeJSONReader.peer(value["upstreamConnection"])
        exchange.replayOf = value["replayOf"]?.integer
        exchange.warnings = ArchiveFields.warnings(value["warnings"], leftOut: value["messagesLeftOut"])
        exchange.rules = ArchiveFields.rules(value["rules"])
        exchange.interim = (value["interim"]?.elements ?? []).compactMap { ArchiveFields.bytes("head", of: $0) }
        exchange.ownResponse = ArchiveFields.bytes("ownResponse", of: value)
        if let failure = value["failure"], failure.isObject {
            exchange.failure = ArchiveFields.failure(failure, message: ArchiveFields.text(failure["message"]))
        }
        exchange.messages = MessageCounts(
            request: ArchiveFields.length(value["messageCounts"]?["request"]) ?? 0,
            response: ArchiveFields.length(value["messageCounts"]?["response"]) ?? 0
        )
        var imported = ImportedExchange(exchange)
        imported.clientName = .some(value["client"]?.string)
        imported.marks = ExchangeMarks(value, prefix: "")
        imported.session = value["session"]?.string
        (imported.exchange.request, imported.requestBody) = message(request)
        if let response = value["response"], response.isObject {
            let (message, body) = message(response)
            (imported.exchange.response, imported.responseBody) = (message, body)
        }
        imported.messages = (value["messages"]?.elements ?? []).enumerated().compactMap { index, message in
            guard message.isObject else { return nil }
            return ExchangeJSONReader.message(message, number: Int64(index) + 1, started: started)
        }
        return imported
    }

    private var started: Int64? {
        value["startedMicroseconds"]?.integer ?? value["started"]?.string.flatMap(Timestamp.microseconds)
    }

    private func timeline(_ started: Int64) -> Timeline {
        var timeline = Timeline(started: started)
        timeline.duration = ArchiveFields.microseconds(value["durationMs"])
        let phases = value["timings"] ?? .null
        timeline.blocked = ArchiveFields.microseconds(phases["blockedMs"])
        timeline.dns = ArchiveFields.microseconds(phases["dnsMs"])
        timeline.connect = ArchiveFields.microseconds(phases["connectMs"])
        timeline.tls = ArchiveFields.microseconds(phases["tlsMs"])
        timeline.send = ArchiveFields.microseconds(phases["sendMs"])
        timeline.wait = ArchiveFields.microseconds(phases["waitMs"])
        timeline.receive = ArchiveFields.microseconds(phases["receiveMs"])
        return timeline
    }

    private static func peer(_ value: JSONValue?) -> Peer? {
        guard let value, value.isObject else { return nil }
        let tls = value["tls"].flatMap { tls -> Peer.TLS? in
            guard tls.isObject else { return nil }
            var read = Peer.TLS(
                version: ArchiveFields.text(tls["version"]),
                serverName: tls["serverName"]?.string,
                applicationProtocol: tls["alpn"]?.string,
                certificates: (tls["certificates"]?.elements ?? []).compactMap { $0.string.flatMap(PEM.certificate) }
            )
            read.cipher = tls["cipher"]?.string
            return read
        }
        return Peer(
            token: ArchiveFields.token(value["connection"]),
            address: ArchiveFields.text(value["address"]),
            tls: tls,
            process: ArchiveFields.process(value["process"]),
            hello: value["ja4"]?.string,
            runtime: value["looksLike"]?.string.flatMap(ClientRuntime.init(rawValue:))
        )
    }

    private func message(_ value: JSONValue) -> (Message, ByteBuffer) {
        var message = Message(
            head: ArchiveFields.bytes("head", of: value) ?? ByteBuffer(),
            sentHead: ArchiveFields.bytes("sentHead", of: value)
        )
        if let trailers = value["trailers"]?.elements {
            let fields = trailers.compactMap { pair -> HeaderList.Field? in
                guard let two = pair.elements, two.count == 2 else { return nil }
                return HeaderList.Field(name: ArchiveFields.text(two[0]), value: ArchiveFields.text(two[1]))
            }
            message.trailers = ArchiveFields.bytes("trailersText", of: value) ?? SynthesizedHead.lines(fields)
        }
        let body = value["body"] ?? .null
        let base64 = body["base64"]?.string.flatMap(Base64Decoder.bytes)
        let content = ArchivedContent(
            bytes: base64 ?? Array(ArchiveFields.text(body["text"]).utf8),
            isText: base64 == nil,
            size: ArchiveFields.length(body["decodedSize"]),
            wireSize: nil,
            problem: body["problem"]?.string,
            measure: ArchiveFields.measure(body)
        )
        let found = content.body(message.fields, digest: digest)
        message.body = found.body
        return (message, ByteBuffer(bytes: found.bytes))
    }

    private static func message(_ value: JSONValue, number: Int64, started: Int64) -> StreamMessage {
        let kind = value["kind"]?.string.flatMap(StreamMessage.Kind.init) ?? .webSocket
        let opcode = UInt8(clamping: value["opcode"]?.integer ?? 0)
        let status = value["status"]?.integer.flatMap { Int(exactly: $0) }
        let size = ArchiveFields.length(value["size"]) ?? 0
        var payload = value["base64"]?.string.flatMap(Base64Decoder.bytes)
        if payload == nil {
            let text = Array(ArchiveFields.text(value["text"]).utf8)
            // The text of a close frame comes after its code.
            let isClose = kind == .webSocket && opcode == WebSocketOpcode.close.rawValue
            let code = isClose && size >= 2 ? status.flatMap { UInt16(exactly: $0) } : nil
            payload = (code.map { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] } ?? []) + text
        }
        let offset = value["afterMs"]?.number.flatMap { Int64(exactly: ($0 * 1000).rounded()) }
        var message = StreamMessage(
            side: value["direction"]?.string == "send" ? .request : .response,
            time: offset.flatMap { $0.magnitude < 1 << 60 ? started + $0 : nil }
                ?? value["time"]?.string.flatMap(Timestamp.microseconds) ?? started,
            kind: kind,
            opcode: opcode,
            wireBytes: ArchiveFields.length(value["wireBytes"]) ?? size,
            size: max(size, Int64(payload?.count ?? 0)),
            payload: ByteBuffer(bytes: payload ?? [])
        )
        message.number = number
        message.isCompressed = value["compressed"]?.boolean ?? false
        message.status = status
        message.eventName = value["event"]?.string
        message.eventID = value["eventId"]?.string
        message.problem = value["problem"]?.string
        return message
    }
}
