import Traffic

/// Checks a HAR file against HAR 1.2 piece by piece, and writes it anew, repaired, if asked.
package struct HARChecker {
    /// Takes a finding, with a label of the entry for people: `GET https://api.example.test/`.
    package typealias Tell = (_ finding: HARFinding, _ label: String) throws -> Void

    /// Bytes of the log's members beside its entries that are held until the entries are written; some kilobytes are usual.
    package static let membersLimitBytes = 16 << 20
    /// Members that a log must have beside its entries.
    private static let needed: Set<String> = ["version", "creator", "pages"]

    /// Entries seen.
    package private(set) var entries = 0
    /// Findings told.
    package private(set) var count = 0
    private var splitter = ArchiveSplitter()
    private let unpacker = ArchiveUnpacker()
    private var lastStart = "1970-01-01T00:00:00.000Z"
    private var isBroken = false
    /// Members of the log that have come, of those that it must have.
    private var members: Set<String> = []
    private var membersLeft: Int
    private var isListOpen = false
    private let repairs: Bool

    /// - Parameters:
    ///   - repairs: whether a repaired file is written.
    ///   - membersLimitBytes: members of the log beyond it are reported and dropped.
    package init(repairs: Bool, membersLimitBytes: Int = HARChecker.membersLimitBytes) {
        self.repairs = repairs
        membersLeft = membersLimitBytes
    }

    /// Takes the next bytes of the file.
    ///
    /// - Parameters:
    ///   - bytes: in any pieces.
    ///   - tell: takes a finding.
    ///   - write: takes the next bytes of the repaired file.
    /// - Throws: `ArchiveProblem` when the file is no HAR; what `tell` and `write` throw.
    package mutating func write(_ bytes: [UInt8], tell: Tell, write: ([UInt8]) throws -> Void) throws {
        var rest = bytes[...]
        while !rest.isEmpty, !isBroken {
            var pieces: [[UInt8]] = []
            try unpacker.write(rest.prefix(ArchiveUnpacker.stepBytes)) { pieces.append($0) }
            rest = rest.dropFirst(ArchiveUnpacker.stepBytes)
            for piece in pieces where !isBroken { try split(piece, tell, write) }
        }
    }

    /// Says that the file has ended.
    ///
    /// - Throws: as `write`.
    package mutating func finish(tell: Tell, write: ([UInt8]) throws -> Void) throws {
        if !isBroken {
            do {
                try unpacker.finish { _ in }
                try splitter.finish { _ in }
            } catch let problem as ArchiveProblem {
                guard splitter.kind == .har else { throw problem }
                try breakOff(problem, tell)
            }
        }
        try require("version", .string("1.2"), tell)
        try require(
            "creator",
            .object([(name: "name", value: .string("unknown")), (name: "version", value: .string(""))]),
            tell
        )
        try require("pages", .array([]), tell)
        if !splitter.hasList {
            try log("entries", "is missing", ["Chrome", "mitmproxy", "haralyzer"], "becomes empty", tell)
        }
        if !isListOpen { try separate(write) }
        if repairs { try write(Array(closing.utf8)) }
    }

    // MARK: pieces

    private mutating func split(_ bytes: [UInt8], _ tell: Tell, _ write: ([UInt8]) throws -> Void) throws {
        var pieces: [ArchivePiece] = []
        var problem: ArchiveProblem?
        do {
            try splitter.write(bytes) { pieces.append(ArchivePiece($0, valuesLimit: ArchiveReader.valuesLimit)) }
        } catch let found as ArchiveProblem {
            problem = found
        }
        if let kind = splitter.kind, kind != .har {
            throw ArchiveProblem("is \(kind.rawValue) that inspect exported, no HAR")
        }
        for piece in pieces {
            switch piece {
            case .entry(let number, let value): try entry(number, value, tell, write)
            case .unreadable(let number, let problem): try unreadable(number, problem, tell)
            case .member(let name, let bytes): try member(name, bytes, tell)
            }
        }
        if let problem {
            guard splitter.kind == .har else { throw problem }
            try breakOff(problem, tell)
        }
    }

    private mutating func entry(
        _ number: Int,
        _ value: JSONValue,
        _ tell: Tell,
        _ write: ([UInt8]) throws -> Void
    ) throws {
        entries = number
        var mender = HARMender(entry: number, lastStart: lastStart)
        var mendedEntry = mender.mend(value)
        let label = "\(value["request"]?["method"]?.string ?? "") \(value["request"]?["url"]?.string ?? "")"
        var findings = mender.findings
        if var entry = mendedEntry, !HARCoding.isReadable(entry: entry) {
            findings.append(
                HARFinding(
                    entry: number,
                    field: "response.headers.Content-Encoding",
                    problem: "names a coding that the decoded body cannot be given again",
                    breaks: ["mitmproxy"],
                    mend: "is left out"
                )
            )
            HARCoding.leaveOut(of: &entry)
            mendedEntry = entry
        }
        for finding in findings {
            count += 1
            try tell(finding, label)
        }
        lastStart = mendedEntry?["startedDateTime"]?.string ?? lastStart
        guard repairs, let mendedEntry else { return }
        try separate(write)
        var json = JSONWriter()
        json.value(nil, mendedEntry)
        try write(json.take())
    }

    private mutating func member(_ name: String, _ bytes: [UInt8], _ tell: Tell) throws {
        membersLeft -= name.utf8.count + bytes.count
        guard !bytes.isEmpty, membersLeft >= 0, var value = try? JSONReader.value(bytes) else {
            return try log(name, "cannot be read", ["Chrome", "mitmproxy"], "is dropped", tell)
        }
        switch name {
        case "version":
            guard value.string == nil else { break }
            try log(name, "is \(value.kind), no string", HARMender.schema, "becomes 1.2", tell)
            value = .string("1.2")
        case "creator", "browser":
            for field in ["name", "version"] where value[field]?.string == nil {
                try log("\(name).\(field)", "is missing", HARMender.schema, "becomes empty", tell)
                if !value.isObject { value = .object([]) }
                value.set(field, .string(""))
            }
        case "pages": value = try pages(value, tell)
        default: break
        }
        keep(name, value)
    }

    /// Notes that a member of the log has come, and holds it where the file is written anew.
    private mutating func keep(_ name: String, _ value: JSONValue) {
        if HARChecker.needed.contains(name) { members.insert(name) }
        if repairs { others.append((name: name, value: value)) }
    }

    private mutating func pages(_ value: JSONValue, _ tell: Tell) throws -> JSONValue {
        guard let elements = value.elements else {
            try log("pages", "is \(value.kind), no list", ["haralyzer", "har-schema"], "becomes empty", tell)
            return .array([])
        }
        var pages: [JSONValue] = []
        for (index, element) in elements.enumerated() {
            guard element.isObject else {
                try log("pages[\(index)]", "is no object", ["haralyzer", "har-schema"], "is dropped", tell)
                continue
            }
            var page = element
            if page["startedDateTime"]?.string.flatMap(Timestamp.microseconds) == nil {
                try log("pages[\(index)].startedDateTime", "is no date", ["Chrome", "haralyzer"], "becomes 1970", tell)
                page.set("startedDateTime", .string("1970-01-01T00:00:00.000Z"))
            }
            for name in ["id", "title"] where page[name]?.string == nil {
                try log("pages[\(index)].\(name)", "is missing", HARMender.schema, "becomes empty", tell)
                page.set(name, .string(""))
            }
            if page["pageTimings"]?.isObject != true {
                try log("pages[\(index)].pageTimings", "is missing", ["Chrome", "haralyzer"], "becomes empty", tell)
                page.set("pageTimings", .object([]))
            }
            pages.append(page)
        }
        return .array(pages)
    }

    // MARK: findings

    private mutating func unreadable(_ number: Int, _ problem: String, _ tell: Tell) throws {
        entries = number
        count += 1
        let everyone = ["Chrome", "Firefox", "mitmproxy", "haralyzer"]
        try tell(HARFinding(entry: number, field: "entry", problem: problem, breaks: everyone, mend: "is left out"), "")
    }

    private mutating func breakOff(_ problem: ArchiveProblem, _ tell: Tell) throws {
        isBroken = true
        count += 1
        let everyone = ["Chrome", "Firefox", "mitmproxy", "haralyzer"]
        let mend = "keeps the \(entries) whole entries"
        try tell(HARFinding(entry: 0, field: "file", problem: problem.description, breaks: everyone, mend: mend), "")
    }

    private mutating func log(
        _ field: String,
        _ problem: String,
        _ breaks: [String],
        _ mend: String,
        _ tell: Tell
    ) throws {
        count += 1
        try tell(HARFinding(entry: 0, field: "log.\(field)", problem: problem, breaks: breaks, mend: mend), "")
    }

    private mutating func require(_ name: String, _ value: JSONValue, _ tell: Tell) throws {
        guard !members.contains(name) else { return }
        keep(name, value)
        let breaks = name == "pages" ? ["haralyzer"] : HARMender.schema
        try log(name, "is missing", breaks, "is added", tell)
    }

    // MARK: the mended file

    /// Members of the log beside the entries, to be written after them.
    private var others: [(name: String, value: JSONValue)] = []

    private mutating func separate(_ write: ([UInt8]) throws -> Void) throws {
        guard repairs else { return }
        try write(Array((isListOpen ? "," : "{\"log\":{\"entries\":[").utf8))
        isListOpen = true
    }

    private var closing: String {
        var text = "]"
        for member in others {
            var json = JSONWriter()
            json.object { $0.value(member.name, member.value) }
            text += "," + String(decoding: json.take().dropFirst().dropLast(), as: UTF8.self)
        }
        return text + "}}\n"
    }
}
