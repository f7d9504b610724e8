import NIOCore
import Traffic

/// Makes the record of a repaired HAR entry: where `_inspect` is there exactly the exported one, else the likeliest.
struct HAREntryReader {
    private let entry: JSONValue
    /// The member that our own export writes.
    private let own: JSONValue?
    private let digest: ([UInt8]) -> [UInt8]

    /// - Parameters:
    ///   - entry: an entry as `HARMender` leaves it.
    ///   - digest: SHA-256.
    init(_ entry: JSONValue, digest: @escaping ([UInt8]) -> [UInt8]) {
        self.entry = entry
        own = entry["_inspect"].flatMap { $0.isObject ? $0 : nil }
        self.digest = digest
    }

    /// The exchange with its bodies and messages.
    func exchange() -> ImportedExchange {
        let request = entry["request"] ?? .null
        let response = entry["response"] ?? .null
        let address = address(request["url"]?.string ?? "")
        let isStream = entry["_webSocketMessages"] != nil && response["status"]?.integer == 101
        let version = version(request["httpVersion"], "version") ?? (isStream ? .webSocket : nil)
        let peer = peer("client", address: ArchiveFields.text(entry["_clientAddress"]))
        var exchange = Exchange(
            timeline: timeline,
            method: request["method"]?.string ?? "",
            scheme: isStream ? ArchiveFields.streaming(address.scheme) : address.scheme,
            host: address.host,
            port: address.port,
            target: address.target,
            request: Message(head: ByteBuffer()),
            client: peer ?? Peer(token: 0, address: "", tls: nil),
            outcome: entry["_outcome"]?.string.flatMap(Outcome.init) ?? .completed
        )
        exchange.version = version
        exchange.upstreamVersion =
            own == nil ? self.version(response["httpVersion"], "") : ownVersion("upstreamVersion")
        exchange.stream = ArchiveFields.stream(own?["stream"])
        exchange.upstreamStream = ArchiveFields.stream(own?["upstreamStream"])
        exchange.upstream = upstream(port: address.port)
        if own != nil {
            exchange.id = max(0, entry["_id"]?.integer ?? 0)
            exchange.replayOf = entry["_replayOf"]?.integer
            exchange.warnings = ArchiveFields.warnings(entry["_warnings"], leftOut: entry["_messagesLeftOut"])
            exchange.rules = ArchiveFields.rules(entry["_rules"])
            exchange.ownResponse = own.flatMap { ArchiveFields.bytes("ownResponse", of: $0) }
        }
        var imported = ImportedExchange(exchange)
        if own != nil {
            imported.clientName = .some(entry["_client"]?.string)
            imported.marks = ExchangeMarks(entry, prefix: "_")
            imported.session = entry["_session"]?.string
        }
        imported.exchange.mediaType = own?["type"]?.string
        readRequest(request, into: &imported)
        readResponse(response, into: &imported)
        readFailure(response, into: &imported)
        HARMessageReader(entry).read(into: &imported)
        return imported
    }

    // MARK: parts

    private func address(_ url: String) -> ArchiveURL {
        var address = ArchiveURL(url)
        if own == nil { return address }
        // The target is what was sent, which a URL may not be able to hold.
        if let target = entry["_target"]?.string { address.target = target }
        guard let exact = own?["address"], exact.isObject else { return address }
        address.scheme = exact["scheme"]?.string.flatMap(Scheme.init)
        address.host = ArchiveFields.text(exact["host"])
        address.port = exact["port"]?.integer.flatMap { (0...65_535).contains($0) ? Int($0) : nil } ?? 0
        address.target = ArchiveFields.text(exact["target"])
        return address
    }

    private func version(_ value: JSONValue?, _ name: String) -> HTTPVersion? {
        if own != nil, !name.isEmpty { return ownVersion(name) }
        return switch value?.string?.lowercased() {
        case "http/1.0": .http10
        case "http/1.1": .http11
        case "http/2", "http/2.0", "h2": .http2
        case "http/3", "http/3.0", "h3": .http3
        case "websocket": .webSocket
        default: nil
        }
    }

    private func ownVersion(_ name: String) -> HTTPVersion? { own?[name]?.string.flatMap(HTTPVersion.init) }

    private var timeline: Timeline {
        let started = entry["startedDateTime"]?.string.flatMap(Timestamp.microseconds) ?? 0
        guard let own else { return foreignTimeline(started) }
        var timeline = Timeline(started: own["started"]?.integer ?? started)
        timeline.duration = ArchiveFields.exactMicroseconds(own["duration"])
        let phases = own["timings"] ?? .null
        timeline.blocked = ArchiveFields.exactMicroseconds(phases["blocked"])
        timeline.dns = ArchiveFields.exactMicroseconds(phases["dns"])
        timeline.connect = ArchiveFields.exactMicroseconds(phases["connect"])
        timeline.tls = ArchiveFields.exactMicroseconds(phases["tls"])
        timeline.send = ArchiveFields.exactMicroseconds(phases["send"])
        timeline.wait = ArchiveFields.exactMicroseconds(phases["wait"])
        timeline.receive = ArchiveFields.exactMicroseconds(phases["receive"])
        return timeline
    }

    private func foreignTimeline(_ started: Int64) -> Timeline {
        var timeline = Timeline(started: started)
        let phases = entry["timings"] ?? .null
        func phase(_ name: String) -> Int64? { ArchiveFields.microseconds(phases[name]) }
        timeline.blocked = phase("blocked")
        timeline.dns = phase("dns")
        timeline.tls = phase("ssl")
        // TLS is part of connect; some programs write it beside.
        timeline.connect = phase("connect").map { connect in
            let tls = timeline.tls ?? 0
            return connect >= tls ? connect - tls : connect
        }
        timeline.send = phase("send")
        timeline.wait = phase("wait")
        timeline.receive = phase("receive")
        timeline.duration = ArchiveFields.microseconds(entry["time"])
        return timeline
    }

    private func peer(_ name: String, address: String) -> Peer? {
        guard let own = own?[name], own.isObject else {
            return address.isEmpty ? nil : Peer(token: 0, address: address, tls: nil)
        }
        let tls = own["tls"].flatMap { tls -> Peer.TLS? in
            guard tls.isObject else { return nil }
            var read = Peer.TLS(
                version: ArchiveFields.text(tls["version"]),
                serverName: tls["serverName"]?.string,
                applicationProtocol: tls["alpn"]?.string
            )
            read.cipher = tls["cipher"]?.string
            return read
        }
        return Peer(
            token: ArchiveFields.text(own["connection"]).isEmpty ? 0 : ArchiveFields.token(own["connection"]),
            address: ArchiveFields.text(own["address"]),
            tls: tls,
            process: ArchiveFields.process(own["process"]),
            hello: own["ja4"]?.string,
            runtime: own["looksLike"]?.string.flatMap(ClientRuntime.init(rawValue:))
        )
    }

    private func upstream(port: Int) -> Peer? {
        if own != nil { return peer("upstream", address: "") }
        let address = entry["serverIPAddress"]?.string
        guard address != nil || entry["connection"] != nil else { return nil }
        return Peer(
            token: ArchiveFields.token(entry["connection"]),
            address: address.map { "\(Endpoint.bracketed($0)):\(port)" } ?? "",
            tls: nil
        )
    }

    private func readRequest(_ request: JSONValue, into imported: inout ImportedExchange) {
        let exchange = imported.exchange
        var fields = ArchiveFields.fields(request["headers"])
        ArchiveFields.hoistAuthority(&fields)
        let exact = own?["request"]
        var message = Message(
            head: ArchiveFields.head(
                exact,
                fields,
                SynthesizedHead.request(exchange.method, exchange.target, exchange.version, fields)
            )
        )
        ArchiveFields.complete(&message, exact, trailers: request["_trailers"])
        let posted = request["_content"].flatMap { $0["text"] == nil ? nil : $0 } ?? request["postData"] ?? .null
        let encoding = posted["encoding"] ?? posted["_encoding"]
        let isBase64 = encoding?.string?.lowercased() == "base64" || posted["comment"]?.string == "base64"
        let text = posted["text"]?.string ?? ""
        let decoded = isBase64 ? Base64Decoder.bytes(text) : nil
        let content = ArchivedContent(
            bytes: decoded ?? Array(text.utf8),
            isText: decoded == nil,
            size: nil,
            wireSize: ArchiveFields.length(request["bodySize"]),
            problem: own == nil ? nil : request["postData"]?["comment"]?.string,
            measure: ArchiveFields.measure(exact)
        )
        let found = content.body(message.fields, digest: digest)
        message.body = found.body
        imported.requestBody = ByteBuffer(bytes: found.bytes)
        imported.exchange.request = message
    }

    private func readResponse(_ response: JSONValue, into imported: inout ImportedExchange) {
        let exact = own?["response"]
        let status = ArchiveFields.code(response["status"])
        guard own == nil ? status != nil : exact != nil else { return }
        let fields = ArchiveFields.fields(response["headers"])
        let version = imported.exchange.upstreamVersion ?? imported.exchange.version
        var message = Message(
            head: ArchiveFields.head(
                exact,
                fields,
                SynthesizedHead.response(
                    version,
                    status ?? 0,
                    ArchiveFields.line(response["statusText"]?.string ?? ""),
                    fields
                )
            )
        )
        ArchiveFields.complete(&message, exact, trailers: response["_trailers"])
        let content = response["content"] ?? .null
        let text = content["text"]?.string ?? ""
        let isBase64 = content["encoding"]?.string?.lowercased() == "base64"
        let decoded = isBase64 ? Base64Decoder.bytes(text) : nil
        let archived = ArchivedContent(
            bytes: decoded ?? Array(text.utf8),
            isText: decoded == nil,
            size: ArchiveFields.length(content["size"]),
            wireSize: ArchiveFields.length(response["bodySize"]),
            problem: own == nil ? nil : content["comment"]?.string,
            measure: ArchiveFields.measure(exact)
        )
        let found = archived.body(message.fields, digest: digest)
        message.body = found.body
        imported.responseBody = ByteBuffer(bytes: found.bytes)
        imported.exchange.response = message
        imported.exchange.code = ArchiveFields.code(own?["code"]) ?? status
        if own?["type"] == nil {
            imported.exchange.mediaType = MediaType(message.fields.first("Content-Type"))?.essence
        }
        imported.exchange.interim = (response["_interim"]?.elements ?? []).compactMap {
            ArchiveFields.bytes("head", of: $0)
        }
    }

    private func readFailure(_ response: JSONValue, into imported: inout ImportedExchange) {
        let message = response["_error"]?.string
        if own != nil {
            guard let failure = entry["_failure"], failure.isObject else { return }
            imported.exchange.failure = ArchiveFields.failure(failure, message: message ?? "")
        } else if imported.exchange.response == nil {
            let sentence = message.flatMap { $0.isEmpty ? nil : $0 } ?? "The archive has no response to this request."
            imported.exchange.outcome = .failed
            imported.exchange.failure = ExchangeFailure(
                side: .upstream,
                phase: .wait,
                cause: .unanswered,
                message: sentence
            )
        }
    }
}
