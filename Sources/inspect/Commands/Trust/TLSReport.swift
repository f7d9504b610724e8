import Foundation
import Proxy
import Traffic
import Trust

/// What `inspect tls` shows: both handshakes that reading a host's HTTPS takes, each with its checks.
struct TLSReport: Report {
    let endpoint: Endpoint
    let upstream: TLSProbe
    /// The client's handshake; `nil` where none was made: the upstream could not be reached, or is passed through.
    let client: TLSProbe?
    let isPassed: Bool
    let now: Date

    /// One side with its checks.
    private struct Side {
        var name: String
        var title: String
        var probe: TLSProbe
        var checks: [TLSCheck]
    }

    private var sides: [Side] {
        let host = endpoint.host
        func side(_ name: String, _ title: String, _ probe: TLSProbe) -> Side {
            Side(name: name, title: title, probe: probe, checks: TLSCheck.all(probe, name: host, now: now))
        }
        return [side("upstream", "inspect to \(endpoint)", upstream)]
            + (client.map { [side("client", "a client that trusts our root to inspect", $0)] } ?? [])
    }

    /// Whether nothing is wrong.
    var isGood: Bool { sides.allSatisfy { $0.probe.failure == nil } }

    private var remedy: TLSRemedy? {
        let nobody = TLSRemedy.Client(runtime: nil, process: nil, address: "")
        return upstream.failure.flatMap {
            TLSRemedy($0, host: endpoint.host, port: endpoint.port, client: nobody)
        }
    }

    /// What a failure of the upstream's side means; `nil` where it has none.
    private var explanation: String? { remedy?.explanation ?? upstream.failure?.message }

    /// The line for a shell that mends it; `nil` where nothing that can be typed helps.
    private var command: String? { remedy?.command ?? upstream.failure.flatMap { RefusalRemedy($0)?.command } }

    func lines(in layout: Layout) -> [String] {
        let style = layout.style
        var lines: [String] = []
        for side in sides {
            lines.append(style.paint(VisibleText.line(side.title), .bold))
            for check in side.checks {
                let (word, colour): (String, Style.Colour) =
                    switch check.holds {
                    case .some(true): ("ok  ", .green)
                    case .some(false): ("BAD ", .red)
                    case nil: ("?   ", .dim)
                    }
                let name = check.name.padding(toLength: 10, withPad: " ", startingAt: 0)
                lines.append("  \(style.paint(word, colour)) \(name) \(VisibleText.line(check.finding))")
            }
            lines += CertificateLines(side.probe.peer?.tls?.certificates ?? [], style).lines.map { "  " + $0 }
            lines.append("")
        }
        if isPassed {
            lines += [
                "\(VisibleText.line(endpoint.host)) is passed through: a client shakes hands with it, not with us.",
                "",
            ]
        }
        if let explanation {
            lines.append(style.paint("What to do", .bold))
            lines.append("  " + VisibleText.line(explanation))
            switch remedy?.step {
            // The lines above are that look.
            case .lookAt: break
            default: if let command { lines.append("  " + VisibleText.line(command)) }
            }
        } else if isGood {
            lines.append("Nothing is wrong.")
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("host", endpoint.host)
            json.integer("port", Int64(endpoint.port))
            json.boolean("good", isGood)
            json.boolean("passedThrough", isPassed)
            for side in sides { write(side, to: &json) }
            if client == nil { json.null("client") }
            json.string("explanation", explanation)
            json.string("command", command)
        }
    }

    private func write(_ side: Side, to json: inout JSONWriter) {
        let tls = side.probe.peer?.tls
        json.object(side.name) { json in
            json.string("address", side.probe.peer?.address)
            json.string("version", tls.flatMap { $0.version.isEmpty ? nil : $0.version })
            json.string("cipher", tls?.cipher)
            json.string("alpn", tls?.applicationProtocol)
            json.string("failure", side.probe.failure?.cause.rawValue)
            json.milliseconds("connectMs", microseconds: side.probe.connect)
            json.milliseconds("handshakeMs", microseconds: side.probe.handshake)
            json.array("checks") { json in
                for check in side.checks {
                    json.object { json in
                        json.string("name", check.name)
                        if let holds = check.holds { json.boolean("holds", holds) } else { json.null("holds") }
                        json.string("finding", check.finding)
                    }
                }
            }
            json.array("certificates") { json in
                for der in tls?.certificates ?? [] {
                    guard let facts = CertificateFacts(der: der) else { continue }
                    json.object { json in
                        json.string("subject", facts.subject)
                        json.string("issuer", facts.issuer)
                        json.array("names") { json in for name in facts.names { json.string(nil, name) } }
                        json.string("notBefore", Timestamp.text(microseconds: facts.notBefore))
                        json.string("notAfter", Timestamp.text(microseconds: facts.notAfter))
                        json.string("key", facts.key)
                        json.string("sha256", facts.sha256)
                    }
                }
            }
        }
    }
}
