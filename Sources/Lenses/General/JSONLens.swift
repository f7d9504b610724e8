import Traffic

/// Any other API that speaks JSON.
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
        if isProblem, let value = try? capture.response.json(), value.isObject {
            view.response = "\(code), problem: \(problem(value, &view.sections))"
            if code < 400 { view.failure = "The answer says \(code), but its body describes a problem." }
            return view
        }
        if let shape = section("Response", capture.response, &view.sections) { view.response = "\(code), \(shape)" }
        if code < 400, let value = try? capture.response.json(), let failure = JSONFailure.hidden(in: value) {
            view.failure = "The answer says \(code), but \(failure)."
        }
        return view
    }

    /// Adds a body as a tree, and says its shape; `nil` where there is none.
    private func section(_ title: String, _ body: CapturedBody, _ sections: inout [LensSection]) -> String? {
        guard !body.isEmpty else { return nil }
        do throws(JSONReader.Problem) {
            let value = try body.json()
            let nodes = JSONShape.nodes(value)
            if !nodes.isEmpty { sections.append(LensSection(title, .tree(nodes))) }
            return JSONShape.words(value)
        } catch {
            let values = JSONReader.values(body.bytes)
            guard values.count > 1 else { return "a body that \(error)" }
            return "\(values.count) JSON texts after one another, the first: \(values.first.map(JSONShape.words) ?? "")"
        }
    }

    /// The members of RFC 9457 §3.1 as fields, its extensions as a tree.
    private func problem(_ value: JSONValue, _ sections: inout [LensSection]) -> String {
        let names = ["type", "title", "status", "detail", "instance"]
        let fields = names.compactMap { name in value[name].map { LensField(name, LensText(JSONShape.text($0), .bad)) }
        }
        sections.append(LensSection("Problem", .fields(fields)))
        if case .object(let members) = value {
            let rest = members.filter { !names.contains($0.name) }
            if !rest.isEmpty { sections.append(LensSection("More about it", .tree(JSONShape.nodes(.object(rest))))) }
        }
        let texts = [value["title"]?.string, value["detail"]?.string].compactMap { $0 }
        return texts.isEmpty ? value["type"]?.string ?? "about:blank" : texts.joined(separator: ": ")
    }
}
