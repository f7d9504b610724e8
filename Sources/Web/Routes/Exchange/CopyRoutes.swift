import Archive
import Hummingbird
import Store
import Traffic

/// One exchange as a text for the clipboard: a command, a program, or the messages as they passed.
struct CopyRoutes {
    /// The form of the text; each has the name that `inspect export` gives it.
    private enum Format: String, CaseIterable {
        case curl, httpie, python, javascript, swift, raw, har
    }

    /// Bytes of a text at most; a clipboard takes no more in good time.
    private static let limitBytes = 32 << 20

    let store: StoreDoor
    let version: String

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/exchanges/{id}/copy") { request, context in try await copy(request, context) }
    }

    private func copy(_ request: Request, _ context: WebContext) async throws -> Response {
        let exchange = try await store.exchange(context)
        let query = QueryItems(request.uri.query ?? "")
        guard let format = Format(rawValue: query.first("format") ?? "curl") else {
            let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw WebFailure(.badRequest, "format is one of \(names).")
        }
        let masks: Bool
        switch query.first("redact") {
        case nil, "0": masks = false
        case "1": masks = true
        default: throw WebFailure(.badRequest, "redact is 1 or 0.")
        }
        let bytes = try await store.read { store in
            let record = ExchangeRecord(exchange: exchange, summary: try store.summaries(of: [exchange.id]).first)
            guard masks else { return try text(of: record, as: format, store, store.body) { $0 } }
            let redactor = Redactor.fresh()
            try redactor.learn(record, source: store.body) { try store.messages(of: $0, after: $1, limit: 100) }
            let masked = try redactor.redact(record, source: store.body)
            return try text(of: masked, as: format, store) { id, side, offset, limit in
                try redactor.body(id, side, offset, limit, source: store.body)
            } message: {
                redactor.message($0)
            }
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/plain; charset=utf-8",
                .contentDisposition: "attachment; filename=\"exchange-\(exchange.id).txt\"",
                .contentSecurityPolicy: "default-src 'none'; sandbox",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    private func text(
        of record: ExchangeRecord,
        as format: Format,
        _ store: TrafficStore,
        _ source: @escaping ArchiveSource,
        message: (StreamMessage) -> StreamMessage
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        func write(_ more: [UInt8]) throws {
            guard bytes.count + more.count <= Self.limitBytes else {
                throw WebFailure(.badRequest, "The text is too long for a clipboard; export the exchange as a file.")
            }
            bytes += more
        }
        switch format {
        case .curl: try script(CurlCommand(), record, source, write)
        case .httpie: try script(HTTPieCommand(), record, source, write)
        case .python: try script(PythonScript(), record, source, write)
        case .javascript: try script(JavaScriptModule(), record, source, write)
        case .swift: try script(SwiftScript(), record, source, write)
        case .raw: try RawMessages(source: source).write(record, to: write)
        case .har:
            var next: ExchangeRecord? = record
            _ = try withoutActuallyEscaping(message) { message in
                try HAR.write(
                    creatorVersion: version,
                    scope: .all,
                    source: source,
                    messages: { try store.messages(of: $0, after: $1, limit: 100).map(message) },
                    next: {
                        defer { next = nil }
                        return next
                    },
                    to: write
                )
            }
        }
        return bytes
    }

    /// A command or program that sends the request again.
    private func script(
        _ script: some RequestScript,
        _ record: ExchangeRecord,
        _ source: @escaping ArchiveSource,
        _ write: ([UInt8]) throws -> Void
    ) throws {
        guard let request = try SentRequest(record, source: source) else {
            throw WebFailure(
                .conflict,
                "Tunnels, WebSockets and requests that could not be read cannot be sent again."
            )
        }
        try write(Array(script.beginning.utf8))
        try script.write(request, isFirst: true, to: write)
        try write(Array(script.ending.utf8))
    }
}
