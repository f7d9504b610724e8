/// A report with rows that each stand for themselves: `--jsonl` writes one JSON object a line.
protocol RowReport: StreamedReport {
    /// Gives every row as one line of JSON with its line feed.
    ///
    /// - Throws: what the source of the report and `give` throw.
    func eachRow(_ give: ([UInt8]) throws -> Void) throws
}
