import Traffic

extension JSONWriter {
    /// What a closure writes and does not take out again.
    ///
    /// - Parameters:
    ///   - isIndented: whether each member has a line; else all is one line.
    ///   - write: writes the JSON.
    /// - Returns: the bytes, without a line feed at the end.
    static func bytes(isIndented: Bool = false, _ write: (inout JSONWriter) throws -> Void) rethrows -> [UInt8] {
        var json = JSONWriter(isIndented: isIndented)
        try write(&json)
        return json.take()
    }
}
