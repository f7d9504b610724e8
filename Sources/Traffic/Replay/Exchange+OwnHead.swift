package import NIOCore

extension Exchange {
    /// Fields between a client and its proxy, beside those that `Connection` names (RFC 9110 §7.6.1, §11.7).
    private static let hopFields = ["connection", "keep-alive", "proxy-connection", "proxy-authorization"]

    /// How the warning begins that says that the proxy sent another Host than its client.
    package static let replacedHost = "The Host field "

    /// Whether a rule changed where the request went, or what of it was sent.
    private var isRequestRuled: Bool { rules.contains { $0.isChange && ["send", "request"].contains($0.action) } }

    /// The request's head as its client's server gets it: as it went up, or, where a rule changed that or nothing went up, as the client sent it,
    /// without what was meant for the proxy.
    ///
    /// Method, address and body of an exchange are the client's, and a head that a rule made goes with none of them.
    package var ownHead: ByteBuffer {
        guard isRequestRuled || request.sentHead == nil && upstream == nil else {
            return request.sentHead ?? request.head
        }
        var lines = HeadLines(head: request.head)
        let named = HeaderList(head: request.head).values("Connection").flatMap { $0.split(separator: ",") }
        for name in Exchange.hopFields + named.map({ ASCII.lower(String($0).trimmingBlanks) }) {
            lines.remove(lines.places(of: name))
        }
        if warnings.contains(where: { $0.hasPrefix(Exchange.replacedHost) }), let scheme {
            let host = Endpoint(host: host, port: port).authority(of: scheme)
            for place in lines.places(of: "host") { lines.replace(place, with: host) }
        }
        // A line that cannot be read is for the sender to refuse.
        try? RequestLine(of: lines).write(to: &lines)
        return lines.joined
    }

    /// The exchange with `ownHead` for what went up.
    var withOwnHead: Exchange {
        let head = ownHead
        guard head != request.sentHead ?? request.head else { return self }
        var exchange = self
        (exchange.request.head, exchange.request.sentHead) = (head, nil)
        return exchange
    }
}
