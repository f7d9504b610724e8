import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Rules as plain data, and a proxy that runs with them beside an origin that tells what it got.
enum RuledTraffic {
    /// A rule of a name, a condition and actions.
    static func rule(
        _ name: String,
        when condition: String = "",
        _ actions: RuleAction...,
        changing change: (inout Rule) -> Void = { _ in }
    ) throws -> Rule {
        let place = Rule.Place(path: "rules.yaml", line: 1, column: 1)
        var rule = Rule(name: name, place: place, condition: try RuleCondition(condition), actions: actions)
        change(&rule)
        return rule
    }

    /// An edit of a message.
    static func edit(_ change: (inout MessageEdit) throws -> Void) rethrows -> MessageEdit {
        var edit = MessageEdit()
        try change(&edit)
        return edit
    }

    static func field(_ name: String, _ value: String) throws -> FieldEdit.Field {
        FieldEdit.Field(name: name, value: try Template(value))
    }

    /// An answer with a status and a text.
    static func answer(_ status: Int, _ text: String, times: Int64? = nil) throws -> RuleAnswer {
        var answer = RuleAnswer()
        answer.status = status
        answer.content = text.isEmpty ? .nothing : .text(try Template(text))
        answer.times = times
        return answer
    }

    /// Runs a proxy with rules beside an origin.
    ///
    /// - Parameters:
    ///   - rules: the rules, in order.
    ///   - tls: the origin's certificate; `nil` for plain HTTP.
    ///   - answer: the origin's answer, 200 with the text `ok` unless another is given.
    ///   - configure: what else is set.
    ///   - body: the test; it gets the proxy, the origin, and the authority by which that is asked.
    /// - Throws: what the test throws.
    static func run(
        _ rules: [Rule],
        tls: LoopbackOrigin.TLS? = nil,
        answer: @escaping @Sendable (RawRequest) -> String = { _ in RuledTraffic.ok },
        configure: (inout ProxyConfiguration) -> Void = { _ in },
        _ body: (RunningProxy, LoopbackOrigin, String) async throws -> Void
    ) async throws {
        let origin = try await LoopbackOrigin.start(tls: tls, script: RawRequest.answering { Array(answer($0).utf8) })
        try await RunningProxy.run(configure: {
            $0.rules = RuleList(rules, now: 0)
            configure(&$0)
        }) { try await body($0, origin, "127.0.0.1:\(origin.port)") }
    }

    /// Waits until a proxy keeps so many bytes of bodies because rules look at them.
    static func keeps(_ count: Int, _ proxy: RunningProxy) async throws { try await keeps(count...count, proxy) }

    /// Waits until a proxy keeps a number of such bytes that lies in a range.
    static func keeps(_ range: some RangeExpression<Int>, _ proxy: RunningProxy) async throws {
        let end = ContinuousClock.now + Patience.stretched(.seconds(10))
        while !range.contains(proxy.server.shared.ruleBodies.heldBytes) {
            try #require(ContinuousClock.now < end, "kept: \(proxy.server.shared.ruleBodies.heldBytes), not \(range)")
            await Task.yield()
        }
    }

    static let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok"
}
