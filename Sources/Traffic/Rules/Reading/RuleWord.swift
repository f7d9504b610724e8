/// The words that a rule is written with.
enum RuleWord: String, CaseIterable {
    case name, when, off, group, note, times, skip, every, chance, seed, expires, stop, tag
    case send, request, respond, block, response
    case delay, throttle, fault, hold, message, script

    /// Whether it names an action.
    var isAction: Bool {
        switch self {
        case .send, .request, .respond, .block, .response, .delay, .throttle, .fault, .hold, .message, .script: true
        case .name, .when, .off, .group, .note, .times, .skip, .every, .chance, .seed, .expires, .stop, .tag: false
        }
    }

    /// Whether this version refuses the word, rather than ignoring it in silence.
    var isLater: Bool {
        switch self {
        case .hold, .message, .script: true
        default: false
        }
    }
}
