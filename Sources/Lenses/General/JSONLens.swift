package import Traffic

/// The lens of any other API that speaks JSON.
package struct JSONLens: Lens {
    package let name = "json"
    package let title = "JSON API"

    package init() {}

    package var grounds: LensGrounds { .remainder }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        guard case .remainder = evidence else { return false }
        return exchange.responseType.map { $0.hasSuffix("json") } == true
            || exchange.requestType.map { $0.hasSuffix("json") } == true
    }

    package func view(_ capture: Capture) -> LensView {
        var view = LensView(of: self, request: "\(capture.exchange.method) \(capture.path)")
        let parameters = QueryString.items(capture.exchange.target)
        if !parameters.isEmpty {
            view.sections.append(LensSection("Parameters", .fields(parameters.map { LensField($0.name, $0.value) })))
        }
        if let shape = section("Request", capture.request, &view.sections) { view.request += ", \(shape)" }
        guard let code = capture.exchange.code else { return view }
        view.response = "\(code)"
        guard !capture.response.isEmpty else { return view }
        let isProblem = capture.exchange.mediaType == "application/problem+json"
        if isProblem, let value = try? JSONLens.shown(capture.response), value.isObject {
            view.response = "\(code), problem: \(problem(value, &view.sections))"
            if code < 400 { view.failure = "The answer says \(code), but its body describes a problem." }
            return view
        }
        if let shape = section("Response", capture.response, &view.sections) { view.response = "\(code), \(shape)" }
        if code < 400, let value = try? capture.response.looseJSON(), let failure = JSONFailure.hidden(in: value) {
            view.failure = "The answer says \(code), but \(failure)."
        }
        return view
    }

    /// Reads a body with the digits of every number.
    private static func shown(_ body: CapturedBody) throws(JSONReader.Problem) -> JSONValue {
        try body.shownJSON(marking: ExactNumbers.isUnlikeDouble)
    }

    /// Adds a body as a tree, and returns its shape in words; `nil` where there is no body.
    private func section(_ title: String, _ body: CapturedBody, _ sections: inout [LensSection]) -> String? {
        guard !body.isEmpty else { return nil }
        do throws(JSONReader.Problem) {
            let value = try JSONLens.shown(body)
            let nodes = JSONShape.nodes(value)
            if !nodes.isEmpty { sections.append(LensSection(title, .tree(nodes), isInBody: true)) }
            return JSONShape.words(value)
        } catch {
            return JSONLens.several(body.bytes) ?? "a body that \(error)"
        }
    }

    /// The words for several texts after one another, as in JSON lines; `nil` where there are fewer than two.
    ///
    /// - Parameters:
    ///   - bytes: the texts.
    ///   - limit: the most bytes that are read, which also bounds the values: each takes at least one byte.
    /// - Returns: the count of the texts, and the shape of the first.
    static func several(_ bytes: [UInt8], limit: Int = JSONBound.valuesLimit) -> String? {
        let values = JSONReader.values(Array(bytes.prefix(limit)))
        guard values.count > 1, let first = values.first else { return nil }
        let count = bytes.count > limit ? "more than \(values.count)" : "\(values.count)"
        return "\(count) JSON texts after one another, the first: \(JSONShape.words(first))"
    }

    /// Adds the members of a problem (RFC 9457 §3.1) as fields and its extensions as a tree, and returns the problem in words.
    private func problem(_ value: JSONValue, _ sections: inout [LensSection]) -> String {
        let names = ["type", "title", "status", "detail", "instance"]
        let fields = names.compactMap { name in value[name].map { LensField(name, LensText(JSONShape.text($0), .bad)) }
        }
        sections.append(LensSection("Problem", .fields(fields)))
        if case .object(let members) = value {
            let rest = members.filter { !names.contains($0.name) }
            if !rest.isEmpty {
                let nodes = JSONShape.nodes(.object(rest))
                sections.append(LensSection("More about it", .tree(nodes), isInBody: true))
            }
        }
        func text(_ name: String) -> String? { value[name].flatMap { $0.longDigits == nil ? $0.string : nil } }
        let texts = [text("title"), text("detail")].compactMap { $0 }
        return texts.isEmpty ? text("type") ?? "about:blank" : texts.joined(separator: ": ")
    }
}
