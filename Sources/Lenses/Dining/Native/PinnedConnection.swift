import Traffic

/// The words for a connection of which only the outside was seen.
struct PinnedConnection {
    private let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    /// Whether the client refused our certificate.
    private var isRefused: Bool {
        exchange.outcome == .failed && exchange.failure.map { $0.side == .client && $0.phase == .tls } == true
    }

    /// The outcome of the connection, one line.
    var sentence: String? {
        switch exchange.outcome {
        case .tunnelled: return "Passed through unread: \(traffic)"
        case .pending: return "Open, and passed through unread so far"
        case .failed where isRefused: return "Refused: it does not accept the proxy's certificate, so nothing was sent"
        case .failed: return "Failed: \(exchange.failure?.message ?? "no reason was recorded")"
        case .cancelled: return "Cancelled: \(exchange.failure?.message ?? "its client went away")"
        case .completed: return "Read: this client did not insist on Apple's certificate"
        }
    }

    /// The bytes, the time and the client, as far as they are known.
    var fields: [LensField] {
        var fields: [LensField] = []
        if exchange.outcome == .tunnelled {
            fields.append(LensField("Sent", "\(Self.grouped(exchange.request.body.length)) bytes"))
            fields.append(LensField("Received", "\(Self.grouped(exchange.response?.body.length ?? 0)) bytes"))
        }
        if let duration = exchange.timeline.duration { fields.append(LensField("Open for", Self.time(duration))) }
        if let agent = exchange.request.fields.first("User-Agent") { fields.append(LensField("Calls itself", agent)) }
        if isRefused, let cause = exchange.failure?.cause {
            fields.append(LensField("Refusal", LensText("TLS, \(cause.rawValue)", .warning)))
        }
        return fields
    }

    /// The advice for a person who sees the connection.
    var advice: LensSection.Content {
        let host = exchange.host
        switch exchange.outcome {
        case .failed where isRefused: return .advice(.passThrough(host: host))
        case .failed:
            return .text(
                "It did not refuse the proxy's certificate: the connection failed otherwise, as its failure says."
            )
        case .completed:
            return .text(
                "Nothing. Passing \(host) through would keep it working where clients do insist on Apple's certificate."
            )
        case .cancelled: return .text("Nothing: its client went away before anything could be read.")
        case .tunnelled, .pending:
            return .text(
                "Nothing: passing it through keeps it working, and its bytes cannot be read. What Bruin Life asks of CloudKit can be seen by "
                    + "asking CloudKit's web services (api.apple-cloudkit.com) for the same records, which are not pinned."
            )
        }
    }

    private var traffic: String {
        let sent = Self.grouped(exchange.request.body.length)
        let received = Self.grouped(exchange.response?.body.length ?? 0)
        let time = exchange.timeline.duration.map { " in \(Self.time($0))" } ?? ""
        return "\(sent) bytes sent, \(received) received\(time)"
    }

    /// `12,345`.
    private static func grouped(_ count: Int64) -> String {
        var text = ""
        for (index, digit) in String(count.magnitude).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    private static func time(_ microseconds: Int64) -> String {
        if microseconds < 1_000_000 { return "\(max(0, microseconds) / 1000) ms" }
        let seconds = microseconds / 1_000_000
        if seconds < 60 { return "\(NutritionLine.plain(Double(microseconds / 100_000) / 10)) s" }
        return seconds < 3600 ? "\(seconds / 60) min \(seconds % 60) s" : "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
}
