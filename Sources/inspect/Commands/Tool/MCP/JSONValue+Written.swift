import Traffic

extension JSONValue {
    /// What a closure writes, as a value: an agent's result is masked and cut to its length as one.
    ///
    /// - Throws: what the closure throws.
    init(_ write: (inout JSONWriter) throws -> Void) throws {
        var json = JSONWriter()
        try write(&json)
        self = try JSONReader.value(json.take())
    }
}
