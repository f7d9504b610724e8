/// The changes to a message's body: its text or file, JSON, form, replacements, and what stands before it and behind it, in this order.
package struct BodyEdit: Hashable, Sendable {
    /// Another content.
    package enum Content: Hashable, Sendable {
        case text(Template)
        /// The bytes of a file, read when the rules were.
        case file(name: String, bytes: [UInt8])
    }

    /// The content in the body's place; `nil` for its own.
    package var content: Content?
    package var json = JSONEdit()
    package var form = FormEdit()
    package var replace: [TextReplacement] = []
    package var prepend: Template?
    package var append: Template?

    package init() {}

    package var isEmpty: Bool { self == BodyEdit() }

    /// Whether the request's body is needed first.
    var needsBody: Bool {
        var templates = [prepend, append].compactMap { $0 } + replace.map(\.with)
        if case .text(let text) = content { templates.append(text) }
        return templates.contains(where: \.needsBody) || json.needsBody || form.needsBody
    }

    /// The changes one by one, with the values of templates filled in.
    ///
    /// - Parameters:
    ///   - scope: the values.
    ///   - place: where the texts stand, which says how values are written in them.
    /// - Returns: the changes in the order in which they are done.
    func steps(_ scope: inout TemplateScope, in place: TemplatePlace) -> [BodyStep] {
        var steps: [BodyStep] = []
        switch content {
        case .text(let text): steps.append(.text(scope.text(text, in: place)))
        case .file(_, let bytes): steps.append(.bytes(bytes))
        case nil: break
        }
        if !json.isEmpty { steps.append(.json(json.ready(&scope))) }
        if !form.isEmpty { steps.append(.form(form.ready(&scope))) }
        for replacement in replace { steps.append(.replace(replacement.ready(&scope, in: place))) }
        if let prepend { steps.append(.prepend(scope.text(prepend, in: place))) }
        if let append { steps.append(.append(scope.text(append, in: place))) }
        return steps
    }
}
