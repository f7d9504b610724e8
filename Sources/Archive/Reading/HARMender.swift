import Traffic

/// Checks one HAR entry against HAR 1.2 and the demands of importers, and repairs what it finds.
///
/// A check reports the findings, a repair writes the repaired entry, and an import reads it, so the three share one set of rules.
struct HARMender {
    /// Chrome, which refuses a whole file for one missing number.
    static let chrome = ["Chrome"]
    /// The programs that follow the published JSON schema.
    static let schema = ["har-schema"]
    /// Findings of one entry that are kept.
    private static let findingLimit = 1000

    /// The findings, in the order of the fields.
    private(set) var findings: [HARFinding] = []
    /// How many repairs were made, including those whose findings were not kept.
    private(set) var changes = 0
    private var isQuiet = false
    /// The entry's place from 1.
    private let entry: Int
    /// The start of the entry before, for one without a date.
    private let lastStart: String

    init(entry: Int, lastStart: String = "1970-01-01T00:00:00.000Z") {
        self.entry = entry
        self.lastStart = lastStart
    }

    /// Repairs an entry; `nil` where it is no object.
    mutating func mend(_ value: JSONValue) -> JSONValue? {
        guard value.isObject else {
            add("entry", "is \(value.kind), no object", ["Chrome", "mitmproxy", "har-schema"], "is left out")
            return nil
        }
        var entry = value
        twice(entry, "entry")
        guard entry["request"]?.isObject == true else {
            add("request", "is missing", ["Chrome", "mitmproxy", "har-schema"], "leaves nothing to keep of the entry")
            return nil
        }
        date("startedDateTime", of: &entry, else: lastStart)
        let hasResponse = entry["response"]?.isObject == true
        let hasTimings = entry["timings"]?.isObject == true
        object("response", of: &entry, breaks: ["Chrome", "mitmproxy", "har-schema"])
        object("cache", of: &entry, breaks: HARMender.schema)
        object("timings", of: &entry, breaks: ["Chrome", "har-schema"])
        // A part that is missing as a whole is reported once, not field by field.
        isQuiet = !hasTimings
        timings(of: &entry)
        isQuiet = false
        number("time", of: &entry, at: "", least: 0, else: HARMender.sum(entry["timings"]))
        address(of: &entry)
        if let connection = entry["connection"], connection.string == nil {
            let text = connection.integer.map(String.init)
            add(
                "connection",
                "is \(connection.kind), no string",
                HARMender.schema,
                text == nil ? "is dropped" : "becomes a string"
            )
            if let text { entry.set("connection", .string(text)) } else { entry.remove("connection") }
        }
        if let page = entry["pageref"], page.string == nil {
            add("pageref", "is \(page.kind), no string", ["haralyzer", "har-schema"], "is dropped")
            entry.remove("pageref")
        }
        entry.set("request", request(entry["request"] ?? .object([])))
        isQuiet = !hasResponse
        entry.set("response", response(entry["response"] ?? .object([])))
        isQuiet = false
        messages(of: &entry)
        return entry
    }

    mutating func add(_ field: String, _ problem: String, _ breaks: [String], _ mend: String) {
        changes += 1
        guard !isQuiet, findings.count < HARMender.findingLimit else { return }
        findings.append(HARFinding(entry: entry, field: field, problem: problem, breaks: breaks, mend: mend))
    }

    // MARK: parts of the entry

    private mutating func timings(of entry: inout JSONValue) {
        guard var timings = entry["timings"] else { return }
        for name in ["send", "wait", "receive"] { number(name, of: &timings, at: "timings.", least: 0, else: 0) }
        for name in ["blocked", "dns", "connect", "ssl"] where timings[name] != nil {
            if timings[name]?.isNull == true {
                add("timings.\(name)", "is null", HARMender.schema, "becomes -1")
                timings.set(name, .number(-1))
            }
            number(name, of: &timings, at: "timings.", least: -1, else: -1, breaks: HARMender.schema)
        }
        entry.set("timings", timings)
    }

    /// The phases by HAR's rule: TLS is in `connect`.
    private static func sum(_ timings: JSONValue?) -> Double {
        ["blocked", "dns", "connect", "send", "wait", "receive"].reduce(0) { $0 + max(0, timings?[$1]?.number ?? 0) }
    }

    private mutating func address(of entry: inout JSONValue) {
        guard let value = entry["serverIPAddress"] else { return }
        guard let text = value.string, !text.isEmpty else {
            add(
                "serverIPAddress",
                value.string == nil ? "is \(value.kind)" : "is empty",
                HARMender.schema,
                "is dropped"
            )
            return entry.remove("serverIPAddress")
        }
        guard !HARMender.isAddress(text) else { return }
        var bare = text
        if bare.first == "[", let close = bare.firstIndex(of: "]") {
            bare = String(bare[bare.index(after: bare.startIndex)..<close])
        } else if let colon = bare.lastIndex(of: ":") {
            bare = String(bare[..<colon])
        }
        if HARMender.isAddress(bare) {
            add("serverIPAddress", "is no bare address", HARMender.schema, "loses its port or brackets")
            entry.set("serverIPAddress", .string(bare))
        } else {
            add("serverIPAddress", "is no IP address", HARMender.schema, "is dropped")
            entry.remove("serverIPAddress")
        }
    }

    /// Whether a text is an IPv4 or IPv6 address, by its characters.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 4 { return parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy { $0 != 0x2B } } }
        let colons = text.utf8.filter { $0 == UInt8(ascii: ":") }.count
        let isHexadecimal = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66, UInt8(ascii: ":"), UInt8(ascii: "."): true
            default: false
            }
        }
        return isHexadecimal && colons >= 2 && colons <= 7
    }

    // MARK: kinds of fields

    /// Repairs a name that stands twice, because readers differ on which one counts.
    mutating func twice(_ object: JSONValue, _ path: String) {
        guard case .object(let members) = object else { return }
        var seen: Set<String> = []
        for member in members where !seen.insert(member.name).inserted {
            add("\(path).\(member.name)", "stands twice", ["Chrome", "mitmproxy"], "keeps the last")
        }
    }

    mutating func object(_ name: String, of object: inout JSONValue, at path: String = "", breaks: [String]) {
        guard object[name]?.isObject != true else { return }
        let problem = object[name].map { "is \($0.kind), no object" } ?? "is missing"
        add(path + name, problem, breaks, "becomes an empty one")
        object.set(name, .object([]))
    }

    mutating func number(
        _ name: String,
        of object: inout JSONValue,
        at path: String,
        least: Double,
        else fallback: Double,
        isWhole: Bool = false,
        breaks: [String] = HARMender.chrome + HARMender.schema
    ) {
        let value = object[name]
        var problem: String?
        var mended = fallback
        switch value {
        case .number(let number) where !number.isFinite: problem = "is too large a number"
        case .number(let number) where number < least: problem = "is below \(HARMender.text(least))"
        case .number(let number) where isWhole && number != number.rounded():
            problem = "is no whole number"
            mended = number.rounded()
        case .number: return
        case .string(let text):
            problem = "is a string, no number"
            if let number = Double(text), number.isFinite, number >= least {
                mended = isWhole ? number.rounded() : number
            }
        case nil: problem = "is missing"
        case .some(let other): problem = "is \(other.kind), no number"
        }
        guard let problem else { return }
        add(path + name, problem, breaks, "becomes \(HARMender.text(mended))")
        object.set(name, .number(mended))
    }

    mutating func string(
        _ name: String,
        of object: inout JSONValue,
        at path: String,
        else fallback: String,
        breaks: [String] = HARMender.schema
    ) {
        let value = object[name]
        guard value?.string == nil else { return }
        var mended = fallback
        if let number = value?.integer { mended = String(number) }
        add(
            path + name,
            value.map { $0.isNull ? "is null" : "is \($0.kind), no string" } ?? "is missing",
            breaks,
            mended.isEmpty ? "becomes empty" : "becomes \(mended.prefix(60))"
        )
        object.set(name, .string(mended))
    }

    mutating func date(_ name: String, of object: inout JSONValue, else fallback: String) {
        let value = object[name]
        if let text = value?.string, Timestamp.microseconds(text) != nil { return }
        let problem = value == nil ? "is missing" : "is no date"
        add(name, problem, ["Chrome", "mitmproxy", "haralyzer", "har-schema"], "becomes \(fallback)")
        object.set(name, .string(fallback))
    }

    /// The number of a repair as a person writes it: `-1` for -1.0.
    private static func text(_ number: Double) -> String {
        number == number.rounded() && number.magnitude < 1e15 ? String(Int64(number)) : number.description
    }
}
