import Foundation
import Support
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

/// Rules that are made from recorded exchanges are rules, and do what the exchange did.
@Suite(.timeLimit(.minutes(15))) struct RuleSketchTests {
    private static func capture(_ sample: Sample) -> Capture {
        var exchange = sample.exchange
        exchange.id = 17
        return Capture(
            exchange: exchange,
            request: CapturedBody(bytes: sample.requestBody),
            response: CapturedBody(bytes: sample.responseBody)
        )
    }

    /// The one rule of a sketch, read as a user's file is.
    private static func rule(_ sample: Sample, _ form: RuleSketch.Form) throws -> Rule {
        let text = try RuleSketch(capture(sample), as: form).text
        let (rules, problems) = try RuleFiles.read(text, path: "rules.yaml")
        #expect(problems.map(\.description) == [], "\(text)")
        return try #require(rules.count == 1 ? rules.first : nil, "\(text)")
    }

    /// What would have been answered to an exchange of a store that has it and a neighbour of each kind.
    private static func trial(_ sample: Sample, _ rule: Rule) async throws -> RuleTrialRun {
        let store = try CapturedStore()
        let id = try await store.record(sample)
        try await store.record(Sample(2, "PUT", sample.exchange.target, host: sample.exchange.host))
        try await store.record(Sample(3, sample.exchange.method, sample.exchange.target, host: "elsewhere.test"))
        let path = sample.exchange.target.prefix { $0 != "?" }
        let host = sample.exchange.host
        let others = ["/x\(path)/y", "\(path)/y", "\(path)y", "/x\(path)", "\(path.dropLast())_"]
        for (number, target) in others.enumerated() {
            try await store.record(Sample(UInt64(number) + 4, sample.exchange.method, target, host: host))
        }
        if sample.exchange.scheme != .https || sample.exchange.port != 443 {
            try await store.record(Sample(20, sample.exchange.method, sample.exchange.target, host: host))
        }
        var run = RuleTrialRun([rule], rowLimit: 10, showing: id)
        try store.reading { try run.add(Filter(), in: $0) }
        return run
    }

    private static let bodies = [
        "", "one line", "a \"quoted\" 'line'", "{\"a\": \"\\u00e9\"}", "two\nlines", "two\nlines\n",
        "\n\nblank first\n",
        "  set in\nand out\n", "ends twice\n\n", "a ${uuid} and $${now}", "bell \u{7} and \u{2028}", "\r\nfeeds\r\n",
        "---\n# a: b\n",
        "\n", " ", "tab\t\n\tend", "'\u{301} \"quoted\"", "\u{1F600}\nface",
    ]

    @Test("A stub answers as the exchange was answered, and no other request", arguments: bodies)
    func stub(_ body: String) async throws {
        let fields =
            "Content-Type: text/x; a=\"b\"\r\nSet-Cookie: a=1\r\nSet-Cookie: b=${x}\r\nDate: now\r\nON: \\\r\n"
        let sample = Sample(1, "GET", "/v2/users?a=1", code: 203, fields: fields, responseBody: Array(body.utf8))
        let run = try await Self.trial(sample, try Self.rule(sample, .stub))
        #expect(run.rows.map(\.summary.id) == [1])
        let answer = try #require(run.shown?.touch?.answer)
        let given = try answer.body(offset: 0, limitBytes: 1 << 20)
        #expect(answer.code == 203 && given == Array(body.utf8))
        let told = HeaderList(head: answer.head)
            .filter { !["Proxy-Status", "Content-Length"].contains($0.name) }.map { "\($0.name): \($0.value)" }
        #expect(told == ["Content-Type: text/x; a=\"b\"", "Set-Cookie: a=1", "Set-Cookie: b=${x}", "ON: \\"])
    }

    @Test(
        "Odd paths, hosts and methods select what they are",
        arguments: [
            ("GET", "/a,b/c.d(e)[f]{g}|h^i$j+k?x=1", "api.example.test"), ("M-SEARCH", "/", "a_b.odd.test"),
            ("GET", "/a/", "::1"),
            ("GET", "/\"q\" \\ b/&&/!", "api.example.test"), ("GET", "/é/\u{7}", "api.example.test"),
            ("GET", "/" + String(repeating: "long/", count: 300), "api.example.test"),
            ("GET", "/" + String(repeating: "\u{301}é\u{2028}", count: 60), "api.example.test"),
        ]
    )
    func odd(_ method: String, _ target: String, _ host: String) async throws {
        let sample = Sample(1, method, target, host: host)
        let run = try await Self.trial(sample, try Self.rule(sample, .stub))
        #expect(run.rows.map(\.summary.id) == [1])
    }

    @Test("Another scheme and another port than the usual are told apart")
    func origins() async throws {
        var sample = Sample(1, "GET", "/api", scheme: .http, host: "localhost")
        sample.exchange.port = 3_000
        let condition = try RuleSketch(Self.capture(sample), as: .stub).condition
        #expect(condition == #"host:/^localhost$/ scheme:http port:3000 path:/^\/api$/ method:GET"#)
        #expect(try await Self.trial(sample, try Self.rule(sample, .stub)).rows.map(\.summary.id) == [1])
        let plain = Sample(1, "GET", "/api", scheme: .http, host: "a.test")
        #expect(try RuleSketch(Self.capture(plain), as: .stub).condition.contains("$/ scheme:http path:"))
        #expect(try await Self.trial(plain, try Self.rule(plain, .stub)).rows.map(\.summary.id) == [1])
    }

    @Test("A body that is no text, or long, is named by its exchange; an answer without a body has none")
    func bodiless() throws {
        // Who reads YAML drops a byte order mark.
        for bytes in [[0xFF, 0xFE, 0x00], [UInt8](repeating: 0x61, count: 70_000), Array("\u{FEFF}mark".utf8)] {
            let rule = try Self.rule(Sample(1, responseBody: bytes), .stub)
            guard case .respond(let answers)? = rule.final else {
                Issue.record("no answer")
                return
            }
            #expect(answers.steps.map(\.content) == [.recording(17)])
        }
        guard case .respond(let answers)? = try Self.rule(Sample(1, code: 204, responseBody: [0x61]), .stub).final
        else {
            Issue.record("no answer")
            return
        }
        #expect(answers.steps.map(\.status) == [204] && answers.steps.map(\.content) == [.nothing])
    }

    @Test("An edit sets what the response said: no change yet", arguments: [200, 204, 404])
    func edit(_ code: Int) async throws {
        let fields = "Content-Type: text/plain\r\nSet-Cookie: a=1\r\nX-A: 1\r\nset-cookie: b=2\r\n"
        let sample = Sample(1, code: code, fields: fields, responseBody: [0x61])
        let rule = try Self.rule(sample, .edit)
        #expect(rule.actions.map(\.word) == ["response"])
        let run = try await Self.trial(sample, rule)
        #expect(run.rows.map(\.summary.id) == [1] && run.rows.first?.uses.isModified == false)
        #expect(try Self.rule(Sample(1, code: 204, fields: ""), .edit).actions.map(\.word) == ["response"])
    }

    @Test("A change needs no whole answer: a part of one can be changed, and one that broke off; neither can be given")
    func parts() async throws {
        var broken = Sample(1, fields: "X-A: 1\r\n", responseBody: [0x61])
        broken.exchange.outcome = .failed
        let part = Sample(1, code: 206, fields: "Content-Range: bytes 0-0/9\r\nX-A: 1\r\n", responseBody: [0x61])
        var kept = Sample(1, fields: "X-A: 1\r\n", responseBody: [0x61])
        kept.exchange.response?.body.length = 9
        #expect(throws: InputError.self) { try RuleSketch(Self.capture(kept), as: .stub) }
        for sample in [broken, part] {
            #expect(throws: InputError.self) { try RuleSketch(Self.capture(sample), as: .stub) }
            let run = try await Self.trial(sample, try Self.rule(sample, .edit))
            #expect(run.rows.map(\.summary.id) == [1] && run.rows.first?.uses.isModified == false)
        }
        // Whoever asks for the whole is not told that it is a part.
        #expect(try !RuleSketch(Self.capture(part), as: .edit).text.contains("206"))
    }

    @Test(
        "A path that no query can have is refused before anything is made of it, as a work that grows with its square"
    )
    func longPaths() {
        let target = "/" + String(repeating: "a", count: 4_000_000)
        #expect {
            try RuleSketch(Self.capture(Sample(1, "GET", target)), as: .stub)
        } throws: { error in
            "\(error)" == "the words of exchange 17 cannot stand in a query"
        }
    }

    @Test("What has no answer makes no rule")
    func refused() throws {
        let odd = [Sample(1, "GET or host:other.test"), Sample(1, host: "")]
        for sample in odd + [Sample(1).failed(), Sample(1, code: 101), Sample(1, "CONNECT", "a.test:443")] {
            #expect(throws: InputError.self) { try RuleSketch(Self.capture(sample), as: .stub) }
        }
    }

    @Test("The text is one that a person goes on from")
    func text() throws {
        let sample = Sample(1, "GET", "/v2/users", responseBody: Array("one\ntwo\n".utf8))
        let lines = [
            "# made from exchange 17", "rules:", "- name: \"GET /v2/users (17)\"",
            #"  when: 'host:/^api\.example\.test$/ path:/^\/v2\/users$/ method:GET'"#, "  respond:", "    status: 200",
            "    fields:", "      Content-Type: \"text/plain\"", "    text: |2", "      one", "      two", "",
        ]
        #expect(try RuleSketch(Self.capture(sample), as: .stub).text == lines.joined(separator: "\n"))
    }
}
