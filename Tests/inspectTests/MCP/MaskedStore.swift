import ArgumentParser
import NIOCore
import Store
import Support
import Traffic

@testable import ProgramTests
@testable import inspect

/// A store whose exchanges hold one secret wherever one can be, and what an agent gets out of it.
struct MaskedStore {
    private let directory: TemporaryDirectory
    private let options: StoreOptions

    /// Which exchanges say that the secret is one; the others have it in plain text.
    enum Naming {
        case everywhere
        /// Only the last.
        case late
        /// A body, older than an exchange with a large body.
        case beforeLarge
        /// The head of the last, which has a large body.
        case inLarge
    }

    /// Bytes of a large body.
    static let largeBytes = 4_096

    /// - Parameters:
    ///   - secret: at least eight letters and digits.
    ///   - naming: which exchanges say that it is one.
    /// - Throws: when it cannot be recorded.
    init(secret: String, naming: Naming = .everywhere) async throws {
        directory = try TemporaryDirectory()
        let path = directory.file("captures.db")
        options = try StoreOptions.parse(["--store", path])
        let store = try TrafficStore(path: path, access: .writing)
        let named: [[ExchangeEvent]] = [
            MaskedStore.login(secret), MaskedStore.plain(2), MaskedStore.broken(secret), MaskedStore.stream(secret),
            MaskedStore.plain(5), MaskedStore.program(secret),
        ]
        let late: [[ExchangeEvent]] = [
            MaskedStore.plain(7), MaskedStore.echo(secret), MaskedStore.named(by: 9, secret, in: "run"),
            MaskedStore.login(secret),
        ]
        let batch =
            switch naming {
            case .everywhere: named
            case .late: late
            case .beforeLarge: [MaskedStore.echo(secret), MaskedStore.answer(secret), MaskedStore.large(by: "nobody")]
            case .inLarge: [MaskedStore.echo(secret), MaskedStore.large(by: secret)]
            }
        for events in batch {
            let receipt = await withCheckedContinuation { done in
                store.submit(CaptureBatch(events: events) { done.resume(returning: $0) })
            }
            guard receipt.isRecorded else { throw CapturedStore.NotRecorded() }
        }
        var note = MarkChange()
        note.note = "his password: \(secret)"
        if naming == .everywhere { try store.mark([5], note) }
        try store.close()
    }

    /// What a tool answers.
    ///
    /// - Parameters:
    ///   - tool: its name.
    ///   - arguments: the call's, as JSON.
    ///   - isMasked: whether secrets are masked.
    ///   - rules: those of a running proxy; `nil` where the store is asked for one.
    ///   - trying: the tool that tries rules.
    ///   - bounds: what one answer may take.
    ///   - now: the time.
    /// - Returns: the text.
    func answer(
        _ tool: String,
        _ arguments: String,
        isMasked: Bool = true,
        rules: RunningRuleList.List? = nil,
        trying: RulesTryTool = RulesTryTool(),
        bounds: AgentStore.Bounds = AgentStore.Bounds(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) async -> String {
        let context = context(isMasked: isMasked, bounds: bounds, now: now)
        let tools: [any MCPTool] = [
            FilterTool(), SearchTool(), ShowTool(), StatisticsTool(), ReplayTool(), CheckTool(),
            rules.map { list in RulesTool { _ in list } } ?? RulesTool(), trying,
        ]
        let line =
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
        let answer = await MCPServer(context: context, tools: tools).answer(RPCMessage(Array(line.utf8)))
        let text = answer?["result"]?["content"]?.elements?.first?["text"]?.string
        return (text ?? "\(String(describing: answer))").replacing(directory.path, with: "(directory)")
    }

    /// The numbers of exchanges as a replay reads them that waits for each answer.
    ///
    /// - Parameters:
    ///   - ids: the exchanges.
    ///   - pause: how long each answer is waited for.
    /// - Returns: their numbers again.
    /// - Throws: when one cannot be read.
    func compared(_ ids: [ExchangeID], after pause: Duration) throws -> [ExchangeID] {
        let clock = Watched(ContinuousClock.now)
        let context = context(isMasked: true, bounds: AgentStore.Bounds()) { clock.value }
        let reading = context.reading(try options.openForReading())
        return try ids.map { id in
            clock.update { $0 += pause }
            return try reading(id).record.summary.id
        }
    }

    private func context(
        isMasked: Bool,
        bounds: AgentStore.Bounds,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) -> MCPContext {
        MCPContext(
            store: options,
            // Every secret has the same name, so that what is told of two of them can be compared.
            redactor: isMasked ? SharedRedactor(Redactor { _ in [UInt8](repeating: 0x3F, count: 16) }) : nil,
            resultLimitBytes: 1 << 20,
            bounds: bounds,
            now: now
        )
    }

    private static func ended(_ sample: Sample) -> ExchangeEvent {
        .ended(
            sample.token,
            sample.exchange,
            request: ByteBuffer(bytes: sample.requestBody),
            response: ByteBuffer(bytes: sample.responseBody)
        )
    }

    /// In the target, the fields and the bodies of both sides.
    private static func login(_ secret: String) -> [ExchangeEvent] {
        var sample = Sample(
            1,
            "POST",
            "/login?token=\(secret)&n=1",
            fields: "Content-Type: application/json\r\nSet-Cookie: session=\(secret); Path=/\r\n",
            requestBody: Array(#"{"password":"\#(secret)","n":1}"#.utf8),
            responseBody: Array(#"{"access_token":"\#(secret)","hello":"moon and stars"}"#.utf8)
        )
        let head = """
            POST /login?token=\(secret)&n=1 HTTP/1.1\r\nHost: api.example.test\r\nAuthorization: Bearer \(secret)\r
            Cookie: a=\(secret)\r\nContent-Type: application/json\r\n\r\n
            """
        sample.exchange.request.head = ByteBuffer(string: head)
        return [ended(sample)]
    }

    private static func plain(_ token: CaptureToken) -> [ExchangeEvent] {
        let body = Array("moon over the \(token) hills".utf8)
        return [ended(Sample(token, "GET", "/plain/\(token)?a=b", responseBody: body))]
    }

    /// In the sentence that says why there is no answer.
    private static func broken(_ secret: String) -> [ExchangeEvent] {
        var sample = Sample(3, "GET", "/broken").failed()
        sample.exchange.failure?.message = "The upstream said token=\(secret) and left."
        return [ended(sample)]
    }

    /// In an event of a stream.
    private static func stream(_ secret: String) -> [ExchangeEvent] {
        var sample = Sample(4, "GET", "/stream", fields: "Content-Type: text/event-stream\r\n")
        sample.exchange.messages = MessageCounts(request: 0, response: 1)
        var opened = sample.exchange
        (opened.outcome, opened.timeline.duration) = (.pending, nil)
        let payload = ByteBuffer(string: #"{"refresh_token":"\#(secret)"}"#)
        let size = Int64(payload.readableBytes)
        let event = StreamMessage(
            side: .response,
            time: sample.exchange.timeline.started,
            kind: .event,
            wireBytes: size,
            size: size,
            payload: payload
        )
        return [.opened(4, opened), .message(4, event), ended(sample)]
    }

    /// In a path, a body and a field that do not say what it is.
    private static func echo(_ secret: String) -> [ExchangeEvent] {
        let fields = "Content-Type: text/plain\r\nX-Trace: \(secret)\r\n"
        let body = Array("moon and \(secret) here".utf8)
        return [ended(Sample(8, "GET", "/echo/\(secret)", fields: fields, responseBody: body))]
    }

    /// In a body alone.
    private static func answer(_ secret: String) -> [ExchangeEvent] {
        let body = Array(#"{"access_token":"\#(secret)"}"#.utf8)
        return [ended(Sample(10, "GET", "/answer", fields: "Content-Type: application/json\r\n", responseBody: body))]
    }

    /// In a request's head, with a large response.
    private static func large(by secret: String) -> [ExchangeEvent] {
        var sample = Sample(11, "GET", "/large", responseBody: Array(repeating: 0x61, count: largeBytes))
        let head = "GET /large HTTP/1.1\r\nHost: api.example.test\r\nAuthorization: Bearer \(secret)\r\n\r\n"
        sample.exchange.request.head = ByteBuffer(string: head)
        return [ended(sample)]
    }

    /// In the name of the program that asked, which is a category.
    private static func program(_ secret: String) -> [ExchangeEvent] { named(by: 6, "--password=\(secret)", in: "run") }

    private static func named(by token: CaptureToken, _ word: String, in program: String) -> [ExchangeEvent] {
        var sample = Sample(token, "GET", "/program")
        let process = LocalProcess(id: 7, name: "\(program) \(word)")
        sample.exchange.client = Peer(token: 3, address: "127.0.0.1:50001", tls: nil, process: process)
        return [ended(sample)]
    }
}
