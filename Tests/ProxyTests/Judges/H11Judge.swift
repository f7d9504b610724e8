import Foundation
import Support

/// Python's h11 as the judge of bytes: one process reads every connection's, strictly, and says what requests they are.
enum H11Judge {
    /// A request as h11 reads it.
    struct Request: Hashable, Codable {
        let method: String
        let target: String
        let fieldCount: Int
        let bodyBytes: Int
        /// Names in lower case, values, in the order they came, those of a trailer section last.
        let fields: [[String]]
        /// Its content.
        let body: Data
    }

    /// What h11 says of one connection.
    struct Verdict: Codable {
        let requests: [Request]
        /// Whether a request was begun and not ended.
        let isUnfinished: Bool
        /// Its error, in words; nil when it accepts everything.
        let error: String?
    }

    private static let program = """
        import base64, json, sys, h11
        verdicts = []
        for line in sys.stdin:
            connection = h11.Connection(h11.SERVER, max_incomplete_event_size=1 << 20)
            requests, error, request, body = [], None, None, b""
            try:
                connection.receive_data(base64.b64decode(line))
                while True:
                    event = connection.next_event()
                    if event in (h11.NEED_DATA, h11.PAUSED) or isinstance(event, h11.ConnectionClosed):
                        break
                    if isinstance(event, h11.Request):
                        request, body = event, b""
                    elif isinstance(event, h11.Data):
                        body += event.data
                    elif isinstance(event, h11.EndOfMessage):
                        requests.append({"method": request.method.decode(), "target": request.target.decode("latin-1"),
                                         "fieldCount": len(request.headers), "bodyBytes": len(body),
                                         "body": base64.b64encode(body).decode(),
                                         "fields": [[name.decode(), value.decode("latin-1")]
                                                    for part in (request.headers, event.headers)
                                                    for name, value in part]})
                        request = None
                        connection.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
                        connection.send(h11.EndOfMessage())
                        if connection.our_state is not h11.DONE or connection.their_state is not h11.DONE:
                            break
                        connection.start_next_cycle()
            except h11.RemoteProtocolError as problem:
                error = str(problem)
            unfinished = request is not None or bool(connection.trailing_data[0])
            verdicts.append({"requests": requests, "isUnfinished": unfinished, "error": error})
        json.dump(verdicts, sys.stdout)
        """

    /// Judges the bytes that each of some connections received.
    ///
    /// - Throws: `CommandLineTool.Missing` when the tests' Python is not there; `Failed` when it cannot judge.
    static func judge(_ connections: [[UInt8]]) async throws -> [Verdict] {
        let python = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build/venv/bin/python").path
        let input = connections.map { Data($0).base64EncodedString() + "\n" }.joined()
        let result = try await CommandLineTool.run(python, ["-c", program], input: Array(input.utf8))
        guard result.status == 0 else { throw Failed(reason: result.errors) }
        return try JSONDecoder().decode([Verdict].self, from: Data(result.outputBytes))
    }

    /// Whether one request, which the proxy sends with nothing behind it, has come to its end.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard let headEnd = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return false }
        let head = String(decoding: bytes[..<headEnd], as: UTF8.self).lowercased()
        guard head.contains("\r\ntransfer-encoding:") else { return RawRequest(first: bytes) != nil }
        let body = Array("\r\n".utf8) + bytes[headEnd...]
        return body.firstRange(of: Array("\r\n0\r\n".utf8)) != nil && body.suffix(4) == Array("\r\n\r\n".utf8)[...]
    }

    /// The judge did not come to a verdict.
    struct Failed: Error, CustomStringConvertible {
        let reason: String
        var description: String { "h11 in .build/venv (the README's test command makes it): \(reason)" }
    }
}
