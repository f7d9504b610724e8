/// How an exchange stands: every exchange leaves `pending` exactly once.
package enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// Request and response were read whole, or the client left with all that it needed: the head of a redirect, or a WebSocket that a side has closed.
    case completed
    /// It ended early, though its client was still there; `Exchange.failure` says where and why.
    case failed
    /// The client went away before the end; `Exchange.failure` says how far it had come.
    case cancelled
    /// It is still open.
    case pending
    /// A CONNECT whose bytes were passed through unread.
    case tunnelled
}
