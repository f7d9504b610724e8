/// A response that a rule gives in the upstream's place.
package struct RuleAnswer: Hashable, Sendable {
    /// The content of the response's body.
    package enum Content: Hashable, Sendable {
        case nothing
        case text(Template)
        case json(JSONTemplate)
        /// The bytes of a file.
        case file(String)
        /// The file in a directory that the request's path names.
        case directory(Directory)
        /// The response of a recorded exchange.
        case recording(ExchangeID)
    }

    /// A directory of files to answer with.
    package struct Directory: Hashable, Sendable {
        /// What happens when there is no such file.
        package enum Missing: String, Hashable, Sendable, CaseIterable {
            /// The request goes to the upstream.
            case upstream
            /// The client gets a 404.
            case notFound = "404"
        }

        package var path: String
        /// The prefix that is removed from the request's path first.
        package var strip = ""
        /// The name of the file for a path that ends in `/`; `nil` for none.
        package var index: String?
        package var missing = Missing.notFound

        package init(path: String, missing: Missing = .notFound) { (self.path, self.missing) = (path, missing) }
    }

    package var status = 200
    /// Whether the rule says which status; else a recorded response keeps its own.
    package var namesStatus = false
    package var fields: [FieldEdit.Field] = []
    package var content = Content.nothing
    /// How often it is given; `nil` for ever.
    package var times: Int64?
    /// Whether a field of the response says that a rule gave it (`Proxy-Status`, RFC 9209).
    package var isMarked = true

    package init() {}

    /// Whether the request's body is needed first.
    var needsBody: Bool {
        let content =
            switch content {
            case .text(let template): template.needsBody
            case .json(let json): json.needsBody
            case .nothing, .file, .directory, .recording: false
            }
        return content || fields.contains { $0.value.needsBody }
    }

    /// The answer in words for people: `503`, `file a.json`, `file a.json, 404`, `directory static`, `as 1042`.
    package var text: String {
        switch content {
        case .nothing, .text, .json: String(status)
        case .file(let path): "file \(RuleAnswer.name(path))\(named)"
        case .directory(let directory): "directory \(RuleAnswer.name(directory.path))\(named)"
        case .recording(let id): "as \(id)\(named)"
        }
    }

    /// The status that the rule says, behind what has one of its own.
    private var named: String { namesStatus ? ", \(status)" : "" }

    private static func name(_ path: String) -> Substring { path.split(separator: "/").last ?? "/" }
}
