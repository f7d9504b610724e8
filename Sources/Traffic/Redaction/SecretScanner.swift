/// Finds the secrets in a text of any kind, by the names before them and by how some look, without knowing the text's grammar.
///
/// It reads bytes, so that a text that is cut, mixed or not even text is searched all the same: JSON (also inside of strings), forms and queries, XML
/// and HTML, `name: value` and `name = value` lines, YAML, rows of SQL, tables, multipart forms, JWTs, `Bearer …`, private keys, and passwords in
/// URLs. The time is linear in the text's length.
struct SecretScanner {
    /// A secret in a text: where it is, of which kind, and under which name.
    struct Finding {
        var range: Range<Int>
        var kind: SecretKind
        var place: String
        /// The quotation mark to write before and after the placeholder (a JSON number becomes a string).
        var quote: [UInt8] = []
        /// Whether it is a secret only by the text beside it, so that the same value elsewhere may be a common word.
        var isLocal = false
        /// The findings that this one was joined from; empty where it was not joined.
        var parts: [Part] = []
    }

    /// A secret inside a longer finding; it may stand elsewhere alone.
    struct Part {
        let range: Range<Int>
        let kind: SecretKind
        let isLocal: Bool
    }

    /// The places where values end.
    enum Form {
        /// At white space, quotes, separators.
        case text
        /// At `&` only: a query or a form (WHATWG URL §5).
        case form
        /// As in a text, and with the cells of a table, whose columns one of its first rows names.
        case table
    }

    /// A name that stands for secrets, and what it tells of them.
    struct Label {
        let kind: SecretKind
        let name: ArraySlice<UInt8>
        /// Whether the value decides, because the name stands for much else too.
        let isDoubtful: Bool
        /// Whether numbers under the name may count something: `max_tokens`, and what stands in `prompt_tokens_details`.
        let isCount: Bool
        /// Whether an object under the name may hold much else: `session`, `auth`.
        let isBroad: Bool

        /// - Returns: the label; `nil` where the name, its escapes undone, does not stand for secrets.
        init?(_ name: ArraySlice<UInt8>) {
            let name = name.suffix(SecretKind.nameLimit)
            let isEscaped = name.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") }
            let plain = isEscaped ? DecodedPiece.spellings(of: Array(name)).last ?? [] : Array(name)
            if let kind = SecretKind(name: plain) {
                (self.kind, isDoubtful) = (kind, false)
            } else if let kind = SecretKind(doubtful: plain) {
                (self.kind, isDoubtful) = (kind, true)
            } else {
                return nil
            }
            self.name = name
            isCount = name.map(ASCII.lower).firstRange(of: Array("tokens".utf8)) != nil
            isBroad = SecretKind.isBroad(plain)
        }
    }

    let bytes: [UInt8]
    /// How values end: `text` or `form`.
    let form: Form
    private let isTable: Bool
    /// Whether the text may begin in the middle of a string.
    let isContinued: Bool
    /// The most findings of one text; a finding takes far more memory than a byte, and a body may consist of secrets alone.
    private let limit: Int
    private(set) var findings: [Finding] = []
    /// The place from which everything counts as one secret, because the text has more than the limit.
    private(set) var restStart: Int?
    /// Whether bytes are a placeholder, which hides nothing.
    private let isPlaceholder: ([UInt8]) -> Bool
    /// The beginning of a multipart head that has not ended.
    var partStart: Int?
    /// Where the value ends that was last looked at under a doubtful name, which is not looked for twice.
    var doubtfulEnd = 0
    /// Up to where no value under a doubtful name is a secret.
    var plainEnd = 0
    /// What a value without quotation marks ends before that was looked at last, and up to where none of a doubtful name is a secret.
    var scalar = 0..<0
    var plainScalarEnd = 0
    /// Up to where an object or list without a name in quotation marks has some before its line ends.
    var quotedLineEnd = 0
    /// From where a mark of a program was looked for, up to and with the first.
    var programGap = 0..<0
    /// Where the last block of YAML below a secret's name ends, and that below a broad one.
    var blockEnd = 0
    var broadBlockEnd = 0
    /// Where the last rows of SQL end that were looked through.
    var rowsEnd = 0
    /// The table that was looked through last.
    var tablePlace = 0..<0
    /// The quotation marks before the object or array that stood last under a secret's name.
    var quotes = QuoteCount()
    /// Where the objects and arrays end that were looked through, for each way to read one that begins in the middle of it.
    var containerEnds = [Int](repeating: 0, count: 16)
    /// Where the elements end whose texts were found under a secret's name, the last such name, and the same of broad and of doubtful names.
    var textEnd = 0
    var textLabel: Label?
    var broadTextEnd = 0
    var broadTextLabel: Label?
    var plainTextEnd = 0
    /// Up to where the members of a JSON Web Key were looked through.
    var webKeyEnd = 0
    /// Up to where the bytes behind a key's prefix have no digit.
    var plainKeyEnd = 0
    /// The stretches before the end of a CDATA section and before that of a comment that were looked through last.
    var section = 0..<0
    var comment = 0..<0
    /// Where the last end tag of each name stands, once looked for.
    var endTags: [[UInt8]: Int]?

    init(
        _ bytes: [UInt8],
        form: Form = .text,
        isContinued: Bool = false,
        limit: Int = Redactor.findingLimit,
        isPlaceholder: @escaping ([UInt8]) -> Bool = { _ in false }
    ) {
        self.isContinued = isContinued
        self.bytes = bytes
        self.limit = limit
        self.form = form == .table ? .text : form
        isTable = form == .table
        self.isPlaceholder = isPlaceholder
        partStart = bytes.starts(with: "--".utf8) ? 0 : nil
    }

    /// Finds all secrets of this text itself.
    mutating func run() -> [Finding] {
        // JSON is no table, whatever a file's name says.
        if isTable, bytes.first(where: { $0 > ASCII.space }) != UInt8(ascii: "{") { table(0..<bytes.count) }
        var index = 0
        while index < bytes.count {
            let next: Int?
            switch bytes[index] {
            case UInt8(ascii: "="): next = pair(index)
            case UInt8(ascii: ":"):
                webKey(index)
                next = userinfo(index) ?? member(index)
            case UInt8(ascii: "e"): next = webToken(index)
            case UInt8(ascii: "b"), UInt8(ascii: "B"): next = credentials(index)
            case UInt8(ascii: "-"): next = privateKey(index) ?? flag(index)
            case UInt8(ascii: "<"): next = placeholder(index) ?? tag(index)
            case UInt8(ascii: ">"): next = element(index)
            case ASCII.lineFeed: next = part(index)
            case UInt8(ascii: "s"), UInt8(ascii: "S"): next = prefixed(index) ?? copied(index)
            case UInt8(ascii: "V"), UInt8(ascii: "v"): next = rows(index)
            case UInt8(ascii: "'"): next = clause(index)
            default: next = prefixed(index)
            }
            index = max(index + 1, next ?? 0)
        }
        if form == .text {
            addPairs(takesSingles: false)
            // A text in single quotation marks may be JSON itself, so a text with both kinds of marks is read both ways.
            if JSONPairs.mayHaveSingles(bytes[...]) { addPairs(takesSingles: true) }
        }
        if let restStart {
            let rest = restStart..<bytes.count
            findings.append(Finding(range: rest, kind: .secret, place: "all behind too many others", isLocal: true))
        }
        return findings
    }

    /// Adds the pairs of JSON, read in each way in which its strings may end.
    private mutating func addPairs(takesSingles: Bool) {
        var whole = JSONPairs(bytes, takesSingles: takesSingles, limit: limit)
        add(&whole)
        if whole.hasLineInString {
            var inLines = JSONPairs(bytes, .inLines, takesSingles: takesSingles, limit: limit)
            add(&inLines)
        }
        for strings in isContinued ? JSONPairs.Strings.cut(bytes) : [] {
            // In a list of names and values a name may have an even place or an odd one. The first place would name columns.
            for place in [nil, 2, 3] {
                var cut = JSONPairs(bytes, strings, listPlace: place, takesSingles: takesSingles, limit: limit)
                add(&cut)
            }
        }
    }

    private mutating func add(_ pairs: inout JSONPairs) {
        for pair in pairs.run() {
            let (value, label) = (pair.value, pair.label)
            let quote = value.isNumber ? [UInt8(ascii: "\"")] : []
            if value.isInner {
                addInner(value.range, label, "json", hasName: value.hasName, quote: quote, isLocal: pair.isLocal)
            } else {
                _ = add(value.range, label, "json", quote: quote, isLocal: pair.isLocal)
            }
        }
    }

    /// The end of a placeholder, which is skipped as a whole: its kind is no name, and its digits are no value.
    func placeholder(_ open: Int) -> Int? {
        guard let close = bytes[open...].prefix(48).firstIndex(of: UInt8(ascii: ">")),
            isPlaceholder(Array(bytes[open...close]))
        else { return nil }
        return close + 1
    }

    // MARK: steps

    /// Adds a finding, and returns where it ends; `nil` where there is none.
    ///
    /// Under a doubtful name, a value in a query is a secret, and elsewhere only a value that looks made.
    mutating func add(
        _ range: Range<Int>,
        _ label: Label,
        _ how: String,
        quote: [UInt8] = [],
        inQuery: Bool = false,
        isLocal: Bool = false
    ) -> Int? {
        if label.isDoubtful {
            guard SecretKind.isMade(bytes[range], inQuery: inQuery) else { return nil }
            if label.kind == .key, !inQuery, SecretKind.isPath(bytes[range]) { return nil }
        }
        if SecretKind.isNothing(bytes[range]) { return nil }
        let word = ByteText.lossless(label.name.filter { $0 > 0x20 && $0 < 0x7F }).lowercased()
        return add(range, label.kind, word.isEmpty ? how : "\(how) \(word)", quote: quote, isLocal: isLocal)
    }

    /// Adds what stands somewhere within what has a secret's name.
    ///
    /// Below a broad name, values with a name of their own stay where they are common or short numbers, and the others are secrets there alone unless
    /// they look made. A number may count something elsewhere, whatever it stands below.
    mutating func addInner(
        _ range: Range<Int>,
        _ label: Label,
        _ how: String,
        hasName: Bool,
        quote: [UInt8] = [],
        isLocal: Bool = false
    ) {
        var isLocal = isLocal || isNumber(range)
        if label.isBroad, hasName {
            if SecretKind.isCommon(bytes[range]) || isShortNumber(range) { return }
            isLocal = isLocal || !SecretKind.isMade(bytes[range], inQuery: false)
        }
        _ = add(range, label, how, quote: quote, isLocal: isLocal)
    }

    /// Whether a number is too short for a secret, or a moment in seconds or milliseconds since 1970.
    private func isShortNumber(_ range: Range<Int>) -> Bool {
        guard isNumber(range) else { return false }
        return range.count < 8 || [10, 13].contains(range.count) && bytes[range.lowerBound] == UInt8(ascii: "1")
    }

    /// Adds a finding that has no name.
    mutating func add(
        _ range: Range<Int>,
        _ kind: SecretKind,
        _ place: String,
        quote: [UInt8] = [],
        isLocal: Bool = false
    ) -> Int? {
        guard bytes[range].contains(where: { $0 > ASCII.space }) else { return nil }
        guard findings.count < limit else {
            restStart = min(restStart ?? range.lowerBound, range.lowerBound)
            return range.upperBound
        }
        // In a table a quotation mark would end a cell, or begin one.
        let quote = tablePlace.contains(range.lowerBound) ? [] : quote
        findings.append(Finding(range: range, kind: kind, place: place, quote: quote, isLocal: isLocal))
        return range.upperBound
    }

    func at(_ index: Int) -> UInt8? { index >= 0 && index < bytes.count ? bytes[index] : nil }

    func end(_ start: Int, _ isEnd: (UInt8) -> Bool) -> Int {
        guard start < bytes.count else { return bytes.count }
        return bytes[start...].firstIndex(where: isEnd) ?? bytes.count
    }

    func isWord(_ index: Int) -> Bool { at(index).map { SecretScanner.isBase64URL($0) } ?? false }

    static func isBase64URL(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
            || byte == 0x5F
    }
}

extension SecretScanner.Form {
    /// How a message's body is read.
    ///
    /// - Parameters:
    ///   - message: whose body.
    ///   - target: the target of its request, whose path may name a file.
    init(of message: Message, target: String) {
        let path = target.utf8.prefix { !"?#".utf8.contains($0) }
        self.init(
            of: MediaType(message.fields.first("Content-Type")),
            MediaType(message.fields.first("Content-Disposition")),
            path: Array(path)
        )
    }

    /// How a body is read: by its type, and by the name of its file (RFC 6266 §4.3) where the type says nothing.
    ///
    /// A table without headings (RFC 4180 §3) names nothing.
    init(of type: MediaType?, _ disposition: MediaType?, path: [UInt8] = []) {
        switch type?.essence {
        case "application/x-www-form-urlencoded": self = .form
        // Windows takes a table for Excel's.
        case "text/csv", "text/x-csv", "application/csv", "application/x-csv", "text/comma-separated-values",
            "text/x-comma-separated-values", "text/tab-separated-values", "text/tsv", "application/vnd.ms-excel":
            let hasHeadings = type?.parameters.contains { $0.name == "header" && $0.value == "absent" } != true
            self = hasHeadings ? .table : .text
        case nil, "text/plain", "application/octet-stream", "binary/octet-stream", "application/x-download",
            "application/download", "application/force-download", "application/gzip", "application/x-gzip",
            "application/zstd":
            let names = disposition?.parameters.filter { ["filename", "filename*"].contains($0.name) } ?? []
            let isTable = (names.map { Array($0.value.utf8) } + [path]).contains(where: Self.isTable)
            self = isTable ? .table : .text
        default: self = .text
        }
    }

    /// The form in which bytes are read: JSON and XML are no form, whatever their type says, since some programs send every body as one.
    func reading(_ bytes: [UInt8]) -> Self {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard self == .form, let first = bytes[start...].first(where: { $0 > ASCII.space }) else { return self }
        return "{[<".utf8.contains(first) ? .text : .form
    }

    /// The ends of the names of table files, packed ones too.
    private static let tableEndings = [".csv", ".tsv", ".csv.gz", ".tsv.gz", ".csv.zst", ".tsv.zst"].map {
        Array($0.utf8)
    }

    /// Whether a file is a table by its name, which may have escapes.
    private static func isTable(_ name: [UInt8]) -> Bool {
        let name = PercentCoding.decoded(name, plus: .plus).map(ASCII.lower)
        return tableEndings.contains { name.suffix($0.count).elementsEqual($0) }
    }
}
