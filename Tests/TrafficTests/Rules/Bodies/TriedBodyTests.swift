import NIOCore
import Testing

@testable import Traffic

/// A dry run of rules that edit bodies, where it ends otherwise than they would have it.
@Suite("What a dry run does to bodies", .timeLimit(.minutes(15)))
struct TriedBodyTests {
    private static let rules = #"""
        [{"name": "up", "request": {"fields": {"remove": ["Content-Encoding"]}, "body": {"append": "x"}}},
         {"name": "down", "response": {"fields": {"set": {"X-A": "1"}}, "body": {"append": "x"}}}]
        """#

    /// An exchange whose request has a body in gzip.
    private static func exchange(_ body: [UInt8]) -> RuledExchange {
        let length = "Content-Length: \(body.count)"
        let fields = ["Content-Encoding: gzip", length]
        var exchange = RuledExchange("POST", fields: fields, code: 200, responseBody: "text")
        exchange.bodies[.request] = body
        exchange.exchange.request.body = Body(length: Int64(body.count), kept: Int64(body.count), sha256: [])
        return exchange
    }

    @Test("No rule for the response is tried where the request breaks off")
    func brokenOff() throws {
        let coded = try #require(ContentEncoder.encode(Array("some text".utf8), names: ["gzip"]))
        for isWhole in [true, false] {
            let trial = RuleTrial(RuleList(try RuleTree.rules(Self.rules), now: 0))
            let touch = try #require(try trial.touch(Self.exchange(Array(coded.dropLast(isWhole ? 0 : 9)))))
            #expect(touch.gap == (isWhole ? nil : "the request breaks off"))
            #expect((touch.response != nil) == isWhole && touch.uses.contains { $0.rule == "down" } == isWhole)
            #expect(trial.list.figures.map(\.hits) == (isWhole ? [1, 1] : [1, 0]))
        }
    }

    @Test("An exchange that is given up within an edit is not counted")
    func givenUp() throws {
        let coded = try #require(ContentEncoder.encode(Array("some text".utf8), names: ["gzip"]))
        let exchange = Self.exchange(coded)
        var isWanted = true
        let trial = RuleTrial(RuleList(try RuleTree.rules(Self.rules), now: 0), while: { isWanted })
        _ = try trial.touch(exchange)
        #expect(trial.list.figures.map(\.hits) == [1, 1])
        isWanted = false
        #expect(throws: RuleTrial.Unwanted.self) { try trial.touch(exchange) }
        #expect(trial.list.figures.map(\.hits) == [1, 1])
    }

    @Test("A piece that decodes to much is soon done once nobody waits for it")
    func unwanted() throws {
        let coded = try #require(ContentEncoder.encode([UInt8](repeating: 0x61, count: 4 << 20), names: ["gzip"]))
        let exchange = Self.exchange(coded)
        var asked = 0
        func isWanted() -> Bool {
            asked += 1
            return false
        }
        let trial = RuleTrial(RuleList(try RuleTree.rules(Self.rules), now: 0), while: isWanted)
        #expect(throws: RuleTrial.Unwanted.self) { try trial.touch(exchange) }
        // Once of the first piece that was decoded, and once of the body.
        #expect(asked == 2)
    }
}
