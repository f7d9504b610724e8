import Lenses
import Traffic

/// `replay`: sends recorded requests again through the running proxy, and says what was different.
///
/// It sends what the user's programs sent, with their rights. A captured text could talk an agent into that, so the user has to allow it, and
/// requests go only to recorded origins.
struct ReplayTool: MCPTool {
    private static let mostExchanges = 20

    static let word = "replay"
    let name = ReplayTool.word
    let summary =
        "Sends recorded requests again through the running proxy, byte for byte or edited, and says what differs between each new answer and the recorded one. Credentials go to their own origin only."
    let parameters = [
        MCPParameter(
            "query",
            .text,
            "Which exchanges: 17, 20..25, or any query; at most \(mostExchanges).",
            isRequired: true
        ),
        MCPParameter(
            "to",
            .text,
            "Another origin that something is recorded of, http://127.0.0.1:8081, with a path that is put before the target's."
        ),
        MCPParameter("method", .text, "Another method."),
        MCPParameter(
            "headers",
            .texts(50),
            "Header fields, \"Name: value\", in the place of those of their names, or added."
        ),
        MCPParameter("remove_headers", .texts(50), "Names of header fields that are left out."),
        MCPParameter(
            "query_items",
            .texts(50),
            "Query items, \"name=value\", in the place of those of their names, or added."
        ),
        MCPParameter("body", .text, "Another body."),
    ]
    let isReadOnly = false

    func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
        let store = try context.store.openForReading()
        let query = arguments.text("query") ?? ""
        let view = context.view(store)
        let ids = try view.ids(context.filter(query, in: store))
        guard !ids.isEmpty else { throw InputError("no exchange is selected by \(query); filter shows what is there") }
        guard ids.count <= ReplayTool.mostExchanges else {
            throw InputError(
                "\(query) selects \(ids.count) exchanges, and at most \(ReplayTool.mostExchanges) are sent at once; narrow it, for example id:\(ids[0])"
            )
        }
        var plan = ReplayPlan()
        plan.ids = ids
        let edits = try ReplayTool.edits(arguments)
        if let problem = edits.problem { throw InputError(problem.toolWords) }
        if let to = edits.to, try !view.knows(ReplayTarget(to)) {
            throw InputError(
                "'to': nothing is recorded of \(to), and requests are sent only to origins that the store knows; filter lists its hosts"
            )
        }
        if !edits.isEmpty { plan.edits = edits }
        let gathered = GatheredComparisons()
        let client = try InstanceClient.running(on: context.store)
        try await ReplayRun(
            client,
            store,
            CaptureDiff(noise: try DiffNoise(declared: [], usesStandard: true), scope: .replay),
            reading: context.reading(store),
            words: { $0.toolWords }
        ).run(plan, samples: nil, into: gathered)
        let summary = gathered.summary
        if summary.total == 0 { throw InputError("nothing was sent: \(summary.emptiness(of: query))") }
        var result = try JSONValue { json in
            json.object { json in
                json.array("comparisons") { _ in }
                summary.write(to: &json)
                if let sent = gathered.sent { json.number("seconds", sent.seconds) }
                if let note = gathered.note { json.string("note", note) }
            }
        }
        // They were written once as they came, to count their bytes.
        result.set("comparisons", .array(gathered.shown))
        return result
    }

    private static func edits(_ arguments: MCPArguments) throws -> ReplayEdits {
        var edits = ReplayEdits()
        edits.to = arguments.text("to")
        edits.method = arguments.text("method")
        edits.headers = try arguments.texts("headers").map { line in
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw InputError("'headers': \(line) is not \"Name: value\"")
            }
            guard line[..<colon].lowercased() != "host" else {
                throw InputError(
                    "'headers': Host follows from where the request goes; leave it out, and name another origin by 'to'"
                )
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return ReplayEdits.Field(name: String(line[..<colon]), value: String(value))
        }
        edits.removeHeaders = arguments.texts("remove_headers")
        edits.query = arguments.texts("query_items")
        edits.body = arguments.text("body").map { Array($0.utf8) }
        return edits
    }
}
