/// One of the two messages of an exchange.
package enum MessageSide: String, Hashable, Sendable, Codable, CaseIterable {
    case request, response
}
