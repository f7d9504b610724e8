package import Traffic

/// The lines of a listing as comma-separated values (RFC 4180), for a spreadsheet.
///
/// A spreadsheet runs a cell that begins like a formula, and hosts, targets and notes are foreign text, so such a cell begins with an apostrophe.
package enum CSVTable {
    private static let names = [
        "id", "started", "durationMs", "method", "scheme", "host", "port", "target", "code", "type", "requestBytes",
        "responseBytes", "protocol", "client", "lens", "process", "outcome", "failure", "favourite", "tags", "note",
        "session",
    ]

    /// The line with the names of the columns.
    package static var heading: [UInt8] { line(names) }

    /// One exchange as a line.
    package static func line(_ row: ExchangeSummary) -> [UInt8] {
        line([
            String(row.id), Timestamp.text(microseconds: row.started), row.duration.map(milliseconds) ?? "", row.method,
            row.scheme?.rawValue ?? "", row.host, String(row.port), row.target, row.code.map(String.init) ?? "",
            row.mediaType ?? "", String(row.requestBytes), String(row.responseBytes), row.version?.rawValue ?? "",
            row.clientName ?? "", row.lens ?? "", row.process ?? "", row.outcome.rawValue, row.failure?.message ?? "",
            row.marks.isFavourite ? "yes" : "", row.marks.tags.joined(separator: " "), row.marks.note ?? "",
            row.session ?? "",
        ])
    }

    private static func line(_ cells: [String]) -> [UInt8] {
        Array((cells.map(cell).joined(separator: ",") + "\r\n").utf8)
    }

    /// A cell: never a formula, in quotes where it has to be.
    static func cell(_ text: String) -> String {
        var text = text
        if let first = text.unicodeScalars.first,
            "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first)
        {
            text = "'" + text
        }
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
        return "\"" + text.replacing(scalars: ["\"": "\"\""]) + "\""
    }

    private static func milliseconds(_ microseconds: Int64) -> String {
        var json = JSONWriter()
        json.milliseconds(microseconds: microseconds)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
