import Traffic
import Yams

/// The description of the API (OpenAPI 3.1); its one source is a YAML text.
enum APIDescription {
    /// A YAML text holds no value.
    struct Empty: Error {}

    /// The text as it is written.
    static var yaml: String { EmbeddedText.openapi_yaml }

    /// A YAML text as one line of JSON, its members in the order of the text.
    ///
    /// - Parameter yaml: the text, read by the rules and within the bounds of `YAMLReader`.
    /// - Returns: the JSON, without a line feed.
    /// - Throws: `YamlError`, `YAMLReader.Problem`, or `Empty`.
    static func json(of yaml: String) throws -> String {
        guard let root = try Yams.compose(yaml: yaml) else { throw Empty() }
        var reader = YAMLReader(textBytes: yaml.utf8.count, longNumbers: .rounded)
        var json = JSONWriter()
        json.value(nil, try reader.value(of: root))
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
