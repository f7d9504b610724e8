/// One line of a listing: what a table shows of an exchange and what facets count, without heads and bodies.
package struct ExchangeSummary: Hashable, Sendable {
    package var id: ExchangeID
    /// The moment in microseconds since 1970-01-01T00:00:00Z.
    package var started: Int64
    /// How long it took, in microseconds; `nil` while it is open.
    package var duration: Int64?
    /// How long the response took to arrive, in microseconds; `nil` where not known.
    package var receive: Int64?
    package var method: String
    package var scheme: Scheme?
    package var host: String
    package var port: Int
    package var target: String
    package var code: Int?
    package var mediaType: String?
    package var requestBytes: Int64
    package var responseBytes: Int64
    package var version: HTTPVersion?
    package var upstreamVersion: HTTPVersion?
    /// The app that sent it, where a lens or an archive names it.
    package var clientName: String?
    /// The name of the lens that reads it, once it has ended.
    package var lens: String?
    /// The name of the program of this machine that sent it, where known.
    package var process: String?
    package var outcome: Outcome
    package var failure: ExchangeFailure?
    package var replayOf: ExchangeID?
    /// Messages of its stream, as far as they were read.
    package var messages = MessageCounts()
    /// The names of the rules that have something in its record, each once.
    package var rules: [String] = []
    /// Whether a rule changed where it went, what was sent or what came back.
    package var isModified = false
    /// What people marked it with.
    package var marks = ExchangeMarks()
    /// The name of the session it was recorded in.
    package var session: String?

    package init(
        id: ExchangeID,
        started: Int64,
        duration: Int64?,
        method: String,
        scheme: Scheme?,
        host: String,
        port: Int,
        target: String,
        code: Int?,
        mediaType: String?,
        requestBytes: Int64,
        responseBytes: Int64,
        version: HTTPVersion?,
        upstreamVersion: HTTPVersion?,
        clientName: String? = nil,
        process: String? = nil,
        outcome: Outcome,
        failure: ExchangeFailure?,
        replayOf: ExchangeID? = nil
    ) {
        self.id = id
        self.started = started
        self.duration = duration
        self.method = method
        self.scheme = scheme
        self.host = host
        self.port = port
        self.target = target
        self.code = code
        self.mediaType = mediaType
        self.requestBytes = requestBytes
        self.responseBytes = responseBytes
        self.version = version
        self.upstreamVersion = upstreamVersion
        self.clientName = clientName
        self.process = process
        self.outcome = outcome
        self.failure = failure
        self.replayOf = replayOf
    }

    /// Scheme, host and a port of its own, `https://example.test:8443`; `nil` where there is no scheme, and where the target itself names the host.
    package var origin: String? {
        guard let scheme, method != "CONNECT" || target.first == "/" else { return nil }
        return "\(scheme.rawValue)://\(Endpoint(host: host, port: port).authority(of: scheme))"
    }

    /// The URL the client asked for, `https://example.test/path`; `host:port` for a tunnel.
    package var url: String {
        urlStart + target
    }

    /// The URL up to the target.
    package var urlStart: String {
        // The target of a connection that could not be intercepted says host and port itself.
        origin ?? scheme.map { "\($0.rawValue)://" } ?? ""
    }

    /// Whether the URL up to the target is that of another exchange.
    package func sharesURLStart(with other: ExchangeSummary) -> Bool {
        port == other.port && scheme == other.scheme && method == other.method
            && host.utf8.elementsEqual(other.host.utf8)
            && (method != "CONNECT" || target.first == other.target.first)
    }
}

extension ExchangeSummary {
    /// Takes over what the record of rules says.
    package mutating func setRules(_ uses: [RuleUse]) {
        rules = uses.rules
        isModified = uses.isModified
    }

    /// What stands beside the method where people read it: the URL, and for a CONNECT the authority that it names.
    package var title: String { method == "CONNECT" && target.first != "/" ? target : url }
}

extension Exchange {
    /// The line that stands for this exchange in a listing.
    package var summary: ExchangeSummary {
        var summary = ExchangeSummary(
            id: id,
            started: timeline.started,
            duration: timeline.duration,
            method: method,
            scheme: scheme,
            host: host,
            port: port,
            target: target,
            code: code,
            mediaType: mediaType,
            requestBytes: request.body.length,
            responseBytes: response?.body.length ?? 0,
            version: version,
            upstreamVersion: upstreamVersion,
            outcome: outcome,
            failure: failure,
            replayOf: replayOf
        )
        summary.process = client.process?.name
        summary.receive = timeline.receive
        summary.messages = messages
        summary.setRules(rules)
        return summary
    }
}
