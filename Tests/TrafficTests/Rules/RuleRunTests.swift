import NIOCore
import Testing

@testable import Traffic

@Suite("Which rules apply to an exchange, and in what order", .timeLimit(.minutes(15)))
struct RuleRunTests {
    private static func rule(_ name: String, _ text: String, _ actions: [RuleAction], stops: Bool = false) throws
        -> Rule
    {
        let place = Rule.Place(path: "r.yaml", line: 1, column: 1)
        var rule = Rule(name: name, place: place, condition: try RuleCondition(text), actions: actions)
        rule.stops = stops
        return rule
    }

    private static func rule(_ name: String, _ actions: [RuleAction]) throws -> Rule { try rule(name, "", actions) }

    private static func set(_ name: String, _ value: String) throws -> MessageEdit {
        var edit = MessageEdit()
        edit.fields.set = [FieldEdit.Field(name: name, value: try Template(value))]
        return edit
    }

    private static func answer(_ status: Int, _ text: String = "") throws -> RuleAction {
        var answer = RuleAnswer()
        answer.status = status
        if !text.isEmpty { answer.content = .text(try Template(text)) }
        return .respond(RuleAnswers([answer]))
    }

    private static func touch(_ rules: [Rule], _ exchange: RuledExchange) throws -> RuleTrial.Touch? {
        try RuleTrial(RuleList(rules, now: 0)).touch(exchange)
    }

    private static func lines(_ uses: [RuleUse]?) -> [String] {
        (uses ?? []).map {
            "\($0.rule) \($0.phase.rawValue) \($0.action) [\($0.what)]" + ($0.note.map { " \($0)" } ?? "")
        }
    }

    @Test("Of two that set one part the later stands, and both are in the record")
    func conflict() throws {
        let rules = [
            try Self.rule("one", [.request(try Self.set("X-A", "1"))]),
            try Self.rule("two", [.request(try Self.set("X-A", "2"))]),
        ]
        let touch = try #require(try Self.touch(rules, RuledExchange()))
        #expect(
            touch.request.map { String(buffer: $0.head) } == "GET / HTTP/1.1\r\nHost: api.shop.test\r\nX-A: 2\r\n\r\n"
        )
        #expect(
            Self.lines(touch.uses) == ["one request-head request [X-A added]", "two request-head request [X-A]"]
        )
        #expect(touch.mayDiffer && touch.uses.isModified)
    }

    @Test("A rule is judged by the request as it came, not by what another made of it")
    func original() throws {
        let rules = [
            try Self.rule("make", [.request(try Self.set("X-A", "1"))]),
            try Self.rule("see", "header:x-a", [.request(try Self.set("X-B", "1"))]),
        ]
        #expect(try Self.touch(rules, RuledExchange())?.uses.rules == ["make"])
    }

    @Test("A request that asks for a WebSocket is judged as one, before it is one and after that, whatever is answered")
    func webSockets() throws {
        let rules = try ["scheme:wss", "version:ws", "url:wss://api", "-scheme:https", "scheme:https", "version:1.1"]
            .map {
                try Self.rule($0, $0, [.request(try Self.set("X-A", "1"))])
            }
        let plain = ["scheme:https", "version:1.1"]
        let socket = rules.map(\.name).filter { !plain.contains($0) }
        let handshake = ["Connection: keep-alive, Upgrade", "Upgrade: WebSocket"]
        for (fields, code, wanted) in [
            (handshake, nil, socket), (handshake, 101, socket), (handshake, 403, socket), ([], 200, plain),
            (["Connection: Upgrade", "Upgrade: h2c"], 200, plain), (["Upgrade: websocket"], 200, plain),
        ] {
            var exchange = RuledExchange("GET", fields: fields, code: code)
            #expect(try Self.touch(rules, exchange)?.uses.rules == wanted, "\(fields), \(code ?? 0)")
            guard code == 101 else { continue }
            (exchange.exchange.scheme, exchange.exchange.version) = (.wss, .webSocket)
            #expect(try Self.touch(rules, exchange)?.uses.rules == wanted)
        }
        var asked = RuledExchange("CONNECT", "api.shop.test", "/chat")
        asked.exchange.version = .http2
        #expect(try Self.touch(rules, asked)?.uses.rules == socket)
    }

    @Test("The first that answers does; what lies on the request's way is shadowed, above it and below")
    func finals() throws {
        let rules = [
            try Self.rule("edit", [.request(try Self.set("X-A", "1"))]),
            try Self.rule("ours", "path:/a", [Self.answer(503)]),
            try Self.rule("later", [.block(.reset)]), try Self.rule("mark", [.response(try Self.set("X-B", "2"))]),
        ]
        let touch = try #require(try Self.touch(rules, RuledExchange("GET", "api.shop.test", "/a", code: 200)))
        #expect(
            Self.lines(touch.uses) == [
                "edit request-head request [] shadowed by ours", "later request-head block [] shadowed by ours",
                "ours request-head respond [503]", "mark response-head response [X-B added]",
            ]
        )
        #expect(touch.request == nil && touch.answer?.code == 503)
        let head = touch.response.map { String(buffer: $0.head) }
        #expect(
            head
                == "HTTP/1.1 503 Service Unavailable\r\nProxy-Status: inspect; details=\"rule ours\"\r\nContent-Length: 0\r\nX-B: 2\r\n\r\n"
        )
    }

    @Test("What is shadowed is not used up")
    func shadowed() throws {
        var (one, two) = (try Self.rule("one", [.block(.close)]), try Self.rule("two", [.block(.reset)]))
        (one.limits.times, two.limits.times) = (1, 1)
        let trial = RuleTrial(RuleList([one, two], now: 0))
        let blocked = try (0..<3).map { _ in try trial.touch(RuledExchange())?.uses.last?.rule }
        #expect(blocked == ["one", "two", nil])
        #expect(trial.list.figures(of: "two")?.shadowed == 1)
    }

    @Test("A change of a request that another rule answers is not drawn, is no hit, and ends nothing")
    func shadowedStop() throws {
        var edit = try Self.rule("edit", "", [.request(try Self.set("X-A", "1"))], stops: true)
        edit.limits.times = 1
        let rules = [
            try Self.rule("ours", "path:/a", [Self.answer(503)]), edit,
            try Self.rule("mark", [.response(try Self.set("X-B", "2"))]),
        ]
        let trial = RuleTrial(RuleList(rules, now: 0))
        let touch = try trial.touch(RuledExchange("GET", "api.shop.test", "/a", code: 200))
        #expect(
            Self.lines(touch?.uses) == [
                "edit request-head request [] shadowed by ours", "ours request-head respond [503]",
                "mark response-head response [X-B added]",
            ]
        )
        let figures = try #require(trial.list.figures(of: "edit"))
        #expect(figures.shadowed == 1 && figures.hits == 0 && figures.matches == 0)
        let next = try trial.touch(RuledExchange("GET", "api.shop.test", "/b", code: 200))
        #expect(next?.uses.rules == ["edit"])
    }

    @Test("A delay, or a tag, that depends on the request's body is waited for also where another rule answers")
    func besideAnswer() throws {
        var slow = try Self.rule("slow", "reqbody:foo", [.delay(RuleDelay(.request, 1_000_000...1_000_000))])
        slow.tags = ["seen"]
        let edit = try Self.rule("edit", "reqbody:foo", [.request(try Self.set("X-A", "1"))])
        let stub = try Self.rule("stub", [try Self.answer(200)])
        for rules in [[slow, edit, stub], [stub, edit, slow]] {
            var run = try #require(RuleRun(RuleList(rules, now: 0), for: RuledExchange("POST").exchange.summary))
            let verdict = try run.judge(.request, at: .requestHead, of: RuledExchange("POST"), now: 0)
            guard case .waits = verdict else {
                Issue.record("It does not wait.")
                continue
            }
            let exchange = RuledExchange("POST", body: "foo")
            guard case .applies(let firings) = try run.judge(.request, at: .requestBody, of: exchange, now: 0) else {
                Issue.record("It waits for ever.")
                continue
            }
            #expect(Set(firings.map(\.rule.name)) == ["slow", "stub"] && run.final?.rule.name == "stub")
            #expect(run.uses.contains { $0.action == "tag" })
        }
    }

    @Test("A rule for both messages stops and tags with the response where another rule answers the request")
    func shadowedHalf() throws {
        let edits: [RuleAction] = [.request(try Self.set("X-A", "1")), .response(try Self.set("X-B", "2"))]
        var both = try Self.rule("both", "reqbody:foo", edits, stops: true)
        both.tags = ["seen"]
        let rules = [
            try Self.rule("ours", "path:/a", [Self.answer(503)]), both,
            try Self.rule("mark", [.response(try Self.set("X-C", "3"))]),
        ]
        let touch = try Self.touch(rules, RuledExchange("POST", "api.shop.test", "/a", body: "foo", code: 200))
        #expect(
            Self.lines(touch?.uses) == [
                "ours request-head respond [503]", "both response-head tag [seen]", "both response-head stop []",
                "both response-head response [X-B added]",
            ]
        )
    }

    @Test("All rules that have no answer are in the record, and count as if they had never been reached")
    func withdrawn() throws {
        func files(_ name: String, _ text: String = "") throws -> Rule {
            var answer = RuleAnswer()
            answer.content = .directory(RuleAnswer.Directory(path: "/none", missing: .upstream))
            return try Self.rule(name, text, [.respond(RuleAnswers([answer]))])
        }
        let rules = [
            try files("files"), try files("more"), try Self.rule("beta", [.request(try Self.set("X-A", "1"))]),
            try Self.rule("deep", "size:>1", [.response(try Self.set("X-B", "1"))]),
        ]
        let trial = RuleTrial(RuleList(rules, now: 0), contents: { _, _ in .upstream })
        let touch = try trial.touch(
            RuledExchange("GET", code: 200, responseFields: ["Transfer-Encoding: chunked"])
        )
        let note = "skipped: there is no such file, and the request goes on"
        #expect(
            Self.lines(touch?.uses) == [
                "files request-head respond [] \(note)", "more request-head respond [] \(note)",
                "beta request-head request [X-A added]",
                "deep response-head response [] skipped: the message does not say how long its body is",
            ]
        )
        let figures = trial.list.figures
        #expect(figures.map(\.hits) == [0, 0, 1, 0] && figures.map(\.shadowed) == [0, 0, 0, 0])
        #expect(figures.map(\.lastHit).prefix(2) == [nil, nil] && figures.map(\.skips) == [0, 0, 0, 1])
    }

    @Test("A rule that stops ends the list for both messages; one that has not applied does not")
    func stops() throws {
        let rules = [
            try Self.rule("leave", "path:/auth", [], stops: true),
            try Self.rule("edit", [.request(try Self.set("X-A", "1"))]),
            try Self.rule("mark", [.response(try Self.set("X-B", "1"))]),
        ]
        #expect(try Self.touch(rules, RuledExchange("GET", "a.test", "/auth", code: 200))?.uses.rules == ["leave"])
        #expect(try Self.touch(rules, RuledExchange("GET", "a.test", "/b", code: 200))?.uses.rules == ["edit", "mark"])
    }

    @Test("A body is waited for only where something depends on it")
    func waiting() throws {
        func waits(_ rules: [Rule], _ target: String) throws -> Bool {
            let exchange = RuledExchange("POST", "a.test", target, body: "foo")
            guard var run = RuleRun(RuleList(rules, now: 0), for: exchange.summary) else { return false }
            guard case .waits(until: .requestBody) = try run.judge(.request, at: .requestHead, of: exchange, now: 0)
            else {
                return false
            }
            guard case .applies = try run.judge(.request, at: .requestBody, of: exchange, now: 0) else { return false }
            return true
        }
        let edit = try Self.rule("edit", "path:/b reqbody:foo", [.request(try Self.set("X-A", "1"))])
        let ours = try Self.rule("ours", "path:/b", [Self.answer(200)])
        #expect(try waits([edit], "/b"))
        #expect(try !waits([edit], "/c"))
        // What would be shadowed need not be known; what could stand above the answer must.
        #expect(try !waits([edit, ours], "/b"))
        #expect(try waits([Self.rule("block", "reqbody:foo", [.block(.reset)]), ours], "/b"))
        #expect(try !waits([ours, Self.rule("block", "reqbody:foo", [.block(.reset)])], "/b"))
        #expect(try waits([Self.rule("leave", "reqbody:foo", [], stops: true), ours], "/b"))
        #expect(try waits([Self.rule("echo", [.request(try Self.set("X-A", "${json.$.a}"))])], "/b"))
    }

    @Test("A body that cannot be known is not waited for, and the row says so")
    func gaps() throws {
        let rules = [try Self.rule("edit", "reqbody:foo", [.request(try Self.set("X-A", "1"))])]
        let exchange = RuledExchange("POST", body: "foo")
        let list = RuleList(rules, now: 0)
        var run = try #require(RuleRun(list, for: exchange.summary))
        let verdict = try run.judge(.request, at: .requestHead, of: exchange, now: 0, gap: "body over 8 MiB")
        guard case .applies(let firings) = verdict else {
            Issue.record("it waits")
            return
        }
        #expect(firings.isEmpty)
        #expect(Self.lines(run.uses) == ["edit request-head request [] skipped: body over 8 MiB"])
        #expect(list.figures(of: "edit")?.skips == 1)
    }

    @Test("What a template took from the exchange cannot end a field: the rule fails alone")
    func faults() throws {
        let rules = [
            try Self.rule("bad", [.request(try Self.set("X-A", "${query.q}"))]),
            try Self.rule("good", [.request(try Self.set("X-B", "1"))]),
        ]
        let trial = RuleTrial(RuleList(rules, now: 0))
        let touch = try #require(try trial.touch(RuledExchange("GET", "a.test", "/?q=%0D%0AX-Evil:%201")))
        #expect(touch.request.map { String(buffer: $0.head) }?.hasSuffix("Host: a.test\r\nX-B: 1\r\n\r\n") == true)
        #expect(
            touch.uses.first?.note == "skipped: the value of X-A would hold a line end or another control character"
        )
        #expect(trial.list.figures(of: "bad")?.faults == 1)
    }

    @Test("Where a request goes is what the last rule said of each part")
    func destinations() throws {
        func send(_ change: (inout RuleSend) throws -> Void) rethrows -> RuleAction {
            var send = RuleSend()
            try change(&send)
            return .send(send)
        }
        let rules = [
            try Self.rule("one", [send { $0.to = try ReplayTarget("http://one.test:81/base") }]),
            try Self.rule(
                "two",
                [
                    send {
                        $0.to = try ReplayTarget("https://two.test/v1")
                        $0.isFresh = true
                    }
                ]
            ),
            try Self.rule("pin", [send { $0.addresses = ["10.0.0.7"] }]),
        ]
        let exchange = RuledExchange("GET", "a.test", "/x?y", fields: ["If-None-Match: 1", "X-A: b"])
        let touch = try #require(try Self.touch(rules, exchange))
        #expect(touch.request?.destination.origin == (try ReplayTarget("https://two.test/v1")))
        #expect(touch.request?.destination.addresses == ["10.0.0.7"])
        #expect(
            touch.request.map { String(buffer: $0.head) } == "GET /v1/x?y HTTP/1.1\r\nHost: two.test\r\nX-A: b\r\n\r\n"
        )
        #expect(touch.uses.sentence == "one (host), two (host, If-None-Match removed), pin (address)")
    }

    @Test("An exchange that no rule touches is not spoken of")
    func untouched() throws {
        let rules = [
            try Self.rule("a", "host:other.test", [.block(.reset)]),
            try Self.rule("b", "code:500", [.response(try Self.set("X", "1"))]),
        ]
        #expect(try Self.touch(rules, RuledExchange(code: 200)) == nil)
        #expect(RuleRun(RuleList([rules[0]], now: 0), for: RuledExchange().summary) == nil)
    }
}
