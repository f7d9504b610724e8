/// Which of an exchange's two messages.
package enum MessageSide: String, Hashable, Sendable, Codable, CaseIterable {
    case request, response
}
