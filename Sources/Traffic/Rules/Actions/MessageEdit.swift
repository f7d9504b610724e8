/// The changes to a message: to its first line, its fields, its body, its trailers.
package struct MessageEdit: Hashable, Sendable {
    /// The method, of requests.
    package var method: String?
    /// The whole target in origin-form, of requests.
    package var target: Template?
    /// The target up to its query, of requests.
    package var path: Template?
    package var query = QueryEdit()
    /// The status code, of responses.
    package var status: Int?
    package var fields = FieldEdit()
    package var trailers = FieldEdit()
    package var body = BodyEdit()

    package init() {}

    package var isEmpty: Bool { self == MessageEdit() }

    /// Whether the request's body is needed first.
    var needsBody: Bool {
        [target, path].contains { $0?.needsBody == true } || query.needsBody || fields.needsBody || trailers.needsBody
            || body.needsBody
    }

    /// Edits a head.
    ///
    /// - Returns: the changes; none where the head already says all of it.
    /// - Throws: `RuleFault` when the head would no longer be valid; the caller then drops the lines.
    func apply(to lines: inout HeadLines, _ scope: inout TemplateScope) throws(RuleFault) -> [EditChange] {
        var changes: [EditChange] = []
        if method != nil || target != nil || path != nil || !query.isEmpty {
            changes += try applyToRequestLine(of: &lines, &scope)
        }
        if let status { changes += try MessageEdit.setStatus(status, of: &lines) }
        return changes + (try fields.apply(to: &lines, &scope))
    }

    private func applyToRequestLine(
        of lines: inout HeadLines,
        _ scope: inout TemplateScope
    ) throws(RuleFault) -> [EditChange] {
        var line = try RequestLine(of: lines)
        var changes: [EditChange] = []
        if let method, method != line.method {
            guard line.method != "HEAD" else {
                throw RuleFault("a HEAD request keeps its method: its client takes no body")
            }
            guard line.method != "CONNECT" else {
                throw RuleFault("a CONNECT request keeps its method: it opens a WebSocket")
            }
            changes.append(EditChange("method", from: line.method, to: method))
            line.method = method
        }
        if let target {
            let written = try scope.path(target)
            if ExactText(written) != ExactText(line.target) {
                changes.append(EditChange("target", from: line.target, to: written))
            }
            line.target = written
        }
        if let path {
            let before = QueryString.split(line.target).path
            let written = try scope.path(path)
            if ExactText(written) != ExactText(before) {
                changes.append(EditChange("path", from: String(before), to: written))
            }
            line.target = written + line.target[before.endIndex...]
        }
        let queried = try query.apply(to: line.target, &scope)
        line.target = queried.target
        changes += queried.changes
        guard !changes.isEmpty else { return [] }
        try line.write(to: &lines)
        return changes
    }

    private static func setStatus(_ status: Int, of lines: inout HeadLines) throws(RuleFault) -> [EditChange] {
        guard let start = lines.start else { return [] }
        let line = start.utf8.split(separator: ASCII.space, maxSplits: 2, omittingEmptySubsequences: false)
        let parts = line.map { Substring($0) }
        guard parts.count >= 2, let before = Int(parts[1]) else { throw RuleFault("the response has no status line") }
        guard before != status else { return [] }
        guard ![204, 304].contains(before), before >= 200 else {
            throw RuleFault("a response with status \(before) has no body, which \(status) may have")
        }
        let reason = parts[0] == "HTTP/2" ? "" : ReasonPhrase.of(status)
        lines.setStart("\(parts[0]) \(status)" + (parts[0] == "HTTP/2" ? "" : " \(reason)"))
        return [EditChange("status", from: String(before), to: String(status))]
    }
}
