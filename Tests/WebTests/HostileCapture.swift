import NIOCore
import Store
import Traffic

/// Exchanges that have a payload in every field a peer or a person can fill.
enum HostileCapture {
    /// What would run or call out if it were taken for anything but text; `BEACON` stands for an address that must never be asked.
    static let payloads = [
        "<script>window.__ran=1</script>",
        "\"><img src=x onerror=window.__ran=1>",
        "'><svg onload=window.__ran=1>",
        "javascript:window.__ran=1",
        "</pre></td></table><iframe srcdoc='<script>parent.__ran=1</script>'></iframe>",
        "{{constructor.constructor('window.__ran=1')()}}",
        "${window.__ran=1}`${window.__ran=1}`",
        "<a href=javascript:window.__ran=1 id=detail autofocus onfocus=window.__ran=1>x</a>",
        "<base href=BEACON>",
        "<link rel=stylesheet href=BEACON><link rel=preconnect href=BEACON><link rel=prefetch href=BEACON>",
        "<style>@import 'BEACON';*{background:url(BEACON)}</style>",
        "<img src=BEACON><img srcset=BEACON><video poster=BEACON><audio src=BEACON autoplay>",
        "<object data=BEACON></object><embed src=BEACON>",
        "<form action=BEACON id=find><input name=query></form><script>document.forms[0].submit()</script>",
        "<meta http-equiv=refresh content='0;url=BEACON'>",
        "</title></textarea></style></script><script>fetch('BEACON')</script>",
        "<svg><script href=BEACON></script><use href=BEACON#x></use><image href=BEACON></svg>",
        "<math><mi xlink:href=javascript:window.__ran=1>x</mi></math>",
        "<details open ontoggle=window.__ran=1><summary>x</summary></details>",
        "<body onload=window.__ran=1 onpageshow=window.__ran=1>",
        "<input autofocus onfocus=window.__ran=1 onblur=window.__ran=1>",
        "<marquee onstart=window.__ran=1>x</marquee><blink>",
        "<template><script>window.__ran=1</script></template><slot>",
        "\u{202E}<script>window.__ran=1</script>\u{2066}",
        "<scr\u{0}ipt>window.__ran=1</scr\u{0}ipt>",
        "+ADw-script+AD4-window.__ran=1+ADw-/script+AD4-",
        "&lt;script&gt;window.__ran=1&lt;/script&gt;&#x3c;script&#x3e;",
        "\\u003cscript\\u003ewindow.__ran=1\\u003c/script\\u003e",
        "';window.__ran=1;//\";window.__ran=1;//--></script>]]>",
        "data:text/html,<script>window.__ran=1</script>",
        "vbscript:x blob:x //BEACON /\\BEACON",
        "__proto__ constructor toString hasOwnProperty [object Object] NaN undefined null -0 1e999",
    ]

    /// How many fields of an exchange have the payload.
    static let fieldCount = 32

    /// The body that carries a payload, by the payload's place: every kind of view gets some.
    private static func body(_ payload: String, _ index: Int) -> (type: String, bytes: [UInt8]) {
        let quoted = payload.unicodeScalars.map {
            $0 == "\"" || $0 == "\\" ? "\\\($0)" : $0.value < 0x20 ? "\\u000\($0.value)" : String($0)
        }.joined()
        let all: [(String, String)] = [
            ("application/json", "{\"\(quoted)\": [\"\(quoted)\", {\"__proto__\": {\"\(quoted)\": 1}}]}"),
            ("text/html; charset=utf-8", "<!doctype html><html><body>\(payload)</body></html>"),
            (
                "image/svg+xml",
                "<svg xmlns='http://www.w3.org/2000/svg' onload='window.__ran=1'><script>window.__ran=1</script>\(payload)</svg>"
            ),
            ("image/png", "<html><script>window.__ran=1</script>\(payload)</html>"),
            ("text/csv", "\(payload),b\n\"\(payload.replacing("\"", with: "\"\""))\",=cmd()"),
            ("application/x-www-form-urlencoded", "a=\(payload)&\(payload)=1"),
            (
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"\(payload)\"; filename=\"\(payload)\"\r\nContent-Type: text/html\r\nX: \(payload)\r\n\r\n\(payload)\r\n--b--\r\n"
            ),
            (
                "application/xml",
                "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x SYSTEM 'BEACON'>]><a b='\(payload)'>&x;\(payload)</a>"
            ),
            (payload, payload),
            ("text/plain; charset=utf-7", payload),
        ]
        let (type, text) = all[index % all.count]
        return (type, Array(text.utf8))
    }

    /// Records an exchange with the payload everywhere, two messages of a stream among it; marks it with a tag and a note.
    static func record(_ payload: String, _ index: Int, in store: TrafficStore) async throws {
        let (type, bytes) = body(payload, index)
        var exchange = Recorded.exchange(
            method: payload,
            host: payload,
            target: "/\(payload)?\(payload)=\(payload)",
            fields: [
                ("Content-Type", type), ("X-Payload", payload), (payload, "x"),
                ("Set-Cookie", "\(payload)=\(payload); Path=\(payload)"),
            ],
            length: bytes.count
        )
        let head =
            "\(payload) /\(payload)?\(payload)=\(payload) HTTP/1.1\r\nHost: \(payload)\r\nCookie: \(payload)=\(payload)\r\n\(payload): \(payload)\r\n"
            + "Authorization: Bearer \(payload)\r\nContent-Type: text/html\r\n\r\n"
        exchange.request.head = ByteBuffer(string: head)
        exchange.request.sentHead = ByteBuffer(string: "X-Sent: \(payload)\r\n" + head)
        exchange.request.trailers = ByteBuffer(string: "X-Trailer: \(payload)\r\n")
        exchange.request.body = Body(
            length: Int64(bytes.count),
            kept: Int64(bytes.count),
            sha256: Array(repeating: UInt8(index + 100), count: 32)
        )
        exchange.response?.body.sha256 = Array(repeating: UInt8(index + 100), count: 32)
        exchange.response?.trailers = ByteBuffer(string: "\(payload): \(payload)\r\n")
        exchange.interim = [ByteBuffer(string: "HTTP/1.1 103 \(payload)\r\nLink: \(payload)\r\n\r\n")]
        exchange.ownResponse = ByteBuffer(string: "HTTP/1.1 502 \(payload)\r\n\r\n\(payload)")
        exchange.warnings = [payload]
        exchange.mediaType = payload
        exchange.outcome = .failed
        exchange.failure = ExchangeFailure(side: .upstream, phase: .receive, cause: payload, message: payload)
        let tls = Peer.TLS(
            version: payload,
            serverName: payload,
            applicationProtocol: payload,
            certificates: [Array(payload.utf8)]
        )
        exchange.client = Peer(token: UInt64(100 + index), address: payload, tls: tls)
        exchange.upstream = Peer(token: UInt64(300 + index), address: payload, tls: tls)
        exchange.messages = MessageCounts(request: 1, response: 1)
        let id = try await store.record(
            exchange,
            messages: [message(payload, .request), message(payload, .response)],
            request: bytes,
            response: bytes
        )
        var change = MarkChange()
        change.note = payload
        try store.mark([id], change)
    }

    private static func message(_ payload: String, _ side: MessageSide) -> StreamMessage {
        var message = StreamMessage(
            side: side,
            time: Recorded.start + 1_000,
            kind: .event,
            opcode: 0,
            wireBytes: Int64(payload.utf8.count),
            size: Int64(payload.utf8.count),
            payload: ByteBuffer(string: payload)
        )
        message.eventName = payload
        message.eventID = payload
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
