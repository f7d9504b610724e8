/// The page that a browser gets instead of JSON: the request, the status, the fields and the indented body.
enum BrowsablePage {
    /// Renders a page.
    ///
    /// - Parameters:
    ///   - title: the name of the view.
    ///   - request: the request.
    ///   - answer: the answer in JSON, whose fields are shown.
    ///   - body: the body of that answer.
    ///   - remark: a sentence below the title, where the view has one.
    /// - Returns: the page's text.
    static func html(title: String, request: IncomingRequest, answer: Answer, body: JSON, remark: String?) -> String {
        let target = request.path + (request.rawQuery.map { "?\($0)" } ?? "")
        let fields = answer.headers.map { "<b>\($0.name.htmlEscaped):</b> \($0.value.htmlEscaped)" }
        return """
            <!DOCTYPE html>
            <html>
            <head><meta charset="utf-8"><title>\(title.htmlEscaped) – What's Open</title></head>
            <body>
            <h1>\(title.htmlEscaped)</h1>
            \(remark.map { "<p>\($0.htmlEscaped)</p>" } ?? "")
            <pre><b>\(request.method.htmlEscaped)</b> \(target.htmlEscaped)</pre>
            <pre><b>HTTP \(answer.status)</b>
            \(fields.joined(separator: "\n"))

            \(body.indentedText.htmlEscaped)</pre>
            </body>
            </html>

            """
    }
}
