/// Why rules do not look into a body, in the words that follow `skipped:` in a record; they are the same live and in a dry run.
package enum RuleGap {
    /// The bytes of one body that are kept for rules at most, as they came, where nothing else is said.
    package static let limitBytes = 8 << 20

    /// Why a body of messages is not waited for.
    package static let endless = "the body is a stream, which has no end to wait for"

    /// Why no more of a response is waited for that has ended too early.
    package static let brokenOff = "the response broke off"

    /// Why rules do not look into a request's body whose end did not come.
    package static let requestNotWhole = "the request's body had not come whole"

    /// Why a body was not edited to its end, or not at all.
    package static let notWhole = "the body did not come whole"

    /// Why a body is looked through no further.
    static let tooMuch = "rules look for too much in the body"

    /// Why a body is not kept whole that has more than so many bytes.
    package static func over(_ limitBytes: Int) -> String { "body over \(limitBytes >> 20) MiB" }

    /// Why a recorded body would not have been waited for; `nil` where it would.
    ///
    /// - Throws: what the subject throws.
    static func atHead(of side: MessageSide, _ subject: some FilterSubject) throws -> String? {
        try isEndless(side, subject) ? endless : nil
    }

    /// Why a recorded body that was waited for would not have been kept whole; `nil` where it would.
    ///
    /// - Parameters:
    ///   - side: whose body.
    ///   - subject: the exchange.
    ///   - limitBytes: the bytes that would have been kept.
    /// - Returns: why.
    /// - Throws: what the subject throws.
    static func inBody(of side: MessageSide, _ subject: some FilterSubject, _ limitBytes: Int) throws -> String? {
        guard let message = try subject.message(side) else { return nil }
        if message.body.length > limitBytes { return over(limitBytes) }
        guard try isBrokenOff(side, subject) else { return nil }
        return side == .response ? brokenOff : requestNotWhole
    }

    /// Whether a recorded body ended too early: its exchange did, and nothing says that the body is whole.
    ///
    /// - Throws: what the subject throws.
    static func isBrokenOff(_ side: MessageSide, _ subject: some FilterSubject) throws -> Bool {
        let summary = subject.summary
        guard [.failed, .cancelled].contains(summary.outcome), let message = try subject.message(side) else {
            return false
        }
        if let length = try subject.declaredLength(side) { return message.body.length < length }
        return side == .response || [.request, .send].contains(summary.failure?.phase)
    }

    private static func isEndless(_ side: MessageSide, _ subject: some FilterSubject) throws -> Bool {
        let summary = subject.summary
        switch side {
        case .request:
            // A WebSocket of HTTP/2 is asked for by a CONNECT with a path (RFC 8441 §4).
            if summary.method == "CONNECT" { return true }
            return isStream(MediaType(try subject.message(.request)?.field("Content-Type")))
        case .response:
            let opened = summary.method == "CONNECT" ? 200...299 : 101...101
            if summary.version == .webSocket, opened.contains(summary.code ?? 0) { return true }
            if summary.mediaType == "text/event-stream" || isStream(MediaType(summary.mediaType)) { return true }
            guard MediaType(summary.mediaType)?.isOpenEnded == true else { return false }
            return try subject.message(.response)?.field("Content-Length") == nil
        }
    }

    /// Whether a body of the type is a call of gRPC, or of gRPC-Web.
    private static func isStream(_ type: MediaType?) -> Bool {
        guard let essence = type?.essence, essence.hasPrefix("application/grpc") else { return false }
        return ["application/grpc", "application/grpc-web", "application/grpc-web-text"].contains { name in
            essence == name || essence.hasPrefix("\(name)+")
        }
    }
}
