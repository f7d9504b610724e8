/// One thing that a rule does.
package enum RuleAction: Hashable, Sendable {
    /// The request goes elsewhere.
    case send(RuleSend)
    /// The request is changed.
    case request(MessageEdit)
    /// The rule answers, and the upstream is never dialled.
    case respond(RuleAnswers)
    /// The request is refused, and the upstream is never dialled.
    case block(RuleBlock)
    /// The response is changed, whether it is the upstream's or a rule's.
    case response(MessageEdit)
    /// The request, or the response, waits.
    case delay(RuleDelay)
    /// The exchange passes through a slow network.
    case throttle(RuleThrottle)
    /// The response fails on its way to the client.
    case fault(ResponseFault)

    /// The word for the action in a rules file.
    package var word: String {
        switch self {
        case .send: "send"
        case .request: "request"
        case .respond: "respond"
        case .block: "block"
        case .response: "response"
        case .delay: "delay"
        case .throttle: "throttle"
        case .fault: "fault"
        }
    }

    /// The message in whose phases the action is decided.
    package var side: MessageSide {
        switch self {
        case .send, .request, .respond, .block: .request
        case .response, .fault: .response
        case .delay(let delay): delay.side
        case .throttle(let throttle): throttle.side
        }
    }

    /// Whether the action only takes time, so that it is done whoever answers.
    var isPacing: Bool {
        switch self {
        case .delay, .throttle: true
        default: false
        }
    }

    /// Whether the request gets no further.
    package var isFinal: Bool {
        switch self {
        case .respond, .block: true
        case .send, .request, .response, .delay, .throttle, .fault: false
        }
    }

    /// Whether the request may go elsewhere.
    var isSend: Bool { if case .send = self { true } else { false } }

    /// Whether it has bytes pass as through a slow network.
    var isThrottle: Bool { if case .throttle = self { true } else { false } }

    /// Whether the action needs the request's body whole before it can be done.
    var needsRequestBody: Bool {
        switch self {
        case .send, .block, .delay, .throttle, .fault: false
        case .request(let edit), .response(let edit): edit.needsBody
        case .respond(let answers): answers.steps.contains(where: \.needsBody)
        }
    }

    /// How often the action can be done at all; `nil` for ever.
    var limit: Int64? { if case .respond(let answers) = self { answers.limit } else { nil } }
}
