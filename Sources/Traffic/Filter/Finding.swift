/// A place in an exchange where a searched text stands, with the text around it.
package struct Finding: Hashable, Sendable {
    /// The part of the exchange that holds the text.
    package enum Place: Hashable, Sendable {
        case url
        case header(MessageSide)
        case body(MessageSide)
        /// The message of this number.
        case message(Int64)

        /// The place in JSON and in tables: `response body`, `message 3`.
        package var label: String {
            switch self {
            case .url: "url"
            case .header(let side): "\(side.rawValue) header"
            case .body(let side): "\(side.rawValue) body"
            case .message(let number): "message \(number)"
            }
        }
    }

    package var place: Place
    /// One line: what stands before, the text itself, what follows; control characters and line ends are blanks.
    package var before: String
    package var match: String
    package var after: String

    /// Characters shown before and after.
    private static let around = (before: 32, after: 48)
    /// Characters shown of the text itself.
    private static let longest = 120

    /// Makes a finding of a range of a text.
    init(_ place: Place, _ range: Range<String.Index>, in text: String) {
        self.place = place
        let left = text[..<range.lowerBound]
        let right = text[range.upperBound...]
        before = (left.count > Finding.around.before ? "…" : "") + Finding.line(left.suffix(Finding.around.before))
        match = Finding.line(text[range].prefix(Finding.longest))
        after =
            Finding.line(right.prefix(Finding.around.after))
            + (right.dropFirst(Finding.around.after).isEmpty ? "" : "…")
    }

    private static func line(_ text: Substring) -> String {
        String(
            text.map {
                $0.isWhitespace || $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? " " : $0
            }
        )
    }
}
