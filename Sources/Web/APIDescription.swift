import Traffic
import Yams

/// The description of the API (OpenAPI 3.1); its one source is a YAML text.
enum APIDescription {
    /// A YAML text uses more of YAML than the description needs: a key that is no scalar, or an alias.
    struct Unexpected: Error {}

    /// The text as it is written.
    static var yaml: String { EmbeddedText.openapi_yaml }

    /// A YAML text as one line of JSON, its members in the order of the text.
    ///
    /// A plain scalar is a number, a truth value or null where it looks like one (YAML 1.2 §10.2), and a quoted scalar is text.
    ///
    /// - Parameter yaml: a text of ours; its depth has no bound.
    /// - Returns: the JSON, without a line feed.
    /// - Throws: `YamlError`, or `Unexpected`.
    static func json(of yaml: String) throws -> String {
        var json = JSONWriter()
        guard let root = try Yams.compose(yaml: yaml) else { throw Unexpected() }
        try write(root, as: nil, to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func write(_ node: Node, as name: String?, to json: inout JSONWriter) throws {
        switch node {
        case .mapping(let mapping):
            try json.object(name) { json in
                for (key, value) in mapping {
                    guard case .scalar(let key) = key else { throw Unexpected() }
                    try write(value, as: key.string, to: &json)
                }
            }
        case .sequence(let sequence):
            try json.array(name) { json in
                for element in sequence { try write(element, as: nil, to: &json) }
            }
        case .scalar(let scalar): write(scalar, as: name, to: &json)
        case .alias: throw Unexpected()
        }
    }

    private static func write(_ scalar: Node.Scalar, as name: String?, to json: inout JSONWriter) {
        let text = scalar.string
        guard scalar.style == .plain || scalar.style == .any else { return json.string(name, text) }
        switch text {
        case "null", "~", "": json.string(name, nil)
        case "true", "false": json.boolean(name, text == "true")
        default:
            if let whole = Int64(text) {
                json.integer(name, whole)
            } else if let number = Double(text), number.isFinite {
                json.number(name, number)
            } else {
                json.string(name, text)
            }
        }
    }
}
