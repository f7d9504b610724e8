/// The values of templates in one exchange.
package struct TemplateScope {
    /// Decoded bytes of a request's body that are looked into for `${json.…}`.
    private static let bodyLimitBytes = 8 << 20

    private let summary: ExchangeSummary
    private let fields: HeaderList?
    private let body: JSONSpans?
    /// The moment: microseconds since 1970.
    private let now: Int64
    private var generator: any RandomNumberGenerator
    /// How often the rule has applied, including this time.
    package private(set) var count: Int64 = 1
    /// Bytes of texts that the values of one rule fill.
    static let limitBytes = 16 << 20
    /// Filled bytes of an exchange from which on they are counted for all exchanges together.
    private static let countedBytes = 64 << 10
    /// Takes room for so many filled bytes more, which are held until the exchange ends; `false` where there is none.
    package var takeRoom: (_ bytes: Int) -> Bool = { _ in true }
    /// Filled bytes of all rules of the exchange that passed a check.
    private var filledBytes = 0
    /// Those of them that are the rule's.
    private var filledBytesOfRule = 0
    /// Those of all rules for which room was taken.
    private var takenBytes = 0
    /// Bytes that the rule's texts may still have; below 0 once they are too long, and all further values are empty.
    private var roomBytes = TemplateScope.limitBytes
    /// The work that is left for edits of the head.
    ///
    /// This and each kind below has a bound of its own, so that none takes what another needs: two seconds of a thread at most for all of them, where
    /// rules are made for that.
    var work = EditWork()
    /// The work that is left for looking for names: what expressions take must not keep a field from being removed.
    var nameWork = EditWork()
    /// The work that is left for reading the query.
    var queryWork = EditWork()
    /// The query as a rule left it last, and its items: rules behind it edit them without reading it again.
    var query: (text: String, items: NamedItems<String>)?
    /// The work that is left for filling values in.
    private var valueWork = EditWork()
    /// The work that is left for looking for values in the body.
    private var placeWork = EditWork()
    /// The same for reading long ones.
    private var longWork = EditWork()
    /// The same for writing long values of the body, and for writing those of the head.
    private var (bodyWork, headWork) = (EditWork(), EditWork())
    /// The first value that each path leads to, or that there is none.
    private var places: [JSONPath: Int?] = [:]
    /// The texts of the body's values that were filled in: some 8 MiB at most, by the work to read them, and 32 bytes a path.
    private var texts: [Int: String] = [:]
    /// Whether a value of the rule was not looked for, read or written, since that would take too much work.
    private var lacksWork = false
    /// What the names of values stand for, found where the first of a kind is asked for.
    private var found = Found()

    /// Values that would have to be looked for in the request again and again.
    private struct Found {
        /// The segments of the path as they were sent.
        var segments: [Substring]?
        /// The first value of each name, decoded.
        var query: [ExactText: String]?
        /// The first value of each name in lower case.
        var fields: [ExactText: String]?
        /// The first value of each name.
        var cookies: [ExactText: String]?
    }

    /// Bytes of JSON that are read in the time in which a value is made.
    private static let workOfValue = 256
    /// The same for a byte of a value of the body, whose escapes are read, and for one that is written as a place needs it.
    private static let codingWork = 8
    static let tooMuch = RuleFault("to fill in its values takes too much work on this exchange")

    /// The values of an exchange.
    ///
    /// - Parameters:
    ///   - subject: the exchange, with its request as it came.
    ///   - now: the moment: microseconds since 1970.
    ///   - needsBody: whether a template looks into the request's body.
    ///   - generator: where random values come from.
    /// - Throws: what the subject throws.
    package init(
        _ subject: some FilterSubject,
        now: Int64,
        needsBody: Bool,
        generator: any RandomNumberGenerator
    ) throws {
        summary = subject.summary
        self.now = now
        self.generator = generator
        let message = try subject.message(.request)
        fields = message?.fields
        body = try needsBody ? message.flatMap { try TemplateScope.json($0, of: subject) } : nil
    }

    private static func json(_ message: Message, of subject: some FilterSubject) throws -> JSONSpans? {
        var bytes: [UInt8] = []
        try BodyText.read(.request, of: subject, message) { piece in
            bytes.append(contentsOf: piece)
            return bytes.count <= bodyLimitBytes
        }
        return bytes.count <= bodyLimitBytes ? try? JSONSpans(bytes) : nil
    }

    /// Begins with the texts of a rule.
    ///
    /// - Parameter count: how often the rule has applied, including this time.
    package mutating func begin(count: Int64) {
        self.count = count
        (roomBytes, filledBytesOfRule) = (TemplateScope.limitBytes, 0)
        lacksWork = false
    }

    /// Checks that the texts of the rule were filled in whole.
    ///
    /// - Throws: `RuleFault` where they are too long, since what a client sends may stand in many places of them, take too much work to find, to read or
    ///   to write, or have no room beside those of other exchanges.
    mutating func check() throws(RuleFault) {
        guard !lacksWork else { throw TemplateScope.tooMuch }
        guard roomBytes >= 0 else {
            throw RuleFault(
                "its texts would be over \(TemplateScope.limitBytes >> 20) MiB with the values of the exchange"
            )
        }
        let ofRule = TemplateScope.limitBytes - roomBytes
        let filled = filledBytes + ofRule - filledBytesOfRule
        if filled > TemplateScope.countedBytes, filled > takenBytes {
            guard takeRoom(filled - takenBytes) else { throw RuleFault("too many texts are kept for rules at once") }
            takenBytes = filled
        }
        (filledBytes, filledBytesOfRule) = (filled, ofRule)
    }

    /// Whether all texts of the rule were filled in whole so far; where they were not, all further ones are empty.
    var isWhole: Bool { roomBytes >= 0 && !lacksWork }

    /// Whether there is room for so many bytes, which are not taken yet; where there is not, none is left.
    mutating func hasRoom(for bytes: Int) -> Bool {
        if bytes > roomBytes { roomBytes = -1 }
        return isWhole
    }

    /// Takes the room for bytes of the rule's own; `false` where there is not so much.
    mutating func take(_ bytes: Int) -> Bool {
        roomBytes = max(-1, roomBytes - bytes)
        return isWhole
    }

    /// A template with its values filled in, as they are written in a place; a value that the exchange lacks is empty.
    ///
    /// It is empty where there is no room for it, which is known before most of it is made.
    package mutating func text(_ template: Template, in place: TemplatePlace = .text) -> String {
        guard hasRoom(for: template.leastBytes) else { return "" }
        var (text, place) = ("", place)
        for part in template.parts {
            let more = self.text(part, in: place)
            guard isWhole else { return "" }
            text += more
            place = place.behind(more)
        }
        return text
    }

    /// A template for a request's path, or for its whole target, with its values filled in.
    ///
    /// - Throws: `RuleFault` where a value would be a segment that leads elsewhere (RFC 3986 §3.3): `.` or `..`.
    mutating func path(_ template: Template) throws(RuleFault) -> String {
        let text = text(template, in: .path)
        try check()
        let own = template.parts.map { part in
            switch part {
            case .text(let plain): plain
            case .value(.path): String(QueryString.split(summary.target).path)
            case .value: "x"
            }
        }
        guard TemplateScope.dotSegments(text) <= TemplateScope.dotSegments(own.joined()) else {
            throw RuleFault("the path would have a '.' or '..' from the exchange, and lead elsewhere")
        }
        return text
    }

    private static func dotSegments(_ target: String) -> Int {
        let dot = UInt8(ascii: ".")
        // Most are none by their length or their first byte, which spares their decoding.
        return QueryString.split(target).path.utf8.split(separator: UInt8(ascii: "/"))
            .count { segment in
                segment.count <= "%2E%2E".utf8.count && (segment.first == dot || segment.first == UInt8(ascii: "%"))
                    && [[dot], [dot, dot]].contains(PercentCoding.decoded(segment, plus: .plus))
            }
    }

    /// A template with all its values filled in but those of groups, which each match has of its own.
    mutating func parts(_ template: Template, in place: TemplatePlace = .text) -> [ReadyReplacement.Part] {
        var parts: [ReadyReplacement.Part] = []
        var text = ""
        guard hasRoom(for: template.leastBytes) else { return [] }
        for part in template.parts where isWhole {
            guard case .value(.group(let number)) = part else {
                text += self.text(part, in: place)
                continue
            }
            if !text.isEmpty { parts.append(.text(text)) }
            text = ""
            parts.append(.group(number))
        }
        return text.isEmpty ? parts : parts + [.text(text)]
    }

    private mutating func text(_ part: Template.Part, in place: TemplatePlace) -> String {
        let text: String
        switch part {
        case .text(let plain): text = plain
        case .value(let name):
            lacksWork = lacksWork || !valueWork.read(TemplateScope.workOfValue)
            guard isWhole else { return "" }
            let value = value(name)
            let share = place.isPlain(name) ? 1 : TemplateScope.codingWork
            guard hasRoom(for: value.utf8.count), mayWrite(value.utf8.count, share, isOfBody: name.isOfBody) else {
                return ""
            }
            text = place.written(value, of: name)
        }
        return take(text.utf8.count) ? text : ""
    }

    /// Takes the work to write a value, as far as that is more than to make it.
    ///
    /// - Parameters:
    ///   - count: its bytes.
    ///   - share: the work for a byte.
    ///   - isOfBody: whether it comes from the body: what a body has takes nothing from what is made of the head.
    /// - Returns: `false` where there is not so much left.
    private mutating func mayWrite(_ count: Int, _ share: Int, isOfBody: Bool) -> Bool {
        mayTake(max(0, count * share - TemplateScope.workOfValue), of: isOfBody ? \.bodyWork : \.headWork)
    }

    /// Takes work where it is there: what one rule may not have takes nothing from those behind it.
    private mutating func mayTake(_ bytes: Int, of work: WritableKeyPath<TemplateScope, EditWork>) -> Bool {
        lacksWork = lacksWork || !self[keyPath: work].has(bytes) || !self[keyPath: work].read(bytes)
        return !lacksWork
    }

    private mutating func value(_ name: TemplateName) -> String {
        switch name {
        case .method: return summary.method
        case .url: return summary.url
        case .host: return summary.host
        case .path: return String(QueryString.split(summary.target).path)
        case .segment(let number):
            let segments = found.segments ?? QueryString.steps(QueryString.split(summary.target).path)
            found.segments = segments
            return number <= segments.count
                ? ByteText.passed(PercentCoding.decoded(segments[number - 1].utf8, plus: .plus)) : ""
        case .query(let name):
            let query =
                found.query
                ?? Self.first(
                    QueryString.pairs(summary.target).map { (Self.decoded($0.name), Self.decoded($0.value)) }
                )
            found.query = query
            return query[ExactText(name)] ?? ""
        case .field(let name):
            let known = found.fields ?? Self.first(fields?.map { (ASCII.lower($0.name), $0.value) } ?? [])
            found.fields = known
            return known[ExactText(ASCII.lower(name))] ?? ""
        case .cookie(let name):
            let cookies = found.cookies ?? Self.first(cookies)
            found.cookies = cookies
            return cookies[ExactText(name)] ?? ""
        case .json(let path): return json(path)
        case .now(let shift): return Timestamp.text(microseconds: moment(shift))
        case .unix(let shift): return String(moment(shift) / 1_000_000)
        case .uuid: return uuid()
        case .random(let range): return String(random(range))
        case .count: return String(count)
        // A match fills it in.
        case .group: return ""
        }
    }

    private static func decoded(_ text: Substring) -> String { ByteText.passed(PercentCoding.decoded(text.utf8)) }

    /// The first value of each name.
    private static func first(_ pairs: [(String, String)]) -> [ExactText: String] {
        Dictionary(pairs.map { (ExactText($0.0), $0.1) }) { first, _ in first }
    }

    /// The cookies (RFC 6265 §4.2.1).
    private var cookies: [(String, String)] {
        (fields?.values("Cookie") ?? []).flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }.compactMap { part in
            let trimmed = String(Substring(part)).trimmingBlanks
            guard let equals = trimmed.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            return (String(trimmed[..<equals]), String(Substring(trimmed.utf8[equals...].dropFirst())))
        }
    }

    private func moment(_ shift: Int64) -> Int64 {
        let (moment, isBeyond) = now.addingReportingOverflow(shift)
        return isBeyond ? now : max(0, moment)
    }

    private mutating func random(_ range: ClosedRange<Int64>) -> Int64 {
        let bits = generator.next()
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
        return width == .max ? Int64(bitPattern: bits) : range.lowerBound &+ Int64(bitPattern: bits % (width + 1))
    }

    private mutating func uuid() -> String {
        let (high, low) = (generator.next(), generator.next())
        var bytes = (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64($0 % 8 * 8)) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Hexadecimal.text(bytes)
        var (text, rest) = ("", digits[...])
        for length in [8, 4, 4, 4, 12] {
            text += (text.isEmpty ? "" : "-") + rest.prefix(length)
            rest = rest.dropFirst(length)
        }
        return text
    }

    /// What a path leads to first: a string as it is, anything else as it stands in the text, so that a number keeps its digits; else nothing.
    private mutating func json(_ path: JSONPath) -> String {
        guard let body, let node = place(path, in: body) else { return "" }
        if let known = texts[node] { return known }
        let range = body.nodes[node].range
        let cost = max(0, range.count * TemplateScope.codingWork - TemplateScope.workOfValue)
        guard hasRoom(for: range.count / 6), mayTake(cost, of: \.longWork) else { return "" }
        let bytes = Array(body.bytes[range])
        let isString = body.nodes[node].kind == .string
        let text = isString ? (try? JSONReader.value(bytes))?.string ?? "" : String(decoding: bytes, as: UTF8.self)
        texts[node] = text
        return text
    }

    private mutating func place(_ path: JSONPath, in body: JSONSpans) -> Int? {
        if let known = places[path] { return known }
        guard mayTake(EditWork.look(at: body.nodes.count, of: body), of: \.placeWork) else { return nil }
        let place = body.roots.first.flatMap { body.places(of: path.steps, from: $0)?.first }
        places[path] = .some(place)
        return place
    }
}
