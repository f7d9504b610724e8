import ArgumentParser
import Traffic

/// A rule that is made from a recorded exchange, as YAML for a person to go on from.
struct RuleSketch {
    /// What the rule does.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        /// It answers as the recorded response did.
        case stub
        /// It changes the response's head.
        case edit
    }

    /// Bytes of a body that stand in the rule itself; for a longer one the rule names the exchange.
    private static let bodyLimitBytes = 64 << 10
    /// Characters of a regular expression after which another one begins.
    private static let pieceLimit = 850
    /// Characters of a path in a name.
    private static let nameLimit = 70

    /// Response fields that the proxy makes itself, or that tell of one moment or one server.
    private static let passing: Set = [
        "accept-ranges", "age", "alt-svc", "connection", "content-encoding", "content-length", "content-md5", "date",
        "content-digest", "content-range", "digest", "etag", "keep-alive", "last-modified", "nel", "proxy-connection",
        "proxy-status", "report-to",
        "server", "repr-digest", "te", "trailer", "transfer-encoding", "upgrade", "via",
    ]

    private let exchange: Exchange
    private let form: Form
    private let response: Message
    private let body: CapturedBody
    /// The response's status.
    private let code: Int

    /// - Parameters:
    ///   - capture: the exchange with its bodies.
    ///   - form: what the rule does.
    /// - Throws: `InputError` where no rule can do what the exchange did.
    init(_ capture: Capture, as form: Form) throws {
        exchange = capture.exchange
        (self.form, body) = (form, capture.response)
        guard let response = exchange.response, let code = exchange.code, code >= 200,
            exchange.target.utf8.first == UInt8(ascii: "/")
        else {
            throw InputError("exchange \(exchange.id) has no answer that a rule could give or change")
        }
        (self.response, self.code) = (response, code)
        // An archive may say anything: a rule made of it must not apply to more than its request.
        guard !exchange.host.isEmpty, !RuleSketch.isOdd(exchange.host), !exchange.method.isEmpty,
            exchange.method.utf8.allSatisfy(ASCII.isToken)
        else {
            throw InputError("exchange \(exchange.id) names no host, or no method, that a rule could select")
        }
        // Each byte of them takes a character or more of the query, and the pieces of a long path say where they stand.
        guard exchange.host.utf8.count + path.utf8.count <= RuleCondition.limit else {
            throw RuleSketch.noQuery(exchange)
        }
        // A change needs nothing of the body.
        guard form == .edit || exchange.outcome == .completed && code != 206 && !response.body.isTruncated else {
            throw InputError("the answer of exchange \(exchange.id) is not whole, so that no rule could give it")
        }
        guard (try? RuleCondition(condition)) != nil else {
            throw RuleSketch.noQuery(exchange)
        }
    }

    private static func noQuery(_ exchange: Exchange) -> InputError {
        InputError("the words of exchange \(exchange.id) cannot stand in a query")
    }

    /// The rules file, its lines ended.
    var text: String {
        let lines =
            [
                "# made from exchange \(exchange.id)", "rules:", "- name: \(YAMLScalar.quoted(name))",
                "  when: \(YAMLScalar.value(condition, indent: 2))",
            ] + (form == .stub ? stub : edit)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Whether the rule names the exchange by its number, since its body is no short text.
    var namesExchange: Bool { form == .stub && hasBody && plainBody == nil }

    private var hasBody: Bool {
        response.body.length > 0 && exchange.method != "HEAD" && ![204, 205, 304].contains(code)
    }

    private var path: String { String(QueryString.split(exchange.target).path) }

    /// `GET /v2/users (17)`: names are unique, and have no comma.
    private var name: String {
        let line = VisibleText.line("\(exchange.method) \(path)").replacing(",", with: " ")
        return "\(line.prefix(RuleSketch.nameLimit)) (\(exchange.id))"
    }

    // MARK: Condition

    /// The query that selects requests like the recorded one, and no others.
    ///
    /// It names host, whole path and method, and scheme and port where these are not the usual ones.
    var condition: String {
        // The whole host: its name alone would select what lies under it too.
        var terms = ["host:/^\(RuleSketch.expression(exchange.host))$/"]
        if exchange.scheme == .http { terms.append("scheme:http") }
        let usual = (exchange.scheme ?? .https).defaultPort
        if exchange.port != usual { terms.append("port:\(exchange.port)") }
        return (terms + pathTerms + ["method:\(exchange.method)"]).joined(separator: " ")
    }

    /// Regular expressions for the whole path: one, or for a long path as many as it takes, each of a piece at its place.
    private var pathTerms: [String] {
        var terms: [String] = []
        var piece = ""
        var (start, end) = (0, 0)
        func term(_ tail: String) -> String {
            let thousands = String(repeating: ".{1000}", count: start / 1_000)
            let lead = thousands + (start % 1_000 > 0 ? ".{\(start % 1_000)}" : "")
            return "path:/\(start > 0 ? "(?s)" : "")^\(lead)\(piece)\(tail)/"
        }
        for scalar in path.unicodeScalars {
            if piece.utf8.count > RuleSketch.pieceLimit {
                terms.append(term(""))
                (piece, start) = ("", end)
            }
            piece += RuleSketch.expression(scalar)
            end += 1
        }
        return terms + [term("$")]
    }

    /// A regular expression for a text.
    static func expression(_ text: String) -> String {
        text.unicodeScalars.map(expression).joined()
    }

    /// A regular expression for a scalar that cannot be read otherwise, whatever stands beside it.
    private static func expression(_ scalar: Unicode.Scalar) -> String {
        guard scalar.isASCII, scalar.value >= 0x20, scalar.value != 0x7F else {
            return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
        return "\\^$.|?*+()[]{}/,\" &!".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
    }

    /// Whether a text has signs that nobody sees.
    private static func isOdd(_ text: String) -> Bool {
        text.unicodeScalars.contains { !VisibleText.isVisible($0) || $0 != " " && $0.properties.isWhitespace }
    }

    // MARK: Actions

    private var stub: [String] {
        guard hasBody else { return ["  respond:", "    status: \(code)"] + fields(indent: 4) }
        guard let text = plainBody else { return ["  respond: {from: \(exchange.id)}"] }
        return ["  respond:", "    status: \(code)"] + fields(indent: 4)
            + ["    text: \(YAMLScalar.value(RuleSketch.escaped(text), indent: 4))"]
    }

    private var edit: [String] {
        let status = [204, 205, 206, 304].contains(code) ? [] : ["    status: \(code)"]
        let fields = fields(indent: 6, as: "set")
        let lines = status + (fields.isEmpty ? [] : ["    fields:"] + fields)
        return ["  # change what shall differ, and take the other lines away", "  response:"]
            + (lines.isEmpty ? ["    fields:", "      set: {X-Example: \"1\"}"] : lines)
    }

    /// The fields that say something of the content or to the client, under a name.
    private func fields(indent: Int, as name: String = "fields") -> [String] {
        var names: [String] = []
        var values: [String: [String]] = [:]
        for field in response.fields {
            let lower = ASCII.lower(field.name)
            let isValue = field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == ASCII.tab }
            guard !field.name.isEmpty, field.name.utf8.allSatisfy(ASCII.isToken), isValue,
                !RuleSketch.passing.contains(lower)
            else { continue }
            if values[lower] == nil { names.append(field.name) }
            values[lower, default: []].append(YAMLScalar.quoted(RuleSketch.escaped(field.value)))
        }
        let blanks = String(repeating: " ", count: indent)
        let lines = names.map { name in
            let all = values[ASCII.lower(name)] ?? []
            return "\(blanks)  \(YAMLScalar.key(name)): "
                + (all.count == 1 ? all[0] : "[\(all.joined(separator: ", "))]")
        }
        return lines.isEmpty ? [] : ["\(blanks)\(name):"] + lines
    }

    /// The body as text; `nil` where it is none, is not whole, is long, or would be read otherwise.
    private var plainBody: String? {
        // Who reads YAML drops a byte order mark.
        guard body.problem == nil, body.charset == .utf8, body.bytes.count <= RuleSketch.bodyLimitBytes,
            !body.bytes.starts(with: [0xEF, 0xBB, 0xBF])
        else { return nil }
        return String(validating: body.bytes, as: UTF8.self)
    }

    /// A text with nothing in it that a template would replace.
    private static func escaped(_ text: String) -> String { text.replacing("${", with: "$${") }
}
