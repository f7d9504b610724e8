import Traffic

/// What a command shows: a value that writes itself as JSON for programs, and as lines for people.
///
/// A command that shows something has a report in a file beside it, named for the command: `StatusReport` of `inspect status`. The command takes
/// `OutputOptions`, makes the report and hands both to `Console.write(_:_:)`, which alone decides about indentation and colour:
///
///     try Console().write(StatusReport(status), output)
///
/// A report is made of what was found and knows neither console nor options, so a test asks it for `lines(in: .plain)`. A limit that holds for the
/// lines alone is part of the report. A list of any length is a `StreamedReport`.
protocol Report: StreamedReport {
    /// Writes everything as one JSON value.
    ///
    /// - Throws: what the source of the report throws.
    func write(to json: inout JSONWriter) throws

    /// The lines for a person, without line feeds; all that others wrote is made visible in them (`VisibleText`).
    ///
    /// - Throws: what the source of the report throws.
    func lines(in layout: Layout) throws -> [String]
}

extension Report {
    func write(to json: inout JSONWriter, handOn: (inout JSONWriter) throws -> Void) throws {
        try write(to: &json)
    }

    func print(to console: Console) throws {
        for line in try lines(in: console.layout) { try console.line(line) }
    }
}
