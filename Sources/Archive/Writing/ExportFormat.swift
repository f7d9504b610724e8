/// The formats of a file of exchanges.
package enum ExportFormat: String, CaseIterable, Sendable {
    case har, json, jsonl, csv, curl, httpie, python, swift, javascript, postman, raw

    /// The media type of the format.
    package var mediaType: String {
        switch self {
        case .har, .json, .postman: "application/json"
        case .jsonl: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8"
        case .curl, .httpie, .python, .swift, .javascript: "text/plain; charset=utf-8"
        case .raw: "application/octet-stream"
        }
    }

    /// The file extension of the format.
    package var fileExtension: String {
        switch self {
        case .har, .json, .jsonl, .csv, .swift: rawValue
        case .curl, .httpie: "sh"
        case .python: "py"
        case .javascript: "mjs"
        case .postman: "postman_collection.json"
        case .raw: "http"
        }
    }
}
