import NIOCore
import Synchronization
import Traffic

/// Answers one request as a rule says.
struct RuleAnswerSource: AnswerSource {
    let answer: SuppliedAnswer

    func answer(_ request: AskedRequest, _ give: @escaping @Sendable (SuppliedAnswer) -> Void) { give(answer) }
}

extension RuleAnswerSource {
    /// An answer whose content is in memory.
    init(_ answer: RenderedAnswer, _ bytes: [UInt8]) {
        let body = bytes.isEmpty ? nil : RuleBytes(bytes)
        // These have no content, and must not say how long it is (RFC 9110 §8.6).
        let length = [204, 304].contains(answer.status) ? nil : bytes.count
        self.init(answer: .response(head: answer.head(length: length), body: body))
    }
}

/// Content that is in memory, given whole.
private final class RuleBytes: SuppliedBody {
    private let rest: Mutex<ByteBuffer?>

    init(_ bytes: [UInt8]) { rest = Mutex(ByteBuffer(bytes: bytes)) }

    func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
        give(.success(rest.withLock { $0.take() } ?? ByteBuffer()))
    }
}
