/// An exchange as its request asks for it: one that asks for a WebSocket is judged as one, before its answer is known, after that, and in a dry run.
struct AskedExchange<Subject: FilterSubject>: FilterSubject {
    let subject: Subject
    let summary: ExchangeSummary

    /// - Parameters:
    ///   - subject: the exchange.
    ///   - looksAtHead: whether anybody asks; otherwise the request's head is not looked at.
    /// - Throws: what the subject throws.
    init(_ subject: Subject, looksAtHead: Bool) throws {
        self.subject = subject
        var summary = subject.summary
        if looksAtHead, summary.version != .webSocket, try subject.asksForWebSocket {
            summary.version = .webSocket
            summary.scheme = summary.scheme?.webSocket
        }
        self.summary = summary
    }

    func message(_ side: MessageSide) throws -> Message? { try subject.message(side) }

    func body(_ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
        try subject.body(side, offset: offset, limitBytes: limitBytes)
    }

    func messages(after number: Int64) throws -> [StreamMessage] { try subject.messages(after: number) }

    var decoded: DecodedBodies? { subject.decoded }

    var heads: SearchedHeads? { subject.heads }

    func noteCut(_ side: MessageSide) { subject.noteCut(side) }
}

extension FilterSubject {
    /// Whether the request asks for a WebSocket: by an upgrade to nothing else (RFC 6455 §4.1), or by a CONNECT with a path (RFC 8441 §4).
    fileprivate var asksForWebSocket: Bool {
        get throws {
            let summary = summary
            if summary.method == "CONNECT" { return summary.target.first == "/" }
            guard summary.method == "GET", summary.version == .http11, let fields = try message(.request)?.fields,
                fields.contains("Upgrade"), try declaredLength(.request) == 0
            else { return false }
            func options(_ values: [String]) -> [String] {
                values.flatMap { $0.utf8.split(separator: ASCII.comma) }
                    .map { ASCII.lower(String(Substring($0)).filter { $0 != " " && $0 != "\t" }) }
            }
            return options(fields.values("Upgrade")) == ["websocket"]
                && options(fields.values("Connection")).contains("upgrade")
        }
    }
}
