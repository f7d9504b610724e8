import Support

/// Frames of HTTP/2 by hand, for clients that keep no rule (RFC 9113 §4.1), and for upstreams.
enum H2Frames {
    /// What a client says first: the preface, and settings that change nothing.
    static let opening = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, stream: 0, [])

    /// END_STREAM, and END_HEADERS.
    static let (endStream, endHeaders): (UInt8, UInt8) = (1, 4)

    static func frame(_ type: UInt8, _ flags: UInt8, stream: UInt8 = 1, _ payload: [UInt8]) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags, 0, 0, 0, stream] + payload
    }

    /// A HEADERS frame of fields that are written as they are, without a table; each text is shorter than 127 bytes.
    static func headers(_ fields: [(String, String)], _ flags: UInt8, stream: UInt8 = 1) -> [UInt8] {
        func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
        return frame(1, flags | endHeaders, stream: stream, fields.flatMap { [0] + text($0) + text($1) })
    }

    static func data(_ text: String, _ flags: UInt8 = 0) -> [UInt8] { frame(0, flags, Array(text.utf8)) }

    /// A frame that came whole.
    typealias Frame = (type: UInt8, flags: UInt8, stream: UInt8, payload: [UInt8])

    /// The frames that came whole.
    static func read(_ bytes: [UInt8]) -> [Frame] {
        var found: [Frame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + length else { break }
            found.append((head[3], head[4], head[8], Array(rest.dropFirst(9).prefix(length))))
            rest = rest.dropFirst(9 + length)
        }
        return found
    }

    /// What an upstream does: it answers the preface with its settings, and the frames behind it as a test says.
    ///
    /// A read may end within the preface or within a frame; what has not come whole waits for the next one.
    ///
    /// - Parameters:
    ///   - unanswered: the bytes of the connection that have had no answer.
    ///   - settings: the payload of its SETTINGS frame.
    ///   - answer: from the whole frames in these bytes, of which there is at least one, to what is done about all of them; nil waits for more.
    /// - Returns: the reply; nil where it waits for more.
    static func reply(
        to unanswered: [UInt8],
        settings: [UInt8] = [],
        _ answer: ([Frame]) -> [LoopbackOrigin.Step]? = { _ in nil }
    ) -> LoopbackOrigin.Reply? {
        let prefaceBytes = 24
        // No frame begins with this letter: it would be of more than five million bytes.
        if unanswered.first == UInt8(ascii: "P") {
            guard unanswered.count >= prefaceBytes else { return nil }
            return .init(consuming: prefaceBytes, .send(frame(4, 0, stream: 0, settings)))
        }
        let frames = read(unanswered)
        guard !frames.isEmpty, let steps = answer(frames) else { return nil }
        var reply = LoopbackOrigin.Reply(consuming: frames.reduce(0) { $0 + 9 + $1.payload.count })
        reply.steps = steps
        return reply
    }
}
