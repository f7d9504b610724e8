/// A text with values of the exchange in it: `Shop/9 ${reqheader.User-Agent}`.
///
/// `$${` stands for `${`; every other `$` is itself.
package struct Template: Hashable, Sendable {
    /// A stretch of a template.
    enum Part: Hashable, Sendable {
        case text(String)
        case value(TemplateName)
    }

    /// Characters of a template.
    static let limit = 1 << 20

    let parts: [Part]
    /// Bytes that it has at least, whatever the values are.
    let leastBytes: Int

    /// A template without values.
    package init(plain text: String) { self.init(text.isEmpty ? [] : [.text(text)]) }

    private init(_ parts: [Part]) {
        self.parts = parts
        leastBytes = parts.reduce(0) { count, part in
            switch part {
            case .text(let text): count + text.utf8.count
            case .value(let name): count + name.leastBytes
            }
        }
    }

    /// Reads a template.
    ///
    /// - Parameters:
    ///   - text: the template.
    ///   - groups: the groups of the regular expression whose match it replaces; `nil` where it replaces none.
    /// - Throws: `ValueProblem` when it is too long, or a value in it has no such name.
    init(_ text: String, groups: Int? = nil) throws(ValueProblem) {
        guard text.utf8.count <= Template.limit else {
            throw ValueProblem("the text is longer than 1 MiB; put it into a file")
        }
        var parts: [Part] = []
        var plain = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            if rest[..<start.lowerBound].last == "$" {
                plain += rest[..<start.lowerBound].dropLast() + "${"
                rest = rest[start.upperBound...]
                continue
            }
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                throw ValueProblem("this ${ is never closed; for the text ${ itself write $${")
            }
            plain += rest[..<start.lowerBound]
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
            parts.append(.value(try TemplateName(rest[start.upperBound..<end], groups: groups)))
            rest = rest[rest.index(after: end)...]
        }
        plain += rest
        if !plain.isEmpty { parts.append(.text(plain)) }
        self.init(parts)
    }

    /// The text of a template without values; `nil` when it has some.
    package var plain: String? {
        switch parts.count {
        case 0: return ""
        case 1: if case .text(let text) = parts[0] { return text } else { return nil }
        default: return nil
        }
    }

    /// Whether the request's body is needed first.
    var needsBody: Bool {
        parts.contains { if case .value(let name) = $0 { name.isOfBody } else { false } }
    }
}
