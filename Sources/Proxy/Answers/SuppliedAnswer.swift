package import NIOCore
package import Traffic

/// The answer to a request that no upstream gets.
package enum SuppliedAnswer: Sendable {
    /// A response: its head as an HTTP/1.1 server would send it, and its content; `nil` where there is none.
    ///
    /// Fields that concern one connection are replaced on the way to the client, as for any upstream.
    case response(head: ByteBuffer, body: (any SuppliedBody)?)
    /// No response, as from an upstream that broke the connection: the client gets our own answer, which says so.
    case failure(ExchangeFailure)
    /// No response and no answer of ours: the connection, or the stream, is broken off.
    case close
}

extension SuppliedAnswer {
    /// What keeps a response's head from a client, one sentence; `nil` where nothing does.
    ///
    /// - Parameters:
    ///   - head: the head, as `response` takes it.
    ///   - method: of the request that it answers.
    /// - Returns: the sentence.
    package static func problem(of head: ByteBuffer, answering method: String) -> String? {
        do throws(MessageProblem) {
            _ = try HTTP1HeadParser.response(head, to: method, limits: ProxyConfiguration().headLimits)
            return nil
        } catch {
            return error.message
        }
    }
}
