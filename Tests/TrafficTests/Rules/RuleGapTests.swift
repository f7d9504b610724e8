import Testing

@testable import Traffic

@Suite("A dry run skips what the proxy skips", .timeLimit(.minutes(15)))
struct RuleGapTests {
    /// What a dry run says of one rule with this condition: its notes, or what it changed, and how often it was skipped.
    private static func tried(
        _ text: String,
        _ side: MessageSide,
        _ exchange: RuledExchange
    ) throws -> (said: [String], skips: Int64?) {
        var edit = MessageEdit()
        edit.fields.set = [FieldEdit.Field(name: "X-A", value: Template(plain: "1"))]
        let rule = Rule(
            name: "a",
            place: Rule.Place(path: "r.yaml", line: 1, column: 1),
            condition: try RuleCondition(text),
            actions: [side == .request ? .request(edit) : .response(edit)]
        )
        let trial = RuleTrial(RuleList([rule], now: 0))
        let uses = try trial.touch(exchange)?.uses ?? []
        return (uses.map { $0.note ?? $0.what }, trial.list.figures(of: "a")?.skips)
    }

    private static func answered(_ type: String, body: String = "a secret") -> RuledExchange {
        RuledExchange(code: 200, responseFields: ["Content-Type: \(type)"], responseBody: body)
    }

    private static let endless = "skipped: the body is a stream, which has no end to wait for"

    @Test(
        "The body of a stream is not looked into",
        arguments: [
            "text/event-stream; charset=utf-8", "application/grpc", "application/grpc+proto",
            "application/grpc-web-text",
        ]
    )
    func streams(_ type: String) throws {
        let tried = try Self.tried("body:secret", .response, Self.answered(type))
        #expect(tried.said == [Self.endless] && tried.skips == 1)
        // What needs no body is done.
        let head = try Self.tried("code:200", .response, Self.answered(type))
        #expect(head.said == ["X-A added"] && head.skips == 0)
        let request = try Self.tried(
            "reqbody:foo",
            .request,
            RuledExchange("POST", fields: ["Content-Type: \(type)"], body: "foo")
        )
        #expect(request.said == [type.hasPrefix("text/") ? "X-A added" : Self.endless])
    }

    @Test("Lines that may go on for ever are a stream unless their length is said")
    func lines() throws {
        let type = "application/x-ndjson"
        #expect(try Self.tried("body:secret", .response, Self.answered(type)).said == ["X-A added"])
        var open = Self.answered(type, body: "")
        open.bodies[.response] = Array("a secret".utf8)
        #expect(try Self.tried("body:secret", .response, open).said == [Self.endless])
    }

    @Test("No stream is edited as a whole", arguments: [true, false])
    func edits(isStream: Bool) throws {
        var edit = MessageEdit()
        edit.body.content = .text(Template(plain: "new"))
        let place = Rule.Place(path: "r.yaml", line: 1, column: 1)
        let trial = RuleTrial(RuleList([Rule(name: "a", place: place, actions: [.response(edit)])], now: 0))
        let touch = try trial.touch(Self.answered(isStream ? "text/event-stream" : "text/plain"))
        #expect(touch?.uses.map(\.note) == [isStream ? Self.endless : nil])
        #expect(touch?.bodies[.response].map { String(decoding: $0.after, as: UTF8.self) } == (isStream ? nil : "new"))
    }

    @Test("Other bodies are looked into", arguments: ["text/plain", "application/grpcx", "application/json"])
    func others(_ type: String) throws {
        #expect(try Self.tried("body:secret", .response, Self.answered(type)).said == ["X-A added"])
    }

    @Test("A WebSocket has no body to wait for")
    func webSocket() throws {
        var exchange = RuledExchange("GET", code: 101, responseBody: "secret")
        exchange.exchange.version = .webSocket
        #expect(try Self.tried("resbody:secret", .response, exchange).said == [Self.endless])
        var asked = RuledExchange("CONNECT", "a.test", "/chat", body: "foo", code: 200)
        asked.exchange.version = .webSocket
        #expect(try Self.tried("reqbody:foo", .request, asked).said == [Self.endless])
        #expect(try Self.tried("resbody:foo", .response, asked).said == [Self.endless])
    }

    @Test("A body that is longer than what is kept decides nothing, on either side")
    func long() throws {
        var exchange = RuledExchange(
            "POST",
            body: "foo",
            code: 200,
            responseFields: ["Content-Type: text/plain"],
            responseBody: "secret"
        )
        exchange.exchange.request.body.length = 8 << 20
        exchange.exchange.response?.body.length = 8 << 20
        #expect(try Self.tried("reqbody:foo", .request, exchange).said == ["X-A added"])
        #expect(try Self.tried("resbody:secret reqbody:foo", .response, exchange).said == ["X-A added"])
        exchange.exchange.request.body.length += 1
        exchange.exchange.response?.body.length += 1
        let over = "skipped: body over 8 MiB"
        #expect(try Self.tried("reqbody:foo", .request, exchange).said == [over])
        #expect(try Self.tried("-reqbody:bar", .request, exchange).said == [over])
        #expect(try Self.tried("resbody:secret", .response, exchange).said == [over])
        #expect(try Self.tried("reqbody:foo", .response, exchange).said == [over])
        #expect(try Self.tried("resbody:secret host:other.test", .response, exchange).said == [])
    }

    @Test("A body that broke off decides nothing, whether its head says its length or not", arguments: [true, false])
    func brokenOff(isMeasured: Bool) throws {
        var exchange = RuledExchange(
            "POST",
            body: "foo",
            code: 200,
            responseFields: ["Content-Type: text/plain"]
                + (isMeasured ? ["Content-Length: 100"] : ["Transfer-Encoding: chunked"])
        )
        exchange.bodies[.response] = Array("secret".utf8)
        exchange.exchange.response?.body = Body(length: 6, kept: 6, sha256: [])
        #expect(try Self.tried("resbody:secret", .response, exchange).said == ["X-A added"])
        exchange.exchange.outcome = .failed
        exchange.exchange.failure = ExchangeFailure(side: .upstream, phase: .receive, cause: .closed, message: "")
        let tried = try Self.tried("resbody:secret", .response, exchange)
        #expect(tried.said == ["skipped: the response broke off"] && tried.skips == 1)
        #expect(try Self.tried("code:200", .response, exchange).said == ["X-A added"])
        #expect(try Self.tried("reqbody:foo", .response, exchange).said == ["X-A added"], "That one came whole")
        exchange.exchange.request.body.length = 2
        #expect(
            try Self.tried("reqbody:foo", .response, exchange).said == [
                "skipped: the request's body had not come whole"
            ]
        )
    }

    @Test("A body that broke off is not edited as a whole, and its end is not added to")
    func brokenOffEdits() throws {
        var exchange = Self.answered("text/plain")
        exchange.exchange.response?.body.length -= 1
        exchange.exchange.outcome = .cancelled
        func notes(_ change: (inout BodyEdit) -> Void) throws -> [String?] {
            var edit = MessageEdit()
            change(&edit.body)
            let place = Rule.Place(path: "r.yaml", line: 1, column: 1)
            let trial = RuleTrial(RuleList([Rule(name: "a", place: place, actions: [.response(edit)])], now: 0))
            let touch = try trial.touch(exchange)
            #expect(touch?.bodies.isEmpty == true && trial.list.figures(of: "a")?.skips == 1)
            return touch?.uses.map(\.note) ?? []
        }
        #expect(try notes { $0.content = .text(Template(plain: "new")) } == ["skipped: the response broke off"])
        #expect(try notes { $0.append = Template(plain: "!") } == ["skipped: the body did not come whole"])
    }
}
