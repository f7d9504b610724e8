/// When a test of the query language is known while an exchange is under way.
extension FilterTest {
    /// The phase from which the test is known for certain; `nil` when that is not before the exchange has ended.
    ///
    /// A test of either message looks at the message of `side`.
    func phase(for side: MessageSide) -> RulePhase? {
        switch self {
        case .facet(let facet, let wanted):
            switch facet {
            case .host, .process: .connect
            case .method, .scheme, .version: .requestHead
            case .type: .responseHead
            case .code: wanted.allSatisfy(\.isCode) ? .responseHead : nil
            default: nil
            }
        case .number(let number, _):
            switch number {
            case .port: .connect
            case .reqsize: .requestHead
            case .size: .responseHead
            case .time, .id: nil
            }
        case .line(let line, _):
            switch line {
            case .path, .url, .query: .requestHead
            case .session, .note: nil
            }
        case .header: .head(of: ownSide ?? side)
        case .body, .json, .text: .body(of: ownSide ?? side)
        case .since, .before, .trait, .message: nil
        }
    }

    /// The message that the test names; `nil` where it names none, or either.
    var ownSide: MessageSide? {
        switch self {
        case .header(let side, _), .body(let side, _): side
        default: nil
        }
    }

    /// Whether the test looks at the message that an action changes, whichever that is.
    var isOfEitherSide: Bool {
        switch self {
        case .header(nil, _), .body(nil, _), .json, .text: true
        default: false
        }
    }

    /// Whether the test asks which program sent the request.
    var isOfProcess: Bool { if case .facet(.process, _) = self { true } else { false } }

    /// Whether the test tells a WebSocket from other exchanges.
    var isOfWebSocket: Bool {
        switch self {
        case .facet(.scheme, _), .facet(.version, _), .line(.url, _): true
        default: false
        }
    }

    /// Whether the test looks into a body.
    var looksIntoBody: Bool {
        switch self {
        case .body, .json, .text: true
        default: false
        }
    }

    /// Values any of which will do.
    var valueCount: Int {
        switch self {
        case .facet(_, let wanted): wanted.count
        case .number(_, let ranges): ranges.count
        case .line(_, let patterns), .body(_, let patterns), .message(let patterns): patterns.count
        case .header(_, let patterns): patterns.count
        case .json(let patterns): patterns.count
        case .trait(let traits): traits.count
        case .since, .before, .text: 1
        }
    }

    /// Whether the test looks into a body, or at its length.
    var looksAtContent: Bool {
        switch self {
        case .number(.size, _), .number(.reqsize, _): true
        default: looksIntoBody
        }
    }

    /// Whether the test is about the response alone.
    var isOfResponse: Bool {
        !isOfEitherSide && phase(for: .request).map { $0.side == .response } == true
    }

    /// Why a rule cannot use the test, as a sentence; `nil` where it can.
    var refusal: String? {
        guard phase(for: .request) == nil else { return nil }
        switch self {
        case .facet(.client, _), .facet(.lens, _):
            return "the client and the lens are named once an exchange has ended, too late for a rule"
        case .facet(.code, _):
            return "how an exchange ends is not known while it is under way; a rule takes codes such as 404 or 5xx"
        case .number(.time, _), .facet(.outcome, _):
            return "how an exchange ends and how long it takes is not known while it is under way"
        case .since, .before:
            return "a rule is judged when the exchange happens; to end a rule after a while, say 'expires: 2h'"
        case .message:
            return "messages of a stream are judged with the action 'message', which comes with a later version"
        case .number(.id, _), .line(.session, _), .line(.note, _), .facet(.tag, _), .facet(.rule, _), .trait:
            return "this is said of recorded exchanges, and a rule is judged before the exchange is recorded"
        default: return "this is not known while an exchange is under way"
        }
    }
}

extension FacetSelector {
    /// Whether it asks for a value of the facet Code that a response can have.
    fileprivate var isCode: Bool {
        switch self {
        case .exactly(let value): Int(value) != nil
        case .codes, .like: true
        case .host, .kind: false
        }
    }
}
