import NIOCore

/// What the head of a message says of its body.
struct BodyKind {
    /// Fields that are true of the former body only, and stay as they are.
    private static let digests = ["etag", "content-md5", "digest", "content-digest", "repr-digest"]

    private(set) var type: MediaType?
    /// The charset of its text; `nil` for one that cannot be read.
    private(set) var charset: Charset?
    /// Its content codings, in the order in which they were applied.
    let codings: [String]
    /// The codings that the body goes out with: the same ones, unless a rule changes the field.
    var sentCodings: [String]
    /// The fields that are true of the former body only, as they are written.
    let digests: [String]
    /// Why there is nothing to edit, in words that follow `skipped:`; `nil` where there is.
    let refusal: String?
    /// Whether there is a body nevertheless, which goes on as it came.
    let isLeft: Bool

    /// Reads a head.
    ///
    /// - Parameters:
    ///   - head: the head as it came.
    ///   - side: whose.
    ///   - summary: the exchange.
    init(head: ByteBuffer, _ side: MessageSide, of summary: ExchangeSummary) {
        let fields = HeaderList(head: head)
        type = MediaType(fields.first("Content-Type"))
        charset = Charset.of(type)
        codings = ContentCoding.names(of: fields)
        sentCodings = codings
        digests = fields.map(\.name).filter { BodyKind.digests.contains(ASCII.lower($0)) }
        let unknown = codings.first { ContentCoding(name: $0) == nil }
        let start = HeadLines(head: head).start ?? ""
        let absence = BodyKind.absence(of: side, start, fields, summary)
        isLeft = absence == nil || absence == BodyKind.part
        if let absence {
            refusal = absence
        } else if let unknown {
            refusal = "the content coding '\(unknown.shortened(to: 20))' is unknown"
        } else if codings.count > ContentDecoder.codingsLimit {
            refusal = "the body has \(codings.count) content codings"
        } else {
            refusal = nil
        }
    }

    private static let part = "an answer with status 206 is a part of a body"

    /// Why a message has no body that can be edited.
    private static func absence(
        of side: MessageSide,
        _ start: String,
        _ fields: HeaderList,
        _ summary: ExchangeSummary
    ) -> String? {
        let upgrade = fields.first("Upgrade").map { ASCII.isSame($0, "websocket") } ?? false
        if summary.version == .webSocket || summary.method == "CONNECT" || upgrade {
            return "the messages of a WebSocket are no body"
        }
        let hasLength = fields.first("Content-Length") != nil
        guard side == .response else {
            let isHTTP2 = summary.version == .http2
            let isBare = !isHTTP2 || ["GET", "HEAD", "OPTIONS", "TRACE", "DELETE"].contains(summary.method)
            let isFramed = hasLength || fields.first("Transfer-Encoding") != nil
            return isBare && !isFramed ? "the request has no body" : nil
        }
        if summary.method == "HEAD" { return "the answer to HEAD has no body" }
        let code = start.utf8.split(separator: ASCII.space).dropFirst().first.flatMap { Int(Substring($0)) } ?? 0
        switch code {
        case 101: return "the messages of a WebSocket are no body"
        case 204, 205, 304: return "an answer with status \(code) has no body"
        case 206: return part
        default: return nil
        }
    }

    private init(_ kind: BodyKind, codings: [String], charset: Charset?) {
        (type, digests, refusal, isLeft) = (kind.type, kind.digests, kind.refusal, kind.isLeft)
        (self.codings, sentCodings, self.charset) = (codings, codings, charset)
    }

    /// The same for a new content, which is written as the head says that goes out.
    func written(under lines: HeadLines) -> BodyKind {
        let new = MediaType(lines.places(of: "content-type").first.map { lines.value($0) })
        guard new != type else { return self }
        var kind = self
        (kind.type, kind.charset) = (new, Charset.of(new))
        return kind
    }

    /// The same for bytes from an archive, which have no codings left.
    func decoded(isUTF8: Bool) -> BodyKind { BodyKind(self, codings: [], charset: isUTF8 ? .utf8 : charset) }
}
