import HTTPTypes
import Hummingbird
import Traffic

/// Sends text as gzip to a client that accepts it: JSON, scripts, sheets, pages and tables from a kilobyte on.
///
/// Events stay plain, because they must not wait, and so do the bytes of a capture.
struct CodedAnswers: RouterMiddleware {
    /// Bytes below which coding costs more than it saves.
    private static let leastBytes = 1_024
    private static let types: Set<String> = [
        "application/json", "application/yaml", "application/x-ndjson", "text/html", "text/css", "text/csv",
        "text/javascript", "image/svg+xml",
    ]

    func handle(
        _ request: Request,
        context: WebContext,
        next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let type = response.headers[.contentType]?.prefix { $0 != ";" } ?? ""
        guard response.status == .ok, Self.types.contains(String(type)) else { return response }
        response.headers[.vary] = "Accept-Encoding"
        guard response.body.contentLength.map({ $0 >= Self.leastBytes }) ?? true,
            Self.takesGzip(request.headers[values: .acceptEncoding])
        else { return response }
        response.headers[.contentEncoding] = "gzip"
        if let text = response.headers[.eTag] {
            response.headers[.eTag] = EntityTag(name: String(text.dropFirst().dropLast())).coded.text
        }
        let plain = response.body
        // Lines that come as they are made are to be read as they come.
        let isFlushed = plain.contentLength == nil
        response.body = ResponseBody { writer in
            try await plain.write(GzipBodyWriter(writer, isFlushed: isFlushed))
        }
        response.headers[.contentLength] = nil
        return response
    }

    /// Whether `Accept-Encoding` admits gzip with a weight above 0 (RFC 9110 §12.5.3).
    static func takesGzip(_ fields: [String]) -> Bool {
        var isAnyTaken = false
        for part in fields.flatMap({ $0.split(separator: ",") }) {
            let words = part.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
            let isTaken = !words.dropFirst().contains { $0.hasPrefix("q=") && (Double($0.dropFirst(2)) ?? 0) <= 0 }
            switch words.first {
            case "gzip", "x-gzip": return isTaken
            case "*": isAnyTaken = isTaken
            default: break
            }
        }
        return isAnyTaken
    }
}

/// A writer that compresses what it is given and passes it on to another writer.
private struct GzipBodyWriter: ResponseBodyWriter {
    private var writer: any ResponseBodyWriter
    private let encoder = GzipEncoder()
    private let isFlushed: Bool

    init(_ writer: any ResponseBodyWriter, isFlushed: Bool) {
        (self.writer, self.isFlushed) = (writer, isFlushed)
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        let coded = try encoder.write(buffer.readableBytesView, isFlushed: isFlushed)
        if !coded.isEmpty { try await writer.write(ByteBuffer(bytes: coded)) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await writer.write(ByteBuffer(bytes: try encoder.finish()))
        try await writer.finish(trailingHeaders)
    }
}
