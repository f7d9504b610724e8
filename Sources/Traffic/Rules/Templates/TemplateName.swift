/// A value that a template can name; the set is closed, and no value is code.
package enum TemplateName: Hashable, Sendable {
    case method, url, host, path
    /// A segment of the path, decoded, counted from 1.
    case segment(Int)
    /// The first query item of this name, decoded.
    case query(String)
    /// The first field of this name of the request.
    case field(String)
    /// The first cookie of this name of the request.
    case cookie(String)
    /// The value at a path in the request's JSON body.
    case json(JSONPath)
    /// The moment, moved by so many microseconds, as `2026-11-20T14:02:03.456Z`.
    case now(Int64)
    /// The moment, moved by so many microseconds, in seconds since 1970.
    case unix(Int64)
    /// A random UUID (RFC 9562 §5.4).
    case uuid
    /// A random whole number of a range.
    case random(ClosedRange<Int64>)
    /// How often the rule has applied, including this time.
    case count
    /// What a group of the regular expression matched whose match is replaced, counted from 1.
    case group(Int)

    /// Bytes that the value has at least.
    var leastBytes: Int {
        switch self {
        case .uuid: 36
        case .now(_): 24
        case .unix, .random, .count: 1
        case .method, .url, .host, .path, .segment, .query, .field, .cookie, .json, .group: 0
        }
    }

    /// Whether the value comes from the request's body.
    var isOfBody: Bool { if case .json = self { true } else { false } }

    /// The names that can stand in `${…}`, for messages.
    static let expectation =
        "method, url, host, path, path.1, query.NAME, reqheader.NAME, cookie.NAME, json.$.PATH, now, now+5m, unix, uuid, random.1-6 or count"

    /// Reads what stands between the braces.
    ///
    /// - Parameters:
    ///   - text: the name.
    ///   - groups: the groups of the regular expression whose match the template replaces; `nil` where it replaces none.
    /// - Throws: `ValueProblem` when nothing has that name.
    init(_ text: Substring, groups: Int? = nil) throws(ValueProblem) {
        let dot = text.firstIndex(of: ".") ?? text.endIndex
        let (word, rest) = (text[..<dot], text[dot...].dropFirst())
        switch (word, rest.isEmpty) {
        case ("method", true): self = .method
        case ("url", true): self = .url
        case ("host", true): self = .host
        case ("path", true): self = .path
        case ("uuid", true): self = .uuid
        case ("count", true): self = .count
        case ("path", false):
            guard let number = Int(rest), (1...1_000).contains(number) else {
                throw ValueProblem("expected the number of a segment from 1, as in ${path.2}")
            }
            self = .segment(number)
        case ("query", false): self = .query(String(rest))
        case ("reqheader", false):
            guard rest.utf8.allSatisfy(ASCII.isToken) else { throw ValueProblem("'\(rest)' is no name of a field") }
            self = .field(String(rest))
        case ("cookie", false): self = .cookie(String(rest))
        case ("json", false): self = .json(try JSONPath(String(rest)))
        case ("random", false): self = .random(try TemplateName.range(rest))
        default:
            if let shift = try TemplateName.shift(text, of: "now") {
                self = .now(shift)
            } else if let shift = try TemplateName.shift(text, of: "unix") {
                self = .unix(shift)
            } else if text.count == 1, let digit = text.first, ("1"..."9").contains(digit) {
                guard let groups else {
                    throw ValueProblem("${\(text)} stands for a group of a regular expression, and there is none here")
                }
                guard let number = digit.wholeNumberValue, number <= groups else {
                    throw ValueProblem("${\(text)} stands for a group, and the regular expression has \(groups)")
                }
                self = .group(number)
            } else {
                throw TemplateName.unknown(word)
            }
        }
    }

    private static func unknown(_ word: Substring) -> ValueProblem {
        let words = ["method", "url", "host", "path", "query", "reqheader", "cookie", "json", "now", "unix", "uuid"]
        let guess = EditDistance.nearest(to: String(word), in: words + ["random", "count"])
        return ValueProblem(
            "a template has no value '\(word)'" + (guess.map { "; did you mean '\($0)'?" } ?? "; it has \(expectation)")
        )
    }

    private static func range(_ text: Substring) throws(ValueProblem) -> ClosedRange<Int64> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let low = whole(ends[0]), let high = whole(ends[1]), low <= high else {
            throw ValueProblem("expected two whole numbers, the smaller first, as in ${random.1-6}")
        }
        return low...high
    }

    private static func whole(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }

    /// The time that `now+5m` adds to the moment; `nil` for another text.
    private static func shift(_ text: Substring, of word: String) throws(ValueProblem) -> Int64? {
        guard text.hasPrefix(word) else { return nil }
        let rest = text.dropFirst(word.count)
        guard let sign = rest.first else { return 0 }
        guard sign == "+" || sign == "-" else { return nil }
        guard let span = RuleSpan.microseconds(rest.dropFirst()) else {
            throw ValueProblem("expected a time such as 30s, 5m, 2h or 7d after \(word)\(sign)")
        }
        return sign == "-" ? -span : span
    }
}
