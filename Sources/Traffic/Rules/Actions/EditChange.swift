/// One change that an edit made to a message, in words for people: the part, and its value before and after.
package struct EditChange: Hashable, Sendable {
    /// The part: a field's name, `host`, `path`, `status`, `query beta`.
    package let part: String
    /// The value before; `nil` where there was none.
    package let before: String?
    /// The value after; `nil` where it was removed.
    package let after: String?

    package init(_ part: String, from before: String?, to after: String?) {
        (self.part, self.before, self.after) = (part, before, after)
    }

    /// Characters of a part, whose name may be the client's.
    private static let lengthLimit = 60

    /// `User-Agent`, `X-Debug removed`, `X-Trace added`.
    package var text: String {
        let part = VisibleText.line(part).shortened(to: EditChange.lengthLimit)
        return switch (before, after) {
        case (_, nil): "\(part) removed"
        case (nil, _): "\(part) added"
        default: part
        }
    }
}

extension [EditChange] {
    /// Parts that are named before the rest is counted.
    private static var namedLimit: Int { 8 }

    /// All changes on a line: `host, User-Agent, X-Debug removed`; empty when nothing changed.
    package var text: String {
        var (names, counts): ([String], [String: Int]) = ([], [:])
        for change in self {
            if counts[change.text] == nil { names.append(change.text) }
            counts[change.text, default: 0] += 1
        }
        let shown = names.prefix(Self.namedLimit).map { name in
            counts[name].map { $0 > 1 ? "\(name) ×\($0)" : name } ?? name
        }
        let rest = names.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
