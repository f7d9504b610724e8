import Support

/// An upstream that answers in several shapes and keeps each request beside the bytes it answered: the truth that a record is held to.
final class RecordingOrigin: Sendable {
    /// One request and its answer, as they were on the origin's wire.
    struct Answered: Sendable {
        let request: RawRequest
        let answer: OriginAnswer
    }

    let origin: LoopbackOrigin
    private let log: Watched<[Answered]>

    private init(origin: LoopbackOrigin, log: Watched<[Answered]>) {
        self.origin = origin
        self.log = log
    }

    /// Starts it, over TLS when there is a certificate.
    static func start(tls: LoopbackOrigin.TLS? = nil) async throws -> RecordingOrigin {
        let log = Watched<[Answered]>([])
        let zipped = try await CommandLineTool.run("gzip", ["-nc"], input: Array(OriginAnswer.text.utf8)).outputBytes
        let script = RawRequest.answering { request in
            let answer = OriginAnswer(to: request, zipped: zipped)
            log.update { $0.append(Answered(request: request, answer: answer)) }
            return answer.wire
        }
        return RecordingOrigin(origin: try await LoopbackOrigin.start(tls: tls, script: script), log: log)
    }

    var port: Int { origin.port }

    /// Every request that came, with its answer, in the order they were whole.
    var answered: [Answered] { log.value }
}

/// What the origin answers to a path.
struct OriginAnswer: Sendable {
    /// The text of several answers: more than one packet, with characters of more than one byte.
    static let text = String(repeating: "Käse, 干酪, сыр. ", count: 400)

    /// The head as sent.
    let head: [UInt8]
    /// The body without framing.
    let content: [UInt8]
    /// Head and body as sent.
    let wire: [UInt8]

    /// Chooses by the target's path; anything unknown is a 404.
    init(to request: RawRequest, zipped: [UInt8]) {
        let path = request.target.prefix { $0 != "?" }
        let text = Array(Self.text.utf8)
        switch path {
        case "/length":
            // Case, order, duplicates, blanks, a byte that is no UTF-8 and a reason of its own: all of it has to arrive.
            self.init(
                "HTTP/1.1 200 Fine, thanks",
                ["X-First: 1", "set-cookie: a=1", "Set-Cookie: b=2", "X-Odd:   spaced  out  ", "X-Latin: caf\u{e9}"]
                    + ["content-TYPE: text/plain; charset=utf-8"],
                content: text,
                request
            )
        case "/chunked":
            self.init("HTTP/1.1 200 OK", ["Content-Type: text/plain"], content: text, request, isChunked: true)
        case "/gzip":
            self.init(
                "HTTP/1.1 200 OK",
                ["Content-Type: text/plain; charset=utf-8", "Content-Encoding: gzip"],
                content: zipped,
                request
            )
        case "/nothing": self.init("HTTP/1.1 204 Nothing", ["X-Nothing: yes"], content: [], request)
        case "/moved": self.init("HTTP/1.1 301 Moved", ["Location: /length?moved"], content: [], request)
        case "/page":
            let page =
                "<!doctype html><title>A page</title><link rel=icon href=data:,><p id=p>before</p><script src=\"/script.js?by=chromium\"></script>"
            self.init("HTTP/1.1 200 OK", ["Content-Type: text/html"], content: Array(page.utf8), request)
        case "/script.js":
            // A request of the page's own, and what it got put where --dump-dom shows it.
            let script =
                "const r = new XMLHttpRequest(); r.open('POST', '/echo?by=chromium', false); r.send('from the page');"
                + " document.getElementById('p').textContent = 'the origin said ' + r.responseText;"
            self.init("HTTP/1.1 200 OK", ["Content-Type: text/javascript"], content: Array(script.utf8), request)
        case "/echo": self.init("HTTP/1.1 200 OK", ["Content-Type: text/plain"], content: request.content, request)
        default: self.init("HTTP/1.1 404 No such thing", [], content: Array("no\n".utf8), request)
        }
    }

    private init(_ line: String, _ fields: [String], content: [UInt8], _ request: RawRequest, isChunked: Bool = false) {
        let isBodiless = line.contains(" 204 ")
        let framing = isBodiless ? [] : [isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(content.count)"]
        head = ([line] + fields + framing).flatMap { Self.latin1($0) + [13, 10] } + [13, 10]
        self.content = request.method == "HEAD" || isBodiless ? [] : content
        wire = head + (isChunked ? Self.chunked(self.content) : self.content)
    }

    /// A character a byte, so that a head can hold what is no UTF-8.
    private static func latin1(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    private static func chunked(_ content: [UInt8]) -> [UInt8] {
        let pieces = stride(from: 0, to: content.count, by: 1000).flatMap { start -> [UInt8] in
            let piece = content[start..<min(start + 1000, content.count)]
            return Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
        }
        return pieces + Array("0\r\n\r\n".utf8)
    }
}
