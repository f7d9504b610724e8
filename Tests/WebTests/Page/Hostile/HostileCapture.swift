import NIOCore
import Store
import Traffic

/// Exchanges that have a payload in every field a peer or a person can fill.
enum HostileCapture {
    /// How many fields of an exchange have the payload: those of `record`, each place in a body once.
    static let fieldCount = 46

    /// Bodies that carry payloads, each in another form: every kind of view gets some.
    static func bodies(_ payloads: [String]) -> [(type: String, bytes: [UInt8])] {
        let texts: [(String, String)] = [
            (
                "application/json",
                "["
                    + payloads.map(quoted).map { "{\($0): [\($0), {\"__proto__\": {\($0): 1}}]}" }.joined(
                        separator: ", "
                    ) + "]"
            ),
            ("application/x-ndjson", payloads.map { "{\"a\": \(quoted($0))}" }.joined(separator: "\n")),
            (
                "text/html; charset=utf-8",
                "<!doctype html><html><body>\(payloads.joined(separator: "\n"))</body></html>"
            ),
            (
                "application/xhtml+xml",
                "<html xmlns='http://www.w3.org/1999/xhtml'>\(payloads.joined(separator: "\n"))</html>"
            ),
            (
                "image/svg+xml",
                "<svg xmlns='http://www.w3.org/2000/svg' onload='window.__ran=1'><script>window.__ran=1</script>\(payloads.joined())</svg>"
            ),
            ("image/png", "<html><script>window.__ran=1</script>\(payloads.joined())</html>"),
            ("image/gif", "GIF89a/*\(payloads.joined())*/=1;window.__ran=1"),
            (
                "text/csv",
                payloads.map { "\($0),b\n\"\($0.replacing("\"", with: "\"\""))\",=cmd()" }.joined(separator: "\n")
            ),
            ("text/tab-separated-values", payloads.joined(separator: "\t")),
            ("application/x-www-form-urlencoded", payloads.map { "a=\($0)&\($0)=1" }.joined(separator: "&")),
            ("multipart/form-data; boundary=b", payloads.map(part).joined() + "--b--\r\n"),
            (
                "application/xml",
                "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x SYSTEM 'BEACON'>]>"
                    + payloads.map { "<a b='\($0)'>&x;\($0)</a>" }.joined()
            ),
            ("text/plain; charset=utf-7", payloads.joined(separator: "\n")),
            ("text/javascript", payloads.map { "var a = \(quoted($0)); // \($0)" }.joined(separator: "\n")),
            ("text/css", payloads.map { "a::before{content:\(quoted($0))} /* \($0) */" }.joined(separator: "\n")),
            ("audio/mpeg", payloads.joined()), ("font/woff2", payloads.joined()),
            ("application/pdf", "%PDF-" + payloads.joined()),
        ]
        // Where only one can be, it is every thirtieth.
        let alone = stride(from: 0, to: payloads.count, by: 30).map { payloads[$0] }.flatMap { payload in
            [
                (payload, payloads.joined(separator: "\n")),
                ("text/plain; charset=\"\(payload)\"", payloads.joined()), ("application/jwt", token(payload)),
            ]
        }
        let wide = payloads.joined(separator: "\n").utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        return (texts + alone).map { ($0.0, Array($0.1.utf8)) } + [("text/plain; charset=utf-16le", wide)]
    }

    /// Records an exchange with the payload everywhere, two messages of a stream among it; marks it with a tag where it can be one, and a note.
    static func record(_ payload: String, _ index: Int, in store: TrafficStore) async throws {
        let kinds = bodies([payload])
        let (type, bytes) = kinds[index % kinds.count]
        var exchange = Recorded.exchange(
            method: payload,
            host: payload,
            target: "/\(payload)?\(payload)=\(payload)",
            fields: [
                ("Content-Type", type), ("X-Payload", payload), (payload, "x"), ("Content-Encoding-Of-It", payload),
                ("Set-Cookie", "\(payload)=\(payload); Path=\(payload)"), ("WWW-Authenticate", "Bearer \(payload)"),
            ],
            length: bytes.count,
            offset: Int64(index) * 1_000
        )
        let head =
            "\(payload) /\(payload)?\(payload)=\(payload) HTTP/1.1\r\nHost: \(payload)\r\nCookie: \(payload)=\(payload)\r\n\(payload): \(payload)\r\n"
            + "Authorization: Bearer \(token(payload))\r\nUser-Agent: \(payload)\r\nReferer: \(payload)\r\nContent-Type: \(type)\r\n\r\n"
        exchange.request.head = ByteBuffer(string: head)
        exchange.request.sentHead = ByteBuffer(string: "X-Sent: \(payload)\r\n" + head)
        exchange.request.trailers = ByteBuffer(string: "X-Trailer: \(payload)\r\n")
        exchange.request.body = Body(length: Int64(bytes.count), kept: Int64(bytes.count), sha256: digest(index))
        exchange.response?.body.sha256 = digest(index)
        exchange.response?.trailers = ByteBuffer(string: "\(payload): \(payload)\r\n")
        exchange.interim = [ByteBuffer(string: "HTTP/1.1 103 \(payload)\r\nLink: \(payload)\r\n\r\n")]
        exchange.ownResponse = ByteBuffer(string: "HTTP/1.1 502 \(payload)\r\n\r\n\(payload)")
        exchange.warnings = [payload]
        exchange.mediaType = payload
        exchange.outcome = .failed
        exchange.failure = ExchangeFailure(
            side: .upstream,
            phase: .tls,
            cause: Cause(rawValue: payload),
            message: payload
        )
        var tls = Peer.TLS(
            version: payload,
            serverName: payload,
            applicationProtocol: payload,
            certificates: [Array(payload.utf8)]
        )
        tls.cipher = payload
        let process = LocalProcess(id: Int32(index + 1), name: payload, executable: payload)
        exchange.client = Peer(
            token: UInt64(1_000 + index),
            address: payload,
            tls: tls,
            process: process,
            hello: payload
        )
        exchange.upstream = Peer(token: UInt64(3_000 + index), address: payload, tls: tls)
        exchange.messages = MessageCounts(request: 1, response: 1)
        let id = try await store.record(
            exchange,
            messages: [message(payload, .request), message(payload, .response)],
            request: bytes,
            response: bytes
        )
        var change = MarkChange()
        change.note = payload
        if let tag = try? Tag.name(payload) { change.added = [tag] }
        try store.mark([id], change)
    }

    /// Records an exchange for each form of body, each with all the payloads in it.
    static func recordBodies(_ payloads: [String], from index: Int, in store: TrafficStore) async throws {
        for (number, (type, bytes)) in bodies(payloads).enumerated() {
            var exchange = Recorded.exchange(fields: [("Content-Type", type)], length: bytes.count)
            exchange.response?.body.sha256 = digest(index + number)
            try await store.record(exchange, response: bytes)
        }
    }

    /// A digest that only this index has.
    static func digest(_ index: Int) -> [UInt8] {
        [UInt8(index >> 8 & 0xFF), UInt8(index & 0xFF)] + Array(repeating: 9, count: 30)
    }

    /// The payload as JSON has it.
    private static func quoted(_ payload: String) -> String {
        var json = JSONWriter()
        json.string(nil, payload)
        return String(decoding: json.take(), as: UTF8.self)
    }

    private static func part(_ payload: String) -> String {
        "--b\r\nContent-Disposition: form-data; name=\"\(payload)\"; filename=\"\(payload)\"\r\nContent-Type: text/html\r\nX: \(payload)\r\n\r\n\(payload)\r\n"
    }

    /// A token (RFC 7519 §3) with the payload as the name and the value of a claim.
    private static func token(_ payload: String) -> String {
        let parts = [
            "{\"alg\":\"none\",\"typ\":\(quoted(payload))}", "{\"sub\":\(quoted(payload)),\(quoted(payload)):1}",
        ]
        let coded = parts.map { part in
            Base64Encoder.text(Array(part.utf8)).replacing("+", with: "-").replacing("/", with: "_").replacing(
                "=",
                with: ""
            )
        }
        return coded.joined(separator: ".") + ".x"
    }

    private static func message(_ payload: String, _ side: MessageSide) -> StreamMessage {
        let isEvent = side == .response
        var message = StreamMessage(
            side: side,
            time: Recorded.start + 1_000,
            kind: isEvent ? .event : .webSocket,
            opcode: isEvent ? 0 : 1,
            wireBytes: Int64(payload.utf8.count),
            size: Int64(payload.utf8.count),
            payload: ByteBuffer(string: payload)
        )
        message.eventName = isEvent ? payload : nil
        message.eventID = isEvent ? payload : nil
        message.problem = payload
        return message
    }
}

extension TrafficStore {
    /// Records an exchange with messages of a stream.
    fileprivate func record(_ exchange: Exchange, messages: [StreamMessage], request: [UInt8], response: [UInt8])
        async throws -> ExchangeID
    {
        let key = UInt64.random(in: 1...UInt64.max)
        var events: [ExchangeEvent] = [.opened(key, exchange)]
        events += messages.map { .message(key, $0) }
        events.append(.ended(key, exchange, request: ByteBuffer(bytes: request), response: ByteBuffer(bytes: response)))
        let batch = events
        let receipt = await withCheckedContinuation { continuation in
            submit(CaptureBatch(events: batch) { continuation.resume(returning: $0) })
        }
        guard receipt.isRecorded, let id = receipt.ids.first else { throw NotRecorded() }
        return id
    }
}
