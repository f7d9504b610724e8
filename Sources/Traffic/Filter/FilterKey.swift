/// A key of the query text: a word before a colon, and how what follows is read.
package struct FilterKey: Sendable {
    /// The word, in lower case.
    package let name: String
    /// What its values are, for help and completion.
    package let values: String
    /// A value to show in a message.
    package let example: String
    let form: Form

    /// How the values are read.
    enum Form: Sendable {
        case facet(Facet)
        case number(FilterNumber)
        case line(FilterLine)
        case header(MessageSide?)
        case body(MessageSide?)
        case json, message, trait, since, before
    }

    /// Every key, in the order of the help.
    package static let all: [FilterKey] =
        Facet.all.map { FilterKey(name: $0.name, values: $0.values, example: $0.example, form: .facet($0)) } + [
            FilterKey(.port, "a port, >=1024, 8000..8100", "443"),
            FilterKey(.path, "text in the path, or a pattern with *", "/v2/facilities"),
            FilterKey(.url, "text in the whole URL, or a pattern with *", "https://api.example.test/*"),
            FilterKey(.query, "text in the query, as sent or decoded", "format=json"),
            FilterKey("header", "a field's name, or name=value, in either message", "content-type=json", .header(nil)),
            FilterKey("reqheader", "the same in the request", "authorization", .header(.request)),
            FilterKey("resheader", "the same in the response", "server=nginx", .header(.response)),
            FilterKey("body", "text in a decoded body", "\"not found\"", .body(nil)),
            FilterKey("reqbody", "the same in the request", "name", .body(.request)),
            FilterKey("resbody", "the same in the response", "error", .body(.response)),
            FilterKey(
                "json",
                "a path into a JSON body, alone, with =value or compared: $.count>10",
                "$.user.name=ann",
                .json
            ),
            FilterKey("message", "text in a message of a WebSocket, an event stream or a gRPC call", "ping", .message),
            FilterKey(.size, "bytes of the response's body: >10k, 1MiB, 1k..2M", ">10k"),
            FilterKey(.reqsize, "bytes of the request's body", ">10k"),
            FilterKey(.time, "how long it took: >500ms, 1s..2s", ">500ms"),
            FilterKey("since", "started at or after this: 10m ago, 2026-11-20, 2026-11-20T14:00", "10m", .since),
            FilterKey("before", "started before this", "2026-11-20T14:00", .before),
            FilterKey(.session, "text in the name of the session", "checkout"),
            FilterKey(.note, "text in the note", "retry"),
            FilterKey("is", FilterTrait.allCases.map(\.rawValue).joined(separator: ", "), "replay", .trait),
            FilterKey(.id, "a number, >=100, 10..20", "10..20"),
        ]

    /// The key of a word, ignoring case.
    package static func named(_ word: String) -> FilterKey? {
        let word = word.lowercased()
        return all.first { $0.name == word }
    }

    /// The key that was probably meant by a word that is none.
    static func nearest(to word: String) -> String? {
        let word = word.lowercased()
        return others[word] ?? EditDistance.nearest(to: word, in: all.map(\.name))
    }

    /// Whether a word before digits is more likely a mistyped key than a host before its port: a search for its text would find nothing, and say
    /// nothing.
    static func isMistaken(_ word: String) -> Bool {
        let word = word.lowercased()
        if ["status", "statuscode", "status-code", "duration", "length"].contains(word) { return true }
        return word.count > 2 && all.contains { $0.name.count > 3 && EditDistance.between(word, $0.name) == 1 }
    }

    /// What other tools call the same.
    private static let others = [
        "status": "code", "statuscode": "code", "status-code": "code", "domain": "host", "hostname": "host",
        "server": "host", "mime": "type", "mime-type": "type", "content-type": "type", "contenttype": "type",
        "duration": "time", "dur": "time", "elapsed": "time", "took": "time", "protocol": "version", "proto": "version",
        "app": "client", "program": "process", "pid": "process", "larger-than": "size", "length": "size",
        "bytes": "size",
        "responsesize": "size", "respsize": "size", "requestsize": "reqsize", "headers": "header",
        "has-request-header": "reqheader", "has-response-header": "resheader", "respheader": "resheader",
        "requestbody": "reqbody", "responsebody": "resbody", "respbody": "resbody", "content": "body",
        "after": "since", "from": "since", "until": "before", "state": "outcome", "websocket": "message",
        "number": "id", "tags": "tag", "label": "tag", "comment": "note", "jsonpath": "json", "uri": "url",
        "target": "path", "verb": "method", "rules": "rule",
    ]

    private init(name: String, values: String, example: String, form: Form) {
        (self.name, self.values, self.example, self.form) = (name, values, example, form)
    }

    private init(_ name: String, _ values: String, _ example: String, _ form: Form) {
        self.init(name: name, values: values, example: example, form: form)
    }

    private init(_ number: FilterNumber, _ values: String, _ example: String) {
        self.init(name: number.rawValue, values: values, example: example, form: .number(number))
    }

    private init(_ line: FilterLine, _ values: String, _ example: String) {
        self.init(name: line.rawValue, values: values, example: example, form: .line(line))
    }

    /// Whether `/word/` without anything special in it is a path and no regular expression.
    var isPath: Bool { if case .line(let line) = form { line.isPath } else { false } }

    /// The signs that may stand between a name and what it is compared to; empty where a value has no such form.
    var signs: [String] {
        switch form {
        case .header: ["="]
        case .json: [">=", "<=", "=", ">", "<"]
        default: []
        }
    }
}

extension FilterKey {
    /// The test that values of this key make.
    func test(_ values: [FilterValue], now: Int64) throws(FilterReadingError) -> FilterTest {
        switch form {
        case .facet(let facet):
            return .facet(facet, try each(values) { (v) throws(ValueProblem) in try facet.selector(v) })
        case .number(let number):
            return .number(
                number,
                try each(values) { (v) throws(ValueProblem) in try Quantity.range(v.text, number.unit) }
            )
        case .line(let line):
            return .line(line, try each(values) { (v) throws(ValueProblem) in try v.pattern() })
        case .header(let side):
            return .header(side, try each(values) { (v) throws(ValueProblem) in try FilterKey.header(v) })
        case .body(let side): return .body(side, try each(values) { (v) throws(ValueProblem) in try v.pattern() })
        case .message: return .message(try each(values) { (v) throws(ValueProblem) in try v.pattern() })
        case .json: return .json(try each(values) { (v) throws(ValueProblem) in try FilterKey.json(v) })
        case .trait: return .trait(try each(values) { (v) throws(ValueProblem) in try FilterKey.trait(v) })
        case .since: return .since(try moment(values, now))
        case .before: return .before(try moment(values, now))
        }
    }

    private func each<Value>(
        _ values: [FilterValue],
        _ read: (FilterValue) throws(ValueProblem) -> Value
    ) throws(FilterReadingError) -> [Value] {
        var found: [Value] = []
        for value in values {
            do {
                found.append(try read(value))
            } catch {
                throw FilterReadingError("\(name):\(value.text): \(error.sentence)", column: value.column)
            }
        }
        return found
    }

    private func moment(_ values: [FilterValue], _ now: Int64) throws(FilterReadingError) -> Int64 {
        guard let value = values.first else { return now }
        if values.count > 1 {
            throw FilterReadingError("\(name): takes one time, not a list", column: values[1].column)
        }
        guard let time = Moment.parse(value.text, now: now) else {
            throw FilterReadingError("\(name):\(value.text): \(Moment.expectation)", column: value.column)
        }
        return time
    }

    private static func trait(_ value: FilterValue) throws(ValueProblem) -> FilterTrait {
        if let trait = FilterTrait(rawValue: value.text.lowercased()) { return trait }
        let words = FilterTrait.allCases.map(\.rawValue)
        let guess = EditDistance.nearest(to: value.text.lowercased(), in: words).map { "; did you mean \($0)?" } ?? ""
        throw ValueProblem("expected \(words.joined(separator: ", "))\(guess)")
    }

    private static func header(_ value: FilterValue) throws(ValueProblem) -> HeaderPattern {
        if value.form == .regex { return HeaderPattern(name: .line(try value.pattern()), value: nil) }
        guard !value.text.isEmpty, value.text.utf8.allSatisfy(ASCII.isToken) else {
            throw ValueProblem("expected a field's name, or name=value, for example content-type=json")
        }
        let name = FilterValue(value.text.lowercased(), value.form)
        guard let assigned = value.assigned else { return HeaderPattern(name: .named(try name.pattern()), value: nil) }
        guard !assigned.text.isEmpty else { throw ValueProblem("a value is missing after =") }
        return HeaderPattern(
            name: .named(try name.pattern()),
            value: try FilterValue.pattern(assigned.text, assigned.form)
        )
    }

    private static func json(_ value: FilterValue) throws(ValueProblem) -> JSONPattern {
        // As the names and texts of bodies are read.
        let path = try JSONPath(ByteText.parted(value.text))
        guard let assigned = value.assigned else { return JSONPattern(path: path, condition: .exists) }
        if let sign = JSONPattern.Sign(rawValue: assigned.sign) {
            guard let number = Double(assigned.text), number.isFinite else {
                throw ValueProblem("expected a number after \(assigned.sign)")
            }
            return JSONPattern(path: path, condition: .compared(sign, number))
        }
        guard !assigned.text.isEmpty || assigned.form == .quoted else {
            throw ValueProblem("a value is missing after =")
        }
        let isPlain = assigned.form == .quoted || assigned.form == .plain && !assigned.text.contains("*")
        if isPlain { return JSONPattern(path: path, condition: .equals(ByteText.parted(assigned.text))) }
        return JSONPattern(path: path, condition: .like(try FilterValue.pattern(assigned.text, assigned.form)))
    }
}
