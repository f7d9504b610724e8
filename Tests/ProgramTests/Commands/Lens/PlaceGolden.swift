import Testing

/// A question to a place, as the page and as a command line ask it, and the JSON that answers both, byte for byte.
struct PlaceGolden: Sendable, CustomTestStringConvertible {
    let place: String
    /// The options of the page's address.
    let options: [(name: String, value: String)]
    /// The command line without `--json`.
    let arguments: [String]
    /// Without the line feed at its end.
    let json: String

    var testDescription: String { arguments.joined(separator: " ") }
}
