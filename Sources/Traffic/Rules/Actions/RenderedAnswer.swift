package import NIOCore

/// A rule's answer to one request, with the values of its templates filled in: a head, and the content of its body.
package struct RenderedAnswer: Sendable {
    /// The content of the body.
    package enum Content: Hashable, Sendable {
        case bytes([UInt8])
        case file(String)
        case directory(RuleAnswer.Directory)
        case recording(ExchangeID)
    }

    package let status: Int
    /// Whether the rule says which status; else a recorded response keeps its own.
    package let namesStatus: Bool
    /// The fields that the rule names, and Content-Type where it names none and the content implies it.
    package let fields: [HeaderList.Field]
    package let content: Content

    /// Makes the answer.
    ///
    /// - Throws: `RuleFault` when a value cannot stand in a field.
    init(_ answer: RuleAnswer, rule: String, _ scope: inout TemplateScope) throws(RuleFault) {
        var edit = FieldEdit()
        edit.add = answer.fields
        var lines = HeadLines(trailers: nil)
        _ = try edit.apply(to: &lines, &scope)
        try lines.check(after: HeadLines(trailers: nil))
        let isTyped = !lines.places(of: "content-type").isEmpty
        let isJSON = lines.places(of: "content-type").first.flatMap { MediaType(lines.value($0)) }?.isJSON == true
        switch answer.content {
        case .nothing: content = .bytes([])
        case .text(let template):
            content = .bytes(Array(scope.text(template, in: isJSON ? .json : .text).utf8))
            if !isTyped { lines.add("Content-Type", "text/plain; charset=utf-8") }
        case .json(let json):
            content = .bytes(json.bytes(&scope))
            if !isTyped { lines.add("Content-Type", "application/json") }
        case .file(let path): content = .file(path)
        case .directory(let directory): content = .directory(directory)
        case .recording(let id): content = .recording(id)
        }
        if answer.isMarked { lines.add("Proxy-Status", RenderedAnswer.mark(rule)) }
        (status, namesStatus) = (answer.status, answer.namesStatus)
        fields = (0..<lines.count).map { HeaderList.Field(name: lines.name($0), value: lines.value($0)) }
    }

    /// The answer of a rule that refuses requests with a status code; its body is a text that says so.
    package init(refusing status: Int, rule: String) {
        (self.status, namesStatus) = (status, true)
        content = .bytes([])
        fields = [
            HeaderList.Field(name: "Content-Type", value: "text/plain; charset=utf-8"),
            HeaderList.Field(name: "Cache-Control", value: "no-store"),
            HeaderList.Field(name: "Proxy-Status", value: RenderedAnswer.mark(rule)),
        ]
    }

    /// `inspect; error=TYPE; details="rule NAME"`, whose string may hold ASCII only (RFC 8941 §3.3.3); without a type where there is none.
    package static func mark(_ rule: String, error: String? = nil) -> String {
        let name = rule.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case " "..."~": String(scalar)
            default: "?"
            }
        }
        return "inspect\(error.map { "; error=\($0)" } ?? ""); details=\"rule \(name.joined())\""
    }

    private init(_ answer: RenderedAnswer, status: Int, fields: [HeaderList.Field]) {
        (self.status, self.fields, content) = (status, fields, answer.content)
        namesStatus = answer.namesStatus
    }

    /// The answer with another status, and with more fields where it has none of their names.
    package func with(status: Int, fields more: [HeaderList.Field]) -> RenderedAnswer {
        let new = more.filter { field in !fields.contains { ASCII.isSame($0.name, field.name) } }
        return RenderedAnswer(self, status: status, fields: fields + new)
    }

    /// The head of a recorded response with the status that the rule names, and its fields in the place of those of their names.
    package func over(_ head: ByteBuffer) -> ByteBuffer {
        var lines = HeadLines(head: head)
        if namesStatus { lines.setStart("HTTP/1.1 \(status) \(ReasonPhrase.of(status))") }
        var written: Set<String> = []
        for field in fields where written.insert(ASCII.lower(field.name)).inserted {
            lines.set(field.name, fields.filter { ASCII.isSame($0.name, field.name) }.map(\.value))
        }
        return lines.joined
    }

    /// The head as an HTTP/1.1 server would send it, for a body of so many bytes; `nil` for a response that has none.
    package func head(length: Int?) -> ByteBuffer {
        var head = ByteBuffer(string: "HTTP/1.1 \(status) \(ReasonPhrase.of(status))\r\n")
        for field in fields { head.writeString("\(field.name): \(field.value)\r\n") }
        if let length { head.writeString("Content-Length: \(length)\r\n") }
        head.writeString("\r\n")
        return head
    }
}
