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
        case .path: return [String(summary.target.utf8.prefix { $0 != UInt8(ascii: "?") }) ?? summary.target]
        case .url: return [summary.url]
        case .query:
            guard let mark = summary.target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
            let sent = String(summary.target[summary.target.utf8.index(after: mark)...])
            guard !FilterLine.isDecoded(sent) else { return [sent] }
            let decoded = QueryString.items(summary.target).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            return sent == decoded ? [sent] : [sent, decoded]
        case .session: return summary.session.map { [$0] } ?? []
        case .note: return summary.marks.note.map { [$0] } ?? []
        }
    }

    /// Whether a query that is decoded, and joined again, is what was sent.
    private static func isDecoded(_ query: String) -> Bool {
        // A part without a name and a part without a value are written otherwise.
        var (hasName, hasValue) = (false, false)
        for byte in query.utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "#"): return false
            case UInt8(ascii: "&"):
                guard hasValue else { return false }
                (hasName, hasValue) = (false, false)
            case UInt8(ascii: "="): (hasName, hasValue) = (true, true)
            default: hasName = true
            }
        }
        return hasName && hasValue
    }

    /// Whether `/word/` without anything special in it is a path and no regular expression.
    var isPath: Bool { self == .path || self == .url }
}
