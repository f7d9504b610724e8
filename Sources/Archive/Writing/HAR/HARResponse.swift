import NIOCore
import Traffic

/// The `response` of a HAR entry; status 0 where there was none.
struct HARResponse {
    private let exchange: Exchange

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    /// Writes the member, handing bytes on while the body goes by.
    func write(
        _ contents: EntryContents,
        to json: inout JSONWriter,
        source: ArchiveSource,
        handOn: (inout JSONWriter) throws -> Void
    ) throws {
        try json.object("response") { json in
            if let message = exchange.response, HARResponse.isAnswered(exchange) {
                try answered(message, contents.response, &json, source, handOn)
            } else {
                unanswered(&json)
            }
            if let failure = exchange.failure { json.string("_error", failure.message) }
        }
    }

    /// Whether the response is written: the response of an open exchange is not whole, and that of a tunnel is ours.
    static func isAnswered(_ exchange: Exchange) -> Bool {
        exchange.response != nil && exchange.outcome != .pending && exchange.outcome != .tunnelled
    }

    private func answered(
        _ message: Message,
        _ content: BodyContent?,
        _ json: inout JSONWriter,
        _ source: ArchiveSource,
        _ handOn: (inout JSONWriter) throws -> Void
    ) throws {
        let fields = message.fields
        json.integer("status", exchange.code ?? 0)
        json.string("statusText", StatusLine(head: message.head).reason)
        json.string("httpVersion", (exchange.upstreamVersion ?? exchange.version)?.rawValue ?? "unknown")
        json.array("cookies") { json in
            for cookie in fields.values("Set-Cookie").compactMap(Cookie.set) { HARResponse.write(cookie, to: &json) }
        }
        HARFields.write(HARCoding.listed(fields), as: "headers", to: &json)
        try self.content(message, content, fields, &json, source, handOn)
        json.string("redirectURL", fields.first("Location") ?? "")
        json.integer("headersSize", message.head.readableBytes)
        json.integer("bodySize", message.body.length)
        json.integer("_transferSize", Int64(message.head.readableBytes) + message.body.length)
        if let trailers = message.trailers {
            HARFields.write(HeaderList(trailers: trailers), as: "_trailers", to: &json)
        }
        if !exchange.interim.isEmpty {
            json.array("_interim") { json in
                for head in exchange.interim {
                    json.object { json in
                        json.string("head", ByteText.passed(head))
                        json.exact("headBase64", head)
                        HARFields.write(HeaderList(head: head), as: "headers", to: &json)
                    }
                }
            }
        }
    }

    private func content(
        _ message: Message,
        _ content: BodyContent?,
        _ fields: HeaderList,
        _ json: inout JSONWriter,
        _ source: ArchiveSource,
        _ handOn: (inout JSONWriter) throws -> Void
    ) throws {
        guard let content else {
            // The bytes are frames of a WebSocket, which `_webSocketMessages` holds.
            return json.object("content") { json in
                json.integer("size", 0)
                json.string("mimeType", fields.first("Content-Type") ?? "x-unknown")
                json.string("text", "")
            }
        }
        try withoutActuallyEscaping(source) { source in
            let bytes: BodySource = { try source(exchange.id, .response, $0, $1) }
            try json.object("content") { json in
                json.integer("size", content.length)
                if !content.codings.isEmpty, content.problem == nil {
                    json.integer("compression", Int64(content.length) - message.body.length)
                }
                json.string("mimeType", fields.first("Content-Type") ?? "x-unknown")
                if let problem = content.problem { json.string("comment", problem) }
                // haralyzer asks for the text of an empty body too.
                if content.length == 0 { json.string("text", "") }
                if content.length > 0 { try HARFields.write(content, bytes, to: &json, handOn: handOn) }
            }
        }
    }

    private func unanswered(_ json: inout JSONWriter) {
        json.integer("status", 0)
        json.string("statusText", "")
        json.string("httpVersion", exchange.version?.rawValue ?? "unknown")
        json.array("cookies") { _ in }
        json.array("headers") { _ in }
        json.object("content") { json in
            json.integer("size", 0)
            json.string("mimeType", "x-unknown")
            json.string("text", "")
        }
        json.string("redirectURL", "")
        json.integer("headersSize", -1)
        json.integer("bodySize", -1)
        json.integer("_transferSize", 0)
    }

    private static func write(_ cookie: Cookie, to json: inout JSONWriter) {
        json.object { json in
            json.string("name", cookie.name)
            json.string("value", cookie.value)
            if let path = cookie.path { json.string("path", path) }
            if let domain = cookie.domain { json.string("domain", domain) }
            if let expires = cookie.expires { json.string("expires", Timestamp.text(microseconds: expires)) }
            json.boolean("httpOnly", cookie.isHTTPOnly)
            json.boolean("secure", cookie.isSecure)
            if let sameSite = cookie.sameSite { json.string("_sameSite", sameSite) }
            if let maxAge = cookie.maxAge { json.integer("_maxAge", maxAge) }
        }
    }
}
