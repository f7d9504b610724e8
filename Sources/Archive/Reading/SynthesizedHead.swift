import NIOCore
import Traffic

/// Makes heads from the fields that an archive lists, in the form of the record.
///
/// An export leaves out every head that its fields give again; writing and reading agree because both call this function.
enum SynthesizedHead {
    /// A request's head.
    static func request(_ method: String, _ target: String, _ version: HTTPVersion?, _ fields: [HeaderList.Field])
        -> ByteBuffer
    {
        head("\(method) \(target) \(token(version))", fields)
    }

    /// A response's head.
    static func response(_ version: HTTPVersion?, _ code: Int, _ reason: String, _ fields: [HeaderList.Field])
        -> ByteBuffer
    {
        // HTTP/2 has no reason phrase, and so no blank before it.
        head(reason.isEmpty && version == .http2 ? "HTTP/2 \(code)" : "\(token(version)) \(code) \(reason)", fields)
    }

    /// A start line with fields and the empty line.
    static func head(_ line: String, _ fields: [HeaderList.Field]) -> ByteBuffer {
        var head = ByteBuffer(string: line + "\r\n")
        head.writeImmutableBuffer(lines(fields))
        head.writeString("\r\n")
        return head
    }

    /// Field lines alone.
    static func lines(_ fields: some Sequence<HeaderList.Field>) -> ByteBuffer {
        var lines = ByteBuffer()
        for field in fields { lines.writeString("\(field.name): \(field.value)\r\n") }
        return lines
    }

    /// The start line of a head as text.
    static func line(of head: ByteBuffer) -> String {
        ByteText.passed(head.readableBytesView.prefix { $0 != ASCII.carriageReturn && $0 != ASCII.lineFeed })
    }

    private static func token(_ version: HTTPVersion?) -> String {
        switch version {
        case .http10: "HTTP/1.0"
        case .http2: "HTTP/2"
        // A request of HTTP/3 is sent again as one of HTTP/1.1.
        case .http11, .http3, .webSocket, nil: "HTTP/1.1"
        }
    }
}
