import Testing

@testable import Traffic

@Suite("When a rule applies", .timeLimit(.minutes(15)))
struct RuleConditionTests {
    private static let cart = RuledExchange(
        "POST",
        "www.shop.test",
        "/cart?id=7",
        fields: ["X-Mode: fast", "Content-Type: application/json"],
        body: #"{"total": 120}"#,
        code: 503,
        responseFields: ["X-Mode: slow", "Content-Type: text/html"],
        responseBody: "<title>Shop</title>"
    )

    private static func decisions(_ text: String, _ side: MessageSide) throws -> [Bool?] {
        let condition = try RuleCondition(text)
        return try RulePhase.allCases.map { try condition.decision(at: $0, for: side, of: cart) }
    }

    @Test(
        "A condition is known from the phase in which what it asks for has come",
        arguments: [
            ("host:shop.test", [true, true, true, true, true]),
            ("host:other.test", [false, false, false, false, false]),
            ("port:443", [true, true, true, true, true]), ("method:post", [nil, true, true, true, true]),
            ("path:/cart", [nil, true, true, true, true]), ("reqsize:14", [nil, true, true, true, true]),
            ("header:x-mode=fast", [nil, true, true, true, true]),
            ("header:x-mode=slow", [nil, false, false, false, false]),
            ("resheader:x-mode=slow", [nil, nil, nil, true, true]), ("code:5xx", [nil, nil, nil, true, true]),
            ("type:html", [nil, nil, nil, true, true]), ("size:>1k", [nil, nil, nil, false, false]),
            ("json:$.total>100", [nil, nil, true, true, true]), ("reqbody:120", [nil, nil, true, true, true]),
            ("body:title", [nil, nil, false, false, false]), ("resbody:title", [nil, nil, nil, nil, true]),
            // A word in the URL or a field is found before the body is there.
            ("cart", [nil, true, true, true, true]), ("fast", [nil, true, true, true, true]),
            ("total", [nil, nil, true, true, true]), ("title", [nil, nil, false, false, false]),
            // What is certain already is not waited for.
            ("host:other.test reqbody:120", [false, false, false, false, false]),
            ("host:shop.test or reqbody:120", [true, true, true, true, true]),
            ("-reqbody:120", [nil, nil, false, false, false]),
            ("-(method:get reqbody:120)", [nil, true, true, true, true]),
            ("", [true, true, true, true, true]),
        ] as [(String, [Bool?])]
    )
    func phases(text: String, expected: [Bool?]) throws {
        #expect(try Self.decisions(text, .request) == expected)
    }

    @Test("A test of either message looks at the one that the action changes")
    func sides() throws {
        #expect(try Self.decisions("header:x-mode=slow", .response) == [nil, nil, nil, true, true])
        #expect(try Self.decisions("title", .response) == [nil, nil, nil, nil, true])
        #expect(try Self.decisions("json:$.total>100", .response) == [nil, nil, nil, nil, false])
        #expect(try Self.decisions("reqbody:120", .response) == [nil, nil, true, true, true])
    }

    @Test("A response that does not say how long it is has no size, and nothing is waited for")
    func size() throws {
        let chunked = RuledExchange(code: 200, responseFields: ["Transfer-Encoding: chunked"])
        let condition = try RuleCondition("size:>1")
        #expect(try condition.decision(at: .responseBody, for: .response, of: chunked) == nil)
        #expect(!condition.asks(after: .responseHead, for: .response))
    }

    @Test(
        "What is not known while an exchange is under way is refused at its column, with the reason",
        arguments: [
            ("host:a lens:json", "column 8: lens:json: the client and the lens are named once"),
            ("client:safari", "column 1: client:safari: the client"),
            ("tag:slow", "column 1: tag:slow: this is said of"),
            ("rule:staging", "column 1: rule:staging: this is said of recorded exchanges"),
            ("host:a rule:none", "column 8: rule:none: this is said of"),
            ("is:modified", "column 1: is:modified: this is said of"),
            ("session:x", "column 1: session:x: this is said of"), ("note:x", "column 1: note:x: this is said of"),
            ("id:7", "column 1: id:7: this is said of"), ("is:replay", "column 1: is:replay: this is said of"),
            ("since:10m", "column 1: since:10m: a rule is judged when the exchange happens"),
            ("before:10m", "column 1: before:10m: a rule is judged"),
            ("time:>1s", "column 1: time:>1s: how an exchange ends"),
            ("outcome:failed", "column 1: outcome:failed: how an exchange ends"),
            ("code:404,pending", "column 1: code:404,pending: how an exchange ends"),
            ("path:/a -(host:a or is:replay)", "column 9: -(host:a or is:replay): this is said of"),
            ("message:ping", "column 1: message:ping: messages of a stream"),
            ("hots:a", "column 1: there is no key hots"),
        ]
    )
    func refusals(text: String, sentence: String) {
        #expect {
            try RuleCondition(text)
        } throws: { error in
            "\(error)".hasPrefix(sentence)
        }
    }

    @Test("An action on the request cannot depend on the response", arguments: ["code:500", "type:json", "resbody:x"])
    func response(text: String) throws {
        let problem = try RuleCondition("path:/a \(text)").responseProblem
        #expect(
            problem?.description
                == "column 9: \(text): the response is not known yet when the request is changed or answered"
        )
        #expect(try RuleCondition("path:/a header:b body:c d").responseProblem == nil)
    }
}
