import NIOCore
import Traffic

/// The member `_inspect` of a HAR entry: it holds the part of the record that has no place in HAR, so that an import gives the same record.
///
/// It leaves out what follows from the rest of the entry: it holds a head only where the listed fields do not give it byte for byte.
struct HARExact {
    private let exchange: Exchange
    private let url: String

    init(_ exchange: Exchange, url: String) {
        self.exchange = exchange
        self.url = url
    }

    /// Writes the member; times are microseconds.
    ///
    /// - Parameters:
    ///   - contents: the bodies as they are written.
    ///   - json: the writer, with an open entry.
    func write(_ contents: EntryContents, to json: inout JSONWriter) {
        json.object("_inspect") { json in
            let timeline = exchange.timeline
            json.integer("started", timeline.started)
            json.integer("duration", timeline.duration)
            json.object("timings") { json in
                for (name, value) in HARExact.phases(timeline) { json.integer(name, value) }
            }
            address(&json)
            json.string("version", exchange.version?.rawValue)
            json.string("upstreamVersion", exchange.upstreamVersion?.rawValue)
            if let stream = exchange.stream { json.integer("stream", stream) }
            if let stream = exchange.upstreamStream { json.integer("upstreamStream", stream) }
            peer("client", exchange.client, &json)
            if let upstream = exchange.upstream { peer("upstream", upstream, &json) }
            let kept = contents.keptOnWire(.request, of: exchange.request)
            message("request", exchange.request, kept, Array(exchange.request.fields), &json) { fields in
                SynthesizedHead.request(exchange.method, exchange.target, exchange.version, fields)
            }
            let derived = exchange.response.flatMap { MediaType($0.fields.first("Content-Type"))?.essence }
            if exchange.mediaType != derived { json.string("type", exchange.mediaType) }
            if let response = exchange.response {
                if !HARResponse.isAnswered(exchange), let code = exchange.code { json.integer("code", code) }
                let kept = contents.keptOnWire(.response, of: response)
                message("response", response, kept, HARCoding.listed(response.fields), &json) { fields in
                    guard HARResponse.isAnswered(exchange) else { return ByteBuffer() }
                    return SynthesizedHead.response(
                        exchange.upstreamVersion ?? exchange.version,
                        exchange.code ?? 0,
                        StatusLine(head: response.head).reason,
                        fields
                    )
                }
            }
            json.bytes("ownResponse", exchange.ownResponse)
        }
    }

    /// The phases, with their names in the member.
    static func phases(_ timeline: Timeline) -> [(name: String, value: Int64?)] {
        [
            (name: "blocked", value: timeline.blocked), (name: "dns", value: timeline.dns),
            (name: "connect", value: timeline.connect), (name: "tls", value: timeline.tls),
            (name: "send", value: timeline.send), (name: "wait", value: timeline.wait),
            (name: "receive", value: timeline.receive),
        ]
    }

    private func address(_ json: inout JSONWriter) {
        let derived = ArchiveURL(url)
        let isDerived =
            derived.scheme == exchange.scheme && derived.host == exchange.host && derived.port == exchange.port
            && derived.target == exchange.target
        guard !isDerived else { return }
        json.object("address") { json in
            json.string("scheme", exchange.scheme?.rawValue)
            json.string("host", exchange.host)
            json.integer("port", exchange.port)
            json.string("target", exchange.target)
        }
    }

    private func peer(_ name: String, _ peer: Peer, _ json: inout JSONWriter) {
        json.object(name) { json in
            json.string("connection", String(peer.token))
            json.string("address", peer.address)
            peer.writeOrigin(to: &json)
            guard let tls = peer.tls else { return }
            json.object("tls") { json in
                json.string("version", tls.version)
                if let cipher = tls.cipher { json.string("cipher", cipher) }
                json.string("serverName", tls.serverName)
                json.string("alpn", tls.applicationProtocol)
            }
        }
    }

    private func message(
        _ name: String,
        _ message: Message,
        _ kept: Int64,
        _ fields: [HeaderList.Field],
        _ json: inout JSONWriter,
        synthesized: ([HeaderList.Field]) -> ByteBuffer
    ) {
        json.object(name) { json in
            if synthesized(fields) != message.head {
                let line = SynthesizedHead.line(of: message.head)
                if SynthesizedHead.head(line, fields) == message.head, synthesized(fields).readableBytes > 0 {
                    json.string("line", line)
                } else {
                    json.bytes("head", message.head)
                }
            }
            json.bytes("sentHead", message.sentHead)
            if let trailers = message.trailers, SynthesizedHead.lines(HeaderList(trailers: trailers)) != trailers {
                json.bytes("trailers", trailers)
            }
            json.integer("size", message.body.length)
            json.integer("kept", kept)
            if !message.body.sha256.isEmpty { json.string("sha256", Hexadecimal.text(message.body.sha256)) }
        }
    }
}
