import NIOCore
import Traffic

/// The `request` of a HAR entry.
struct HARRequest {
    /// A longer body that is no text is written in `postData` only, so that an import can read an entry whose two bodies are as long as they may be.
    static let repeatedLimitBytes = 4 << 20

    private let exchange: Exchange
    private let url: String
    private let fields: HeaderList

    init(_ exchange: Exchange, url: String) {
        self.exchange = exchange
        self.url = url
        fields = exchange.request.fields
    }

    /// Whether the entry has the request's body.
    static func hasContent(_ exchange: Exchange) -> Bool {
        exchange.request.body.length > 0 && exchange.outcome != .tunnelled && !exchange.isWebSocket
    }

    /// Writes the member, handing bytes on while the body goes by.
    func write(
        _ contents: EntryContents,
        to json: inout JSONWriter,
        source: ArchiveSource,
        handOn: (inout JSONWriter) throws -> Void
    ) throws {
        let message = exchange.request
        try json.object("request") { json in
            json.string("method", exchange.method)
            json.string("url", url)
            json.string("httpVersion", exchange.version?.rawValue ?? "unknown")
            json.array("cookies") { json in
                for cookie in fields.values("Cookie").flatMap(Cookie.sent) {
                    json.object { json in
                        json.string("name", cookie.name)
                        json.string("value", cookie.value)
                    }
                }
            }
            HARFields.write(fields, as: "headers", to: &json)
            json.array("queryString") { json in
                for item in exchange.scheme == nil ? [] : QueryString.items(exchange.target) {
                    json.object { json in
                        json.string("name", item.name)
                        json.string("value", item.value)
                    }
                }
            }
            try body(contents, &json, source, handOn)
            json.integer("headersSize", message.head.readableBytes)
            json.integer("bodySize", message.body.length)
            if let trailers = message.trailers {
                HARFields.write(HeaderList(trailers: trailers), as: "_trailers", to: &json)
            }
        }
    }

    /// `postData`, where bytes that are no text are base64; unless they are many, also HTTP Toolkit's `_content`, since HAR 1.2 has no encoding
    /// there.
    private func body(
        _ contents: EntryContents,
        _ json: inout JSONWriter,
        _ source: ArchiveSource,
        _ handOn: (inout JSONWriter) throws -> Void
    ) throws {
        guard let content = contents.request else { return }
        try withoutActuallyEscaping(source) { source in
            let bytes: BodySource = { try source(exchange.id, .request, $0, $1) }
            try json.object("postData") { json in
                json.string("mimeType", fields.first("Content-Type") ?? "application/octet-stream")
                if let problem = content.problem { json.string("comment", problem) }
                try HARFields.write(content, bytes, to: &json, handOn: handOn)
            }
            guard contents.isRepeated else { return }
            try json.object("_content") { json in
                json.integer("size", content.length)
                try HARFields.write(content, bytes, to: &json, handOn: handOn)
            }
        }
    }
}
