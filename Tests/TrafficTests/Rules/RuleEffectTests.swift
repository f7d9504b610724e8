import Testing

@testable import Traffic

@Suite("What a rule does, in words", .timeLimit(.minutes(15)))
struct RuleEffectTests {
    @Test(
        "Each action is told on a line",
        arguments: [
            (#""block": "reset""#, "block reset"),
            (#""send": {"to": "https://staging.test:8443/v2"}"#, "send to staging.test:8443/v2"),
            (
                #""send": {"to": "http://a.test", "keep-host": true, "fresh": true}"#,
                "send to a.test, keeping Host, fresh"
            ),
            (#""send": {"resolve": ["10.0.0.7"]}"#, "send at 10.0.0.7"),
            (
                #""request": {"method": "PUT", "query": {"set": {"beta": "1"}, "remove": ["utm_*"]}, "fields": {"set": {"A": "1"}, "remove": ["C"]}}"#,
                "request: method, query utm_* removed, query beta, C removed, A"
            ),
            (
                #""response": {"status": 503, "body": {"json": {"set": {"$.items[*].role": "guest"}, "remove": ["$..ssn"]}}}"#,
                "response: status 503, $.items[*].role, $..ssn removed"
            ),
            (#""response": {"body": {"replace": [{"find": "a", "with": "b"}]}}"#, "response: text a"),
            (#""respond": [{"status": 503, "times": 2}, {"status": 201}]"#, "respond 503 ×2, then 201"),
            (#""delay": "300ms""#, "delay request 300 ms"),
            (#""delay": {"response": "1s..3s"}"#, "delay response 1 s to 3 s"),
            (#""throttle": "slow-4g", "fault": {"cut": "20k"}"#, "throttle slow-4g; fault: cut after 20000 bytes"),
            (
                #""delay": "1s", "fault": {"cut": "20k", "skip": 1, "every": 10, "times": 3}"#,
                "delay request 1 s; fault: cut after 20000 bytes, after 1, every 10, 3 times"
            ),
            (
                #""respond": [{"text": "a", "times": 2}, {"file": "a.txt", "status": 404}]"#,
                "respond 200 ×2, then file a.txt, 404"
            ),
            (#""response": {"body": {"replace": {"find": "a\nb", "with": "y"}}}"#, #"response: text a\nb"#),
            (#""tag": ["slow", "old"], "stop": true"#, "tag slow, old; stop"),
            (#""fault": {"cut": "20k", "chance": "10%"}"#, "fault: cut after 20000 bytes, 10%"),
            (
                #""fault": {"cut": "20k", "chance": "0.5%"}, "tag": "slow""#,
                "fault: cut after 20000 bytes, 0.5%; tag slow"
            ),
        ]
    )
    func words(_ actions: String, _ words: String) throws {
        let rules = try RuleTree.rules("[{\"name\": \"a\", \(actions)}]")
        #expect(rules.map(\.effect) == [words])
    }

    @Test("Many parts are named in part, and no login of a proxy is told")
    func bounded() throws {
        let fields = (1...20).map { "\"X-\($0)\": \"1\"" }.joined(separator: ", ")
        let many = try RuleTree.rules("[{\"name\": \"a\", \"response\": {\"fields\": {\"set\": {\(fields)}}}}]")
        #expect(many.first?.effect.hasSuffix(" and 12 more") == true)
        var send = RuleSend()
        send.upstreamProxy = "http://sam:secret@proxy.test:3128"
        let place = Rule.Place(path: "", line: 1, column: 1)
        let rule = Rule(name: "a", place: place, actions: [.send(send)])
        #expect(rule.effect == "send through proxy.test:3128")
    }
}
