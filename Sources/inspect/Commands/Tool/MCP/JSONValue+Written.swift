import Traffic

extension JSONValue {
    /// What a closure writes, as a value: an agent's result is masked and cut to its length as one.
    ///
    /// - Throws: what the closure throws.
    init(_ write: (inout JSONWriter) throws -> Void) throws {
        self = try JSONReader.value(JSONWriter.bytes(write))
    }
}
