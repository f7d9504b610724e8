import Hummingbird

/// One file of the page, carried inside the executable.
struct Asset: Sendable {
    let text: String
    let contentType: String
    private let tag: EntityTag

    /// - Parameters:
    ///   - text: what it holds.
    ///   - contentType: its media type, with the charset where it has one.
    init(text: String, contentType: String) {
        (self.text, self.contentType) = (text, contentType)
        tag = EntityTag(of: Array(text.utf8))
    }

    /// The description of the API as it is written.
    static let openAPIYAML = Asset(text: APIDescription.yaml, contentType: "application/yaml")
    /// The description of the API as JSON; made once.
    static let openAPI = Result {
        Asset(text: try APIDescription.json(of: APIDescription.yaml), contentType: "application/json")
    }

    /// The file of this name; `nil` when no file has the name.
    static func named(_ name: String) -> Asset? { files[name] }

    /// Made once: a load of the page asks for all of them.
    private static let files: [String: Asset] = {
        let texts = EmbeddedText.all.compactMap { name, text in
            name.split(separator: ".").last.flatMap { kinds[String($0)] }.map {
                (name, Asset(text: text, contentType: $0))
            }
        }
        return Dictionary(texts) { first, _ in first }
    }()

    private static let kinds = [
        "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
    ]

    /// The file as an answer: a browser keeps the file and asks each time whether it has changed.
    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: contentType, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        ).tagged(tag)
    }
}
