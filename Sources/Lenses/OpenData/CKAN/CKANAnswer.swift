import Traffic

/// An answer of the portal, by what its body holds.
enum CKANAnswer: Sendable {
    /// There is no response, or it has no body.
    case nothing
    /// `success` is true, with its `result`.
    case result(JSONValue)
    /// `success` is false.
    case refused(CKANRefusal)
    /// A JSON string instead of an envelope, as for an action that does not exist.
    case sentence(String)
    /// A page for people, with its title.
    case page(title: String)
    /// JSON that is no envelope.
    case foreign(JSONValue)
    /// No JSON; the text says why not.
    case unreadable(String)

    /// Reads a body.
    ///
    /// - Returns: the answer, and whether it names an address with help.
    static func read(_ body: CapturedBody) -> (answer: CKANAnswer, hasHelp: Bool) {
        guard !body.isEmpty else { return (.nothing, false) }
        do throws(ExactJSON.Problem) {
            let value = try body.strictJSON()
            return (CKANAnswer(value), value["help"]?.string != nil)
        } catch {
            let start = ByteText.repaired(body.bytes.prefix(HTMLPage.limitBytes))
            let page = HTMLPage(start).map { CKANAnswer.page(title: $0.title) }
            return (page ?? .unreadable(body.problem ?? "the body \(error)"), false)
        }
    }

    private init(_ value: JSONValue) {
        if let text = value.string {
            self = .sentence(text)
        } else if value["success"]?.boolean == true, let result = value["result"] {
            self = .result(result)
        } else if value["success"]?.boolean == false {
            self = .refused(CKANRefusal(value["error"] ?? .null))
        } else {
            self = .foreign(value)
        }
    }

    /// The result of a call that succeeded; `nil` for any other answer.
    var result: JSONValue? { if case .result(let value) = self { value } else { nil } }

    /// An answer that is no result, in a few words; `nil` for a result.
    var failure: String? {
        switch self {
        case .result: nil
        case .nothing: "no body"
        case .refused(let refusal): refusal.sentence
        case .sentence(let text): text
        case .page(let title): title.isEmpty ? "an HTML page" : "the HTML page “\(title)”"
        case .foreign(let value): "\(value.kind) that has no success and result"
        case .unreadable(let problem): problem
        }
    }
}
