/// A JSON text with templates in its strings, the answer of `respond: {json: …}`.
package indirect enum JSONTemplate: Hashable, Sendable {
    /// A number, `true`, `false` or `null`, as it was written.
    case literal(String)
    case string(Template)
    case array([JSONTemplate])
    case object([Member])

    /// A member of an object; the order is kept.
    package struct Member: Hashable, Sendable {
        var name: String
        var value: JSONTemplate
    }

    /// Whether the request's body is needed first.
    var needsBody: Bool {
        switch self {
        case .literal: false
        case .string(let template): template.needsBody
        case .array(let elements): elements.contains(where: \.needsBody)
        case .object(let members): members.contains { $0.value.needsBody }
        }
    }

    /// Bytes that its text has at least, whatever the values are.
    var leastBytes: Int {
        switch self {
        case .literal(let text): text.utf8.count
        case .string(let template): template.leastBytes
        case .array(let elements): elements.reduce(0) { $0 + $1.leastBytes }
        case .object(let members): members.reduce(0) { $0 + $1.name.utf8.count + $1.value.leastBytes }
        }
    }

    /// The JSON text for one exchange; values are escaped as JSON strings.
    ///
    /// It ends early where `scope` has no room left, which `check` says.
    func bytes(_ scope: inout TemplateScope) -> [UInt8] {
        var out: [UInt8] = []
        if scope.hasRoom(for: leastBytes) { write(to: &out, &scope) }
        return out
    }

    private func write(to out: inout [UInt8], _ scope: inout TemplateScope) {
        guard scope.isWhole else { return }
        switch self {
        case .literal(let text): if scope.take(text.utf8.count) { out += text.utf8 }
        case .string(let template):
            let text = scope.text(template)
            let quoted = JSONWriter.quoted(text)
            if scope.take(quoted.utf8.count - text.utf8.count) { out += quoted.utf8 }
        case .array(let elements):
            out.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() where scope.isWhole {
                if index > 0 { out.append(ASCII.comma) }
                element.write(to: &out, &scope)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() where scope.take(member.name.utf8.count) {
                if index > 0 { out.append(ASCII.comma) }
                out += JSONWriter.quoted(member.name).utf8
                out.append(ASCII.colon)
                member.value.write(to: &out, &scope)
            }
            out.append(UInt8(ascii: "}"))
        }
    }
}
