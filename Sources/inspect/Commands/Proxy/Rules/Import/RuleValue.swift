/// A value of a rule as YAML has it on one line.
indirect enum RuleValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// A name with its value.
    struct Member {
        let name: String
        let value: RuleValue

        /// `name: value`.
        var flow: String { "\(YAMLScalar.key(name)): \(value.flow)" }
    }

    /// A text that stands for itself.
    case text(String)
    /// A number, `true`, `reset`: what is written without quotes.
    case word(String)
    case list([RuleValue])
    case members([Member])

    /// A text in the place of a template, which replaces nothing in it.
    static func plain(_ text: String) -> RuleValue { .text(escaped(text)) }

    /// A text as a template has it.
    static func escaped(_ text: String) -> String { text.replacing("${", with: "$${") }

    /// A word that stands in our own code.
    init(stringLiteral word: String) { self = .word(word) }

    /// A list.
    init(arrayLiteral elements: RuleValue...) { self = .list(elements) }

    /// Members; those without a value are left out.
    init(dictionaryLiteral members: (String, RuleValue?)...) {
        self = .members(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// The value on one line.
    var flow: String {
        switch self {
        case .text(let text): YAMLScalar.quoted(text)
        case .word(let word): word
        case .list(let elements): "[\(elements.map(\.flow).joined(separator: ", "))]"
        case .members(let members): "{\(members.map(\.flow).joined(separator: ", "))}"
        }
    }
}
