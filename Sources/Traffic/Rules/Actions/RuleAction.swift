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

    /// The word for the action in a rules file.
    package var word: String {
        switch self {
        case .send: "send"
        case .request: "request"
        case .respond: "respond"
        case .block: "block"
        case .response: "response"
        }
    }

    /// The message in whose phases the action is decided.
    package var side: MessageSide { if case .response = self { .response } else { .request } }

    /// Whether the request gets no further.
    package var isFinal: Bool {
        switch self {
        case .respond, .block: true
        case .send, .request, .response: false
        }
    }

    /// Whether the request may go elsewhere.
    var isSend: Bool { if case .send = self { true } else { false } }

    /// Whether the action needs the request's body whole before it can be done.
    var needsRequestBody: Bool {
        switch self {
        case .send, .block: false
        case .request(let edit), .response(let edit): edit.needsBody
        case .respond(let answers): answers.steps.contains(where: \.needsBody)
        }
    }

    /// How often the action can be done at all; `nil` for ever.
    var limit: Int64? { if case .respond(let answers) = self { answers.limit } else { nil } }
}
