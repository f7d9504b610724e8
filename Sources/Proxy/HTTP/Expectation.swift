import NIOCore
import Traffic

/// What a client expects before it sends a body (RFC 9110 §10.1.1): `100-continue`, which passes to the upstream, or nothing we know.
enum Expectation {
    /// Checks the Expect fields of a request.
    ///
    /// The upstream might read another member than `100-continue`, or a second one, differently from us; such a request is refused with 417.
    /// HTTP/1.0 has no expectations, and the field means nothing there.
    static func check(_ head: RequestHead) throws(MessageProblem) {
        guard head.version != .http10, head.fields.contains("expect") else { return }
        guard head.fields.values("expect").count == 1, isMade(by: head) else {
            throw MessageProblem("Expect is something other than 100-continue.", code: 417, cause: .expectation)
        }
    }

    /// Whether a client waits for 100 before it sends its body.
    static func isMade(by head: RequestHead) -> Bool {
        head.version != .http10
            && head.fields.indices.contains {
                head.fields.isNamed("expect", at: $0) && head.fields.isValue("100-continue", at: $0)
            }
    }
}
