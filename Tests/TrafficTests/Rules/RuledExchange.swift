import NIOCore
import Traffic

/// An exchange made up for the tests of rules, with its bodies in memory.
struct RuledExchange: FilterSubject {
    var exchange: Exchange
    var bodies: [MessageSide: [UInt8]] = [:]

    /// A request, and its response where a code is given; fields are given as lines.
    init(
        _ method: String = "GET",
        _ host: String = "api.shop.test",
        _ target: String = "/",
        fields: [String] = [],
        body: String = "",
        code: Int? = nil,
        responseFields: [String] = [],
        responseBody: String = ""
    ) {
        func lines(_ start: String, _ fields: [String], _ body: String) -> ByteBuffer {
            let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
            return ByteBuffer(string: ([start] + fields + length).joined(separator: "\r\n") + "\r\n\r\n")
        }
        func measure(_ body: String) -> Body {
            Body(length: Int64(body.utf8.count), kept: Int64(body.utf8.count), sha256: [])
        }
        exchange = Exchange(
            timeline: Timeline(started: 1_795_183_323_456_000),
            method: method,
            scheme: .https,
            host: host,
            port: 443,
            target: target,
            request: Message(
                head: lines("\(method) \(target) HTTP/1.1", ["Host: \(host)"] + fields, body),
                body: measure(body)
            ),
            client: Peer(token: 1, address: "127.0.0.1:1", tls: nil),
            outcome: .completed
        )
        exchange.version = .http11
        bodies[.request] = Array(body.utf8)
        guard let code else { return }
        exchange.code = code
        let head = lines("HTTP/1.1 \(code) Fine", responseFields, responseBody)
        let response = Message(head: head, body: measure(responseBody))
        exchange.mediaType = MediaType(response.fields.first("Content-Type"))?.essence
        exchange.response = response
        bodies[.response] = Array(responseBody.utf8)
    }

    var summary: ExchangeSummary { exchange.summary }

    func message(_ side: MessageSide) -> Message? { side == .request ? exchange.request : exchange.response }

    func body(_ side: MessageSide, offset: Int64, limitBytes: Int) -> [UInt8] {
        Array((bodies[side] ?? []).dropFirst(Int(offset)).prefix(limitBytes))
    }

    func messages(after number: Int64) -> [StreamMessage] { [] }
}
