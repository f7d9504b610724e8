package import Traffic

/// The lens of forms as browsers send them.
package struct FormLens: Lens {
    package let name = "form"
    package let title = "Form"

    package init() {}

    package var grounds: LensGrounds { .remainder }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        guard case .remainder = evidence else { return false }
        return exchange.requestType == "application/x-www-form-urlencoded"
            || exchange.requestType == "multipart/form-data"
    }

    package func view(_ capture: Capture) -> LensView {
        var view = LensView(of: self, request: "\(capture.exchange.method) \(capture.path)")
        view.response = capture.exchange.code.map { code in
            guard let type = capture.exchange.mediaType else { return "\(code)" }
            return (300..<400).contains(code)
                ? "\(code), on to \(capture.responseField("Location") ?? "nowhere")" : "\(code), \(type)"
        }
        let type = MediaType(capture.requestField("Content-Type"))
        if type?.essence == "multipart/form-data" {
            let boundary = type?.parameters.first { $0.name == "boundary" }?.value
            parts(MultipartBody.parts(capture.request.bytes, boundary: boundary), &view)
        } else {
            let items = FormItem.items(capture.request.text)
            view.request += ", form with \(items.count.counted("field"))"
            var fields = items.prefix(FormLens.shownLimit).map { LensField($0.name, $0.value) }
            if items.count > fields.count {
                fields.append(LensField("…", LensText("\(items.count - fields.count) more", .faint)))
            }
            view.sections.append(LensSection("Fields", .fields(fields)))
        }
        return view
    }

    /// The most fields that are shown.
    private static let shownLimit = 500

    private func parts(_ parts: [MultipartBody.Part]?, _ view: inout LensView) {
        guard let parts else {
            view.request += ", parts that cannot be told apart"
            return
        }
        let files = parts.count { $0.fileName != nil }
        view.request += ", form with \(parts.count.counted("part"))"
        if files > 0 { view.request += ", \(files.counted("file"))" }
        let rows = parts.map { part in
            [
                LensText(part.name ?? "(no name)", part.name == nil ? .warning : .plain),
                LensText(part.shown ?? "", .plain), LensText(part.fileName ?? ""), LensText(part.type ?? "", .faint),
                LensText("\(part.bytes.count)" + (part.isCut ? ", cut short" : ""), part.isCut ? .warning : .plain),
            ]
        }
        let columns = ["name", "value", "file", "type", "bytes"]
        view.sections.append(LensSection("Parts", .table(LensTable(columns: columns, rows: rows))))
    }
}
