/// A text that an exchange's line has; the raw value is the key.
package enum FilterLine: String, Hashable, Sendable, CaseIterable {
    /// The target up to its query.
    case path
    case url
    /// What follows the question mark, as sent or decoded.
    case query
    /// The session it was recorded in.
    case session
    /// The note that somebody gave it.
    case note

    /// The texts to look at; it is enough that one of them matches.
    package func texts(_ summary: ExchangeSummary) -> [String] {
        switch self {
        case .path: return [String(QueryString.split(summary.target).path)]
        case .url: return [summary.url]
        case .query:
            guard let sent = QueryString.split(summary.target).query.map(String.init) else { return [] }
            guard !FilterLine.isDecoded(sent) else { return [sent] }
            let decoded = QueryString.items(summary.target).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            return sent == decoded ? [sent] : [sent, decoded]
        case .session: return summary.session.map { [$0] } ?? []
        case .note: return summary.marks.note.map { [$0] } ?? []
        }
    }

    /// Whether a query that is decoded, and joined again, is what was sent.
    private static func isDecoded(_ query: String) -> Bool {
        // A part without `=` is written with one.
        var hasEquals = false
        for byte in query.utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "#"): return false
            case UInt8(ascii: "&"):
                guard hasEquals else { return false }
                hasEquals = false
            case UInt8(ascii: "="): hasEquals = true
            default: break
            }
        }
        return hasEquals
    }

    /// Whether `/word/` without anything special in it is a path and no regular expression.
    var isPath: Bool { self == .path || self == .url }
}
