/// How many messages of a stream each side of an exchange has sent.
package struct MessageCounts: Hashable, Sendable, Codable {
    /// By the client.
    package var request: Int64 = 0
    /// By the upstream.
    package var response: Int64 = 0

    package init(request: Int64 = 0, response: Int64 = 0) {
        self.request = request
        self.response = response
    }

    /// Both sides together.
    package var total: Int64 { request + response }

    /// Counts one of a side.
    package mutating func add(_ side: MessageSide) {
        switch side {
        case .request: request += 1
        case .response: response += 1
        }
    }
}
