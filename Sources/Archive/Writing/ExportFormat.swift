import Traffic

/// What a file of exchanges can be.
package enum ExportFormat: String, CaseIterable, Sendable {
    case har, json, jsonl, csv, curl, httpie, python, swift, javascript, postman, raw

    /// The type of such a file.
    package var mediaType: String {
        switch self {
        case .har, .json, .postman: "application/json"
        case .jsonl: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8"
        case .curl, .httpie, .python, .swift, .javascript: "text/plain; charset=utf-8"
        case .raw: "application/octet-stream"
        }
    }

    /// The ending of such a file's name.
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
