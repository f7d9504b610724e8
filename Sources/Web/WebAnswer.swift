import Hummingbird
import Traffic

/// The forms of an answer: JSON, plain text, or the page's own files.
enum WebAnswer {
    /// A JSON document that has been written.
    static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    /// A JSON object with these members.
    static func json(status: HTTPResponse.Status = .ok, _ members: (inout JSONWriter) -> Void) -> Response {
        var json = JSONWriter()
        json.object(nil, members)
        json.newline()
        return self.json(bytes: json.take(), status: status)
    }

    /// A failure, as JSON for programs and as plain text for people.
    static func failure(_ failure: WebFailure, asJSON: Bool) -> Response {
        guard asJSON else { return text(failure.sentence + "\n", status: failure.status) }
        return json(status: failure.status) { json in
            json.string("error", failure.sentence)
            if let column = failure.column { json.integer("column", column) }
            if let wayOut = failure.wayOut { json.string("wayOut", wayOut.rawValue) }
        }
    }

    /// A line of plain text.
    static func text(_ text: String, status: HTTPResponse.Status) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
