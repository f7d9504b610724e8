import Traffic

/// A report that may be longer than memory: it hands on what is written while it reads the rest.
///
/// What is small enough to be held is a `Report`, which is less to write.
protocol StreamedReport {
    /// Writes everything as one JSON value.
    ///
    /// - Parameters:
    ///   - json: where to.
    ///   - handOn: takes out the bytes written so far; called once for each element that could be one of many.
    /// - Throws: what the source of the report and `handOn` throw.
    func write(to json: inout JSONWriter, handOn: (inout JSONWriter) throws -> Void) throws

    /// Writes the lines for a person.
    ///
    /// - Throws: what the source of the report throws, and `OutputClosed`.
    func print(to console: Console) throws
}
