import Archive
import NIOCore
import Store
import Traffic

/// What `inspect show` shows: what happened in an exchange and what it means, then both messages.
struct ExchangeReport: StreamedReport {
    /// Lines of a body that are shown before the rest is pointed at.
    private static let bodyLines = 200

    let record: ExchangeRecord
    let store: TrafficStore
    /// Decoded bytes of a body that are read, at most.
    let decodedLimitBytes: Int

    /// Writes the whole exchange as one object, its bodies in pieces; see `ExchangeJSON`.
    func write(to json: inout JSONWriter, handOn: (inout JSONWriter) throws -> Void) throws {
        let messages: MessageSource = { try store.messages(of: $0, after: $1, limit: MessageReport.pageMessages) }
        let decoded = try decoded()
        try json.object { json in
            let writer = ExchangeJSON(
                record,
                remedyWords: \.command,
                refusalWords: RefusalRemedy.words,
                isFailureImported: try store.isFailureImported(record.exchange)
            )
            try writer.members(to: &json, source: store.body, messages: messages, handOn: handOn)
            decoded.writeMember(to: &json)
        }
    }

    func print(to console: Console) throws {
        for line in try lines(in: console.layout) { try console.line(line) }
    }

    /// Every line, without line feeds.
    ///
    /// - Throws: what the store says.
    func lines(in layout: Layout) throws -> [String] {
        let exchange = record.exchange
        let style = layout.style
        var lines = try overview(style)
        lines += try decoded().section(in: layout)
        lines += heading("Request", exchange.request, style)
        lines += try message(exchange.request, .request, style)
        for interim in exchange.interim {
            lines += ["", style.paint("Interim response", .bold)] + head(interim, style)
        }
        if let response = exchange.response {
            lines += heading("Response", response, style)
            lines += try message(response, .response, style)
        }
        lines += try MessageReport(exchange: exchange, store: store).section(in: layout)
        if let own = exchange.ownResponse {
            lines += ["", style.paint("What the client got, from the proxy", .bold)] + head(own, style)
        }
        return lines
    }

    private func decoded() throws -> DecodedReport {
        try DecodedReport(record, store: store, limitBytes: decodedLimitBytes)
    }

    private func overview(_ style: Style) throws -> [String] {
        let exchange = record.exchange
        let summary = record.summary
        let colour = Style.colour(code: exchange.code, outcome: exchange.outcome)
        let code = Facet.code.value(summary)
        let state = exchange.outcome.rawValue == code ? code : "\(code) \(exchange.outcome.rawValue)"
        var lines = [
            "\(style.paint("#\(exchange.id)", .bold))  \(VisibleText.line(exchange.method)) "
                + "\(VisibleText.line(summary.title))  \(style.paint(state, colour))"
        ]
        let isFailureImported = try store.isFailureImported(exchange)
        if let failure = exchange.failure {
            let retry = failure.retry ? "sending it again is safe" : "it may have had an effect"
            let cause = VisibleText.line(failure.cause.rawValue)
            let (title, tone) = exchange.outcome == .cancelled ? ("Cancelled ", Style.Colour.dim) : ("Failure   ", .red)
            lines.append(
                title
                    + style.paint("\(failure.side.rawValue), \(failure.phase.rawValue): \(cause)", tone)
                    + "  \(VisibleText.line(failure.message)) (\(retry))"
            )
            if !isFailureImported, let command = RefusalRemedy.words(failure) { lines.append("Fix       " + command) }
        }
        if let remedy = TLSRemedy(exchange) {
            lines.append("Means     " + VisibleText.line(remedy.explanation))
            if !isFailureImported, let command = remedy.command {
                lines.append("Fix       " + VisibleText.line(command))
            }
            if exchange.failure?.side == .upstream {
                let chain = CertificateLines(exchange.upstream?.tls?.certificates ?? [], style).lines
                for (index, line) in chain.enumerated() {
                    lines.append((index == 0 ? "Chain     " : "          ") + line)
                }
            }
        }
        if let original = exchange.replayOf { lines.append("Replay    of #\(original)") }
        if let client = summary.clientName { lines.append("App       \(VisibleText.line(client))") }
        if let process = exchange.client.process {
            lines.append("Process   \(VisibleText.line(process.text))")
        }
        if let hello = exchange.client.hello, exchange.failure?.phase == .tls, exchange.failure?.side == .client {
            let like = exchange.client.runtime.map { ", as \($0.title) sends" } ?? ""
            lines.append("Hello     JA4 \(VisibleText.line(hello))\(like)")
        }
        lines.append("Client    " + connection(exchange.client, exchange.version, exchange.stream))
        if let upstream = exchange.upstream {
            lines.append("Upstream  " + connection(upstream, exchange.upstreamVersion, exchange.upstreamStream))
            if let versions { lines.append("Versions  " + style.paint(versions, .yellow)) }
        }
        lines.append("Started   " + LocalTime.full(microseconds: exchange.timeline.started))
        lines.append("Time      " + timing(exchange.timeline))
        lines += RuleLines(exchange.rules).lines(style)
        lines += marks(style)
        lines += exchange.warnings.map { "Warning   " + style.paint(VisibleText.line($0), .yellow) }
        return lines
    }

    /// The session, and the marks that people gave the exchange.
    private func marks(_ style: Style) -> [String] {
        let marks = record.summary.marks
        var lines: [String] = []
        if let session = record.summary.session { lines.append("Session   \(VisibleText.line(session))") }
        if marks.isFavourite { lines.append("Favourite " + style.paint("yes", .yellow)) }
        if !marks.tags.isEmpty { lines.append("Tags      " + VisibleText.line(marks.tags.joined(separator: ", "))) }
        if let note = marks.note { lines.append("Note      " + VisibleText.line(note)) }
        return lines
    }

    /// Says that the two sides speak different versions; `nil` where they do not, or the exchange is a WebSocket.
    private var versions: String? {
        guard let client = record.exchange.version, let upstream = record.exchange.upstreamVersion, client != upstream,
            client != .webSocket, upstream != .webSocket
        else { return nil }
        return "differ: the client spoke \(client.rawValue), the upstream \(upstream.rawValue); heads were translated"
    }

    private func connection(_ peer: Peer, _ version: HTTPVersion?, _ stream: Int?) -> String {
        var parts = [peer.address.isEmpty ? "unknown address" : VisibleText.line(peer.address)]
        if let version { parts.append(stream.map { "\(version.rawValue) stream \($0)" } ?? version.rawValue) }
        if let tls = peer.tls {
            if !tls.version.isEmpty { parts.append(VisibleText.line(tls.version)) }
            if let cipher = tls.cipher { parts.append(VisibleText.line(cipher)) }
            if let name = tls.serverName { parts.append("SNI \(VisibleText.line(name))") }
            if let name = tls.applicationProtocol { parts.append("ALPN \(VisibleText.line(name))") }
            if !tls.certificates.isEmpty {
                parts.append(tls.certificates.count.counted("certificate"))
            }
        }
        return parts.joined(separator: ", ")
    }

    private func timing(_ timeline: Timeline) -> String {
        let phases: [(String, Int64?)] = [
            ("blocked", timeline.blocked), ("dns", timeline.dns), ("connect", timeline.connect), ("tls", timeline.tls),
            ("send", timeline.send), ("wait", timeline.wait), ("receive", timeline.receive),
        ]
        let parts = phases.compactMap { name, time in time.map { "\(name) \(Measure.duration($0))" } }
        let whole = timeline.duration.map(Measure.duration) ?? "still open"
        return ([whole] + parts).joined(separator: ", ")
    }

    private func heading(_ title: String, _ message: Message, _ style: Style) -> [String] {
        guard message.body.length > 0 else { return ["", style.paint(title, .bold)] }
        if record.exchange.outcome == .tunnelled {
            return [
                "",
                style.paint(title, .bold) + style.paint("  \(Measure.bytes(message.body.length)) passed unread", .dim),
            ]
        }
        if record.exchange.isWebSocket {
            let frames = "\(Measure.bytes(message.body.length)) of frames"
            return ["", style.paint(title, .bold) + style.paint("  \(frames)", .dim)]
        }
        let codings = ContentCoding.names(of: message.fields)
        let state = message.body.archived == nil ? "coded" : "kept decoded, was coded"
        let coding = codings.isEmpty ? "" : ", \(state) with " + VisibleText.line(codings.joined(separator: ", "))
        return [
            "", style.paint(title, .bold) + style.paint("  body \(Measure.bytes(message.body.length))\(coding)", .dim),
        ]
    }

    private func message(_ message: Message, _ side: MessageSide, _ style: Style) throws -> [String] {
        var lines = head(message.head, style)
        if let sent = message.sentHead {
            lines += [style.paint("sent on as", .dim)] + head(sent, style)
        }
        if record.exchange.outcome == .tunnelled || record.exchange.isWebSocket { return lines }
        let body = try ShownBody(store, record.exchange.id, side, message, limitBytes: decodedLimitBytes).lines(
            in: style,
            lineLimit: ExchangeReport.bodyLines
        )
        if !body.isEmpty { lines += [""] + body }
        if let trailers = message.trailers {
            lines += ["", style.paint("trailers", .dim)] + head(trailers, style, hasStart: false)
        }
        return lines
    }

    /// The lines of a head as they came, in their order and case.
    private func head(_ head: ByteBuffer, _ style: Style, hasStart: Bool = true) -> [String] {
        var lines = head.readableBytesView.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false).map {
            line in
            VisibleText.line(ByteText.lossless(line.last == ASCII.carriageReturn ? line.dropLast() : line))
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return MessageColours(style: style).head(lines, hasStart: hasStart)
    }
}
