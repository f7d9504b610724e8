import Support

@testable import Traffic

/// What a rule of the model answers with in the upstream's place.
struct ModelAnswer {
    /// A status and the word beside it.
    let status: (code: Int, word: String)
    /// The body; a rule with an empty one says nothing of it.
    let text: String
    /// The fields that the rule names.
    let fields: [(name: String, value: String)]

    /// An answer made up at random.
    init(_ dice: inout SeededGenerator) {
        status =
            [(200, "OK"), (404, "Not Found"), (503, "Service Unavailable")].randomElement(using: &dice) ?? (200, "OK")
        text = ["", "bar", "mine"].randomElement(using: &dice) ?? ""
        fields = Bool.random(using: &dice) ? [("X-Kind", "e"), ("Retry-After", "1")] : []
    }

    /// The answer as a rule has it.
    var answer: RuleAnswer {
        var answer = RuleAnswer()
        answer.status = status.code
        answer.content = text.isEmpty ? .nothing : .text(Template(plain: text))
        answer.fields = fields.map { FieldEdit.Field(name: $0.name, value: Template(plain: $0.value)) }
        return answer
    }

    /// The head that a client gets of it.
    ///
    /// - Parameter rule: the rule's name.
    /// - Returns: the head.
    func head(of rule: String) -> ModelHead {
        ModelHead(
            "HTTP/1.1 \(status.code) \(status.word)",
            fields.map { "\($0.name): \($0.value)" }
                + (text.isEmpty ? [] : ["Content-Type: text/plain; charset=utf-8"])
                + [ModelAnswer.mark(rule), "Content-Length: \(text.utf8.count)"]
        )
    }

    /// The field that names the rule.
    static func mark(_ rule: String) -> String { "Proxy-Status: inspect; details=\"rule \(rule)\"" }
}
