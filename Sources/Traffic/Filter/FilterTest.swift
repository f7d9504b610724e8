/// One test of an exchange; where it has several values, any will do.
package enum FilterTest: Hashable, Sendable {
    /// The value of a facet.
    case facet(Facet, [FacetSelector])
    /// A number, within one of these ranges.
    case number(FilterNumber, [ClosedRange<Int64>])
    /// It started at or after this: microseconds since 1970.
    case since(Int64)
    /// It started before this.
    case before(Int64)
    /// A text of its line.
    case line(FilterLine, [TextPattern])
    /// A field of a head or a trailer section, of one side or either.
    case header(MessageSide?, [HeaderPattern])
    /// A decoded textual body, of one side or either.
    case body(MessageSide?, [TextPattern])
    /// A JSON body of either side.
    case json([JSONPattern])
    /// A message of its stream.
    case message([TextPattern])
    /// What it is.
    case trait([FilterTrait])
    /// Anything that is text: URL, fields, bodies, messages.
    case text(TextPattern)
}

/// A number that an exchange has; the raw value is the key.
package enum FilterNumber: String, Hashable, Sendable, CaseIterable {
    case port
    /// Bytes of the response's body as sent.
    case size
    /// Bytes of the request's.
    case reqsize
    /// Microseconds from its beginning to its end; an open exchange has none.
    case time
    case id

    /// The number; `nil` where there is none.
    package func value(_ summary: ExchangeSummary) -> Int64? {
        switch self {
        case .port: Int64(summary.port)
        case .size: summary.responseBytes
        case .reqsize: summary.requestBytes
        case .time: summary.duration
        case .id: summary.id
        }
    }

    var unit: Quantity.Unit {
        switch self {
        case .port, .id: .plain
        case .size, .reqsize: .bytes
        case .time: .time
        }
    }
}

/// A text that an exchange's line has; the raw value is the key.
package enum FilterLine: String, Hashable, Sendable, CaseIterable {
    /// The target up to its query.
    case path
    case url
    /// What follows the question mark, as sent or decoded.
    case query
    case process
    /// The session it was recorded in.
    case session
    /// What someone noted of it.
    case note

    /// The texts, any of which may be as wanted.
    package func texts(_ summary: ExchangeSummary) -> [String] {
        switch self {
        case .path: return [String(summary.target.utf8.prefix { $0 != UInt8(ascii: "?") }) ?? summary.target]
        case .url: return [summary.url]
        case .query:
            guard let mark = summary.target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
            let sent = String(summary.target[summary.target.utf8.index(after: mark)...])
            let decoded = QueryString.items(summary.target).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            return sent == decoded ? [sent] : [sent, decoded]
        case .process: return summary.process.map { [$0] } ?? []
        case .session: return summary.session.map { [$0] } ?? []
        case .note: return summary.marks.note.map { [$0] } ?? []
        }
    }

    /// Whether `/word/` without anything special in it is a path and no regular expression.
    var isPath: Bool { self == .path || self == .url }
}

/// What an exchange can be, after `is:`; the raw value is the word.
package enum FilterTrait: String, Hashable, Sendable, CaseIterable {
    /// Sent again by us.
    case replay
    /// A body of it was not kept whole.
    case truncated
    case websocket
    /// Marked by someone.
    case favourite
}

/// A field, by its name and perhaps its value.
package struct HeaderPattern: Hashable, Sendable {
    /// What its name is like, or its whole line where there is no `value`.
    package enum Name: Hashable, Sendable {
        /// This name ignoring case; `*` stands for anything.
        case named(TextPattern)
        /// A line `name: value` that is like this.
        case line(TextPattern)
    }

    package let name: Name
    /// What its value is like; `nil` for any.
    package let value: TextPattern?

    func matches(_ field: HeaderList.Field) -> Bool {
        switch name {
        case .line(let pattern): pattern.matches("\(field.name): \(field.value)")
        case .named(let pattern):
            (pattern.form == .contains
                ? field.name.lowercased() == pattern.source.lowercased() : pattern.matches(field.name))
                && value?.matches(field.value) ?? true
        }
    }
}
