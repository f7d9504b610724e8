import Traffic

extension Console {
    /// Writes a report in the form that the options ask for: JSON with indents on a terminal and on one line elsewhere, or
    /// lines with the colours that are asked for.
    ///
    /// - Throws: what the report throws, `OutputClosed`, and `InputError` when it cannot be written.
    func write(_ report: some StreamedReport, _ options: OutputOptions) throws {
        if options.json {
            try write(
                JSONWriter.bytes(isIndented: isTerminal) { json in
                    try report.write(to: &json) { try write($0.take()) }
                    json.newline()
                }
            )
        } else {
            colour(options.colours.choice)
            try report.print(to: self)
        }
        try flush()
    }

    /// Writes a report with rows in the form that the options ask for: a line for each row, else as `write` does.
    ///
    /// - Throws: what the report throws, `OutputClosed`, and `InputError` when it cannot be written.
    func write(_ report: some RowReport, _ page: PageOptions) throws {
        guard page.jsonl else { return try write(report, page.output) }
        try report.eachRow { try write($0) }
        try flush()
    }
}
