/// A moment of an exchange at which rules are judged; the raw value is the word of the record.
package enum RulePhase: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// A client asks for a tunnel: only the host and the port are known.
    case connect
    /// The request's head came.
    case requestHead = "request-head"
    /// The request's body came whole.
    case requestBody = "request-body"
    /// The response's head came, from the upstream or from a rule in its place.
    case responseHead = "response-head"
    /// The response's body came whole.
    case responseBody = "response-body"

    /// The phase in which a message's head came.
    package static func head(of side: MessageSide) -> RulePhase { side == .request ? .requestHead : .responseHead }

    /// The phase in which a message's body came whole: the last one for that message.
    package static func body(of side: MessageSide) -> RulePhase { side == .request ? .requestBody : .responseBody }

    /// The message that is passing in the phase.
    package var side: MessageSide { self < .responseHead ? .request : .response }

    private var order: Int {
        switch self {
        case .connect: 0
        case .requestHead: 1
        case .requestBody: 2
        case .responseHead: 3
        case .responseBody: 4
        }
    }

    package static func < (left: RulePhase, right: RulePhase) -> Bool { left.order < right.order }
}
