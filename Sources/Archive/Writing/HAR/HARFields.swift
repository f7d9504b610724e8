import Traffic

/// Writes the parts that a HAR request and a HAR response have in common.
enum HARFields {
    /// Writes field lines in their order, case and duplicates kept.
    static func write(_ fields: some Sequence<HeaderList.Field>, as name: String, to json: inout JSONWriter) {
        json.array(name) { json in
            for field in fields {
                json.object { json in
                    json.string("name", field.name)
                    json.string("value", field.value)
                }
            }
        }
    }

    /// Writes a body as `text`, and `encoding` where it is base64.
    static func write(
        _ content: BodyContent,
        _ source: BodySource,
        to json: inout JSONWriter,
        handOn: (inout JSONWriter) throws -> Void
    ) throws {
        if content.form == .base64 { json.string("encoding", "base64") }
        json.openString("text")
        try content.write(to: &json, source: source, handOn: handOn)
        json.closeString()
    }
}
