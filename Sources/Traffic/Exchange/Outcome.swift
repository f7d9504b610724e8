/// Pending, completed, failed or tunnelled; every exchange leaves `pending` exactly once.
package enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// Request and response were read whole.
    case completed
    /// It ended early; `Exchange.failure` says where and why.
    case failed
    /// It is still open.
    case pending
    /// A CONNECT whose bytes were passed through unread.
    case tunnelled
}
