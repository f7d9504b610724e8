import NIOHTTP1
import Testing

/// llhttp as the judge of our parser: what we accept, it accepts too, and reads the same in it.
@Suite(.timeLimit(.minutes(15)))
struct LLHTTPTests {
    private static let knownMethods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT",
    ]

    @Test("Requests that we accept are the same to llhttp", arguments: 0..<8)
    func requests(seed: Int) throws {
        var messages = MutatedMessages(seed: UInt64(seed))
        var accepted = 0
        for _ in 0..<1_000 {
            let bytes = messages.request()
            guard let ours = try ReadMessage.byUs(bytes, isRequest: true), isExpected(ours.startLine) else { continue }
            accepted += 1
            compare(ours, bytes, isRequest: true)
        }
        #expect(accepted > 100, "a corpus that we refuse wholly shows nothing")
    }

    /// Whether llhttp is to accept a request line that our parser does: it has a list of methods, where a method is any token (RFC 9110 §9.1),
    /// and it reads the target, which our parser leaves to the route and otherwise passes on as it came.
    private func isExpected(_ startLine: String) -> Bool {
        let parts = startLine.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, Self.knownMethods.contains(String(parts[0])), parts[1].utf8.allSatisfy({ $0 < 0x80 })
        else { return false }
        return parts[1].hasPrefix("/") || parts[1] == "*" || parts[1].hasPrefix("http://a.test/")
    }

    @Test("Responses that we accept are the same to llhttp", arguments: 0..<8)
    func responses(seed: Int) throws {
        var messages = MutatedMessages(seed: UInt64(seed + 100))
        var accepted = 0
        for _ in 0..<1_000 {
            let bytes = messages.response()
            guard let ours = try ReadMessage.byUs(bytes, isRequest: false) else { continue }
            accepted += 1
            compare(ours, bytes, isRequest: false)
        }
        #expect(accepted > 100, "a corpus that we refuse wholly shows nothing")
    }

    private func compare(_ ours: ReadMessage, _ bytes: [UInt8], isRequest: Bool) {
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        do {
            let theirs = try ReadMessage.byLLHTTP(bytes, isRequest: isRequest)
            if ours.isComplete {
                #expect(theirs == ours, "\(text)")
            } else {
                #expect(theirs?.isComplete != true, "\(text)")
            }
        } catch {
            // What we still wait for the rest of, llhttp may have refused already.
            if ours.isComplete, !isStricter(error, text) {
                Issue.record("llhttp refuses with \(error) what we accept: \(text)")
            }
        }
    }

    /// What llhttp refuses though the standard allows it: a tab behind a length (RFC 9110 §5.6.3), and chunk extensions that are not plain
    /// tokens (RFC 9112 §7.1.1), which end at the line's end for everybody.
    private func isStricter(_ error: any Error, _ text: String) -> Bool {
        switch error as? HTTPParserError {
        case .some(.invalidContentLength): text.contains("\\t\\r\\n")
        case .some(.strictModeAssertion): text.contains(/\\r\\n[0-9A-Fa-f]+;/)
        default: false
        }
    }
}
