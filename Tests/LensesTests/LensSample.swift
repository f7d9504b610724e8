import NIOCore
import Traffic

/// A capture of a test's making.
enum LensSample {
    /// One exchange with both its bodies.
    static func capture(
        _ method: String = "GET",
        _ target: String,
        requestFields: String = "",
        request: [UInt8] = [],
        code: Int? = 200,
        fields: String = "Content-Type: application/json\r\n",
        response: [UInt8] = [],
        trailers: String? = nil,
        started: String = "2026-09-14T16:00:00Z",
        milliseconds: Int64 = 120
    ) -> Capture {
        var timeline = Timeline(started: Timestamp.microseconds(started) ?? 0)
        timeline.duration = milliseconds * 1000
        func body(_ bytes: [UInt8]) -> Body { Body(length: Int64(bytes.count), kept: Int64(bytes.count), sha256: []) }
        var exchange = Exchange(
            timeline: timeline,
            method: method,
            scheme: .https,
            host: "localhost",
            port: 443,
            target: target,
            request: Message(
                head: ByteBuffer(string: "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\(requestFields)\r\n"),
                body: body(request)
            ),
            client: Peer(token: 1, address: "", tls: nil),
            outcome: .completed
        )
        exchange.code = code
        if let code {
            let head = ByteBuffer(string: "HTTP/1.1 \(code) Whatever\r\n\(fields)\r\n")
            exchange.response = Message(
                head: head,
                trailers: trailers.map { ByteBuffer(string: $0) },
                body: body(response)
            )
            exchange.mediaType = MediaType(exchange.response?.fields.first("Content-Type"))?.essence
        }
        return Capture(
            exchange: exchange,
            request: CapturedBody(bytes: request),
            response: CapturedBody(bytes: response)
        )
    }

    /// An exchange that answers with a JSON text.
    static func capture(_ target: String, json: String, started: String = "2026-09-14T16:00:00Z") -> Capture {
        capture("GET", target, response: Array(json.utf8), started: started)
    }
}
