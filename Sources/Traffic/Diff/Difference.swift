/// One difference of two exchanges.
package struct Difference: Hashable, Sendable {
    /// The part of a message that the difference is in.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        /// The start line: `method`, `path`, `host` and the like are its places.
        case line
        /// An item of the query, or of a form; the place is its name.
        case query, form
        /// The status code, or the outcome where there is none.
        case status
        /// A field of the head; the place is its name.
        case field
        /// A field after the body.
        case trailer
        /// A value of a JSON body; the place is its path.
        case json
        /// A line of a text; the place is its number.
        case text
        /// A body as a whole.
        case body
    }

    /// What the right side did to the left one's value.
    package enum Change: String, Hashable, Sendable {
        case added, removed, changed
        /// The same values stand in another order.
        case reordered
    }

    package var side: MessageSide
    package var part: Part
    /// The place in the part: a name, a number, or a JSON path (`$.a[3].b`) with the left side's indices, the right side's for an added value.
    package var place: String
    /// The place as a JSON pointer; `nil` outside of JSON.
    package var pointer: String?
    /// The innermost element of a list that the place is in, by what identifies it: `slug southside`.
    package var subject: String?
    package var change: Change
    /// The left side's value, shortened; `nil` where it has none.
    package var left: String?
    package var right: String?
    /// The JSON path with its indices left open, which fits the same difference in other exchanges; `nil` where it names no member.
    package var general: String?

    package init(
        _ side: MessageSide,
        _ part: Part,
        _ place: String,
        _ change: Change,
        left: String? = nil,
        right: String? = nil
    ) {
        self.side = side
        self.part = part
        self.place = place
        self.change = change
        self.left = left.map { Difference.shortened($0) }
        self.right = right.map { Difference.shortened($0) }
    }

    /// Characters of a value that are shown.
    package static let valueLimit = 160

    /// A text, cut where it is longer than is shown.
    static func shortened(_ text: some StringProtocol) -> String { text.shortened(to: valueLimit) }

    /// The place in words: `response field Content-Type`, `response json $.items[3].name (id 7)`.
    package var location: String {
        let words = part == .status ? "status" : "\(part.rawValue) \(place)"
        return "\(side.rawValue) \(words)" + (subject.map { " (\($0))" } ?? "")
    }

    /// Writes it as a JSON object.
    package func write(to json: inout JSONWriter) {
        json.object { write(members: &$0) }
    }

    /// Writes the members of that object.
    package func write(members json: inout JSONWriter) {
        json.string("change", change.rawValue)
        json.string("side", side.rawValue)
        json.string("part", part.rawValue)
        json.string("place", place)
        if let pointer { json.string("pointer", pointer) }
        if let subject { json.string("subject", subject) }
        json.string("left", left)
        json.string("right", right)
    }
}
