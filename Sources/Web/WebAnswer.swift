import Foundation
import Hummingbird

/// The shapes an answer takes: JSON, plain text, or the page's own files.
enum WebAnswer {
    /// A value as one JSON document.
    ///
    /// - Throws: `EncodingError` when the value has no JSON form.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encode(value)))
        )
    }

    /// A failure, as JSON for programs and as plain text for people.
    static func failure(_ failure: WebFailure, asJSON: Bool) -> Response {
        guard asJSON, let body = try? json(["error": failure.sentence], status: failure.status) else {
            return text(failure.sentence + "\n", status: failure.status)
        }
        return body
    }

    /// A line of plain text.
    static func text(_ text: String, status: HTTPResponse.Status) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// The bytes of a value's JSON; slashes are left as they are, so that URLs stay readable.
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return try encoder.encode(value)
    }
}
