import Traffic

/// Requests as a Postman collection (format 2.1.0), which Insomnia, Bruno and Hoppscotch read too.
///
/// A body that is no text has mode `file` with its bytes as base64 in `content`; the item's description says so. Postman replaces `{{name}}` in a
/// URL, a field or a text by the reader's own variables, tokens among them, and has no escape for it. So a captured text that contains it is written
/// as bytes, and a field that does is left out.
package struct PostmanCollection: RequestScript {
    private static let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
    /// The beginning of a variable's name.
    private static let variableMark = "{{"
    private let name: String

    /// - Parameter name: the name of the collection in Postman.
    package init(name: String = "inspect") { self.name = name }

    package var beginning: String {
        var json = JSONWriter()
        json.object { json in
            json.string("name", name)
            json.string("schema", PostmanCollection.schema)
        }
        return "{\"info\":" + String(decoding: json.take(), as: UTF8.self) + ",\"item\":["
    }

    package var ending: String { "]}\n" }

    package func write(_ request: SentRequest, isFirst: Bool, to write: ([UInt8]) throws -> Void) throws {
        var json = JSONWriter()
        if !isFirst { try write([ASCII.comma]) }
        try json.object { json in
            json.string("name", "\(request.method) \(request.escapedTarget.prefix { $0 != "?" })")
            try json.object("request") { json in
                json.string("method", request.method)
                json.array("header") { json in
                    for field in request.fields
                    where field.name.lowercased() != "transfer-encoding" && !PostmanCollection.namesVariable(field.text)
                    {
                        json.object { json in
                            json.string("key", field.name)
                            json.string("value", field.text)
                        }
                    }
                }
                url(request, &json)
                try body(request, &json, write)
                let remarks = remarks(request)
                if !remarks.isEmpty { json.string("description", remarks.joined(separator: " ")) }
            }
            json.array("response") { _ in }
        }
        try write(json.take())
    }

    /// Whether Postman may read a variable's name in a text.
    private static func namesVariable(_ text: String) -> Bool { text.contains(variableMark) }

    /// Whether the body is written as base64.
    private func isBytes(_ request: SentRequest) -> Bool {
        switch request.content {
        case .none: false
        case .text(let text): PostmanCollection.namesVariable(text)
        case .bytes: true
        }
    }

    /// Remarks for the reader of a request.
    private func remarks(_ request: SentRequest) -> [String] {
        var remarks = Array(request.remarks.dropFirst())
        let left = request.fields.filter { PostmanCollection.namesVariable($0.text) }.map(\.name)
        if !left.isEmpty {
            remarks.append("Left out, since Postman would put variables into them: \(left.joined(separator: ", ")).")
        }
        if isBytes(request) { remarks.append("The body is base64 in file.content.") }
        return remarks
    }

    private func url(_ request: SentRequest, _ json: inout JSONWriter) {
        json.object("url") { json in
            json.string("raw", request.url)
            json.string("protocol", request.scheme.rawValue)
            json.array("host") { json in
                let isAddress = request.host.contains(":") || request.host.allSatisfy { $0.isNumber || $0 == "." }
                let host = PercentCoding.encoded(request.host.utf8, keeping: .url)
                for part in isAddress ? [host[...]] : host.split(separator: ".") {
                    json.string(nil, String(part))
                }
            }
            if request.port != request.scheme.defaultPort { json.string("port", String(request.port)) }
            let target = request.escapedTarget
            json.array("path") { json in
                let path = target.prefix { $0 != "?" }.dropFirst()
                for part in path.split(separator: "/", omittingEmptySubsequences: false) {
                    json.string(nil, String(part))
                }
            }
            guard let mark = target.firstIndex(of: "?") else { return }
            json.array("query") { json in
                for part in target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
                {
                    let equals = part.firstIndex(of: "=")
                    json.object { json in
                        json.string("key", String(part[..<(equals ?? part.endIndex)]))
                        json.string("value", equals.map { String(part[part.index(after: $0)...]) })
                    }
                }
            }
        }
    }

    private func body(_ request: SentRequest, _ json: inout JSONWriter, _ write: ([UInt8]) throws -> Void) throws {
        switch request.content {
        case .none: return
        case .text(let text) where !isBytes(request):
            json.object("body") { json in
                json.string("mode", "raw")
                json.string("raw", text)
            }
        case .text, .bytes:
            try json.object("body") { json in
                json.string("mode", "file")
                try json.object("file") { json in
                    json.openString("content")
                    // Each piece but the last is a multiple of three bytes, so the pieces' digits join.
                    try request.eachPiece { piece in
                        json.append(ascii: Base64Encoder.text(piece).utf8)
                        try write(json.take())
                    }
                    json.closeString()
                }
            }
        }
    }
}
