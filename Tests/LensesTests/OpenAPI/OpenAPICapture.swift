import Lenses
import NIOCore
import Traffic

/// Captures and documents of a test's making.
enum OpenAPICapture {
    /// A capture; a body is JSON unless a type is given.
    static func make(
        _ method: String = "GET",
        _ url: String,
        sent: String? = nil,
        sentType: String? = "application/json",
        fields: String = "",
        code: Int? = 200,
        answer: String? = nil,
        type: String? = "application/json",
        answerFields: String = ""
    ) -> Capture {
        let rest = url.split(separator: "://", maxSplits: 1)
        let scheme = Scheme(rawValue: String(rest[0])) ?? .https
        let authority = rest[1].prefix { $0 != "/" }
        let endpoint = Endpoint(authority: authority, defaultPort: scheme.defaultPort)
        func head(_ start: String, _ type: String?, _ more: String, _ body: String?) -> ByteBuffer {
            ByteBuffer(
                string: "\(start)\r\n" + (body != nil ? type.map { "Content-Type: \($0)\r\n" } ?? "" : "") + more
                    + "\r\n"
            )
        }
        func measure(_ body: String?) -> Body {
            let count = Int64(body?.utf8.count ?? 0)
            return Body(length: count, kept: count, sha256: [])
        }
        var exchange = Exchange(
            timeline: Timeline(started: 0),
            method: method,
            scheme: scheme,
            host: endpoint?.host ?? "",
            port: endpoint?.port ?? 0,
            target: String(rest[1].dropFirst(authority.count)),
            request: Message(head: head("\(method) / HTTP/1.1", sentType, fields, sent), body: measure(sent)),
            client: Peer(token: 1, address: "", tls: nil),
            outcome: .completed
        )
        exchange.code = code
        if let code {
            exchange.response = Message(
                head: head("HTTP/1.1 \(code) X", type, answerFields, answer),
                body: measure(answer)
            )
        }
        return Capture(
            exchange: exchange,
            request: CapturedBody(bytes: Array((sent ?? "").utf8)),
            response: CapturedBody(bytes: Array((answer ?? "").utf8))
        )
    }

    /// The document of a JSON text.
    static func document(_ json: String) throws -> OpenAPIDocument {
        try OpenAPIDocument(ExactJSON.value(Array(json.utf8)))
    }

    /// What a capture breaks, as `rule pointer`.
    static func findings(_ capture: Capture, _ document: OpenAPIDocument) -> [String] {
        OpenAPICheck(document).check(capture).findings.map { $0.pointer.isEmpty ? $0.rule : "\($0.rule) \($0.pointer)" }
    }
}
