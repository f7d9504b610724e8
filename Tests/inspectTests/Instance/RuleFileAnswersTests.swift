import Foundation
import NIOCore
import Support
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

/// Rules answer with recorded responses as the mock gives them, changed as the rule says.
@Suite(.timeLimit(.minutes(15))) struct RuleFileAnswersTests {
    private static let fields = "Content-Type: text/plain\r\nETag: \"e\"\r\nX-A: 1\r\nX-A: 2\r\n"

    /// The answer to a request for `/`, with the fields of a head.
    private static func answer(
        _ respond: String,
        _ asked: String = "",
        recorded: Sample = Sample(1, fields: Self.fields, responseBody: Array("0123456789".utf8))
    ) async throws -> (code: Int, text: String) {
        let captured = try CapturedStore()
        try await captured.record(recorded)
        let (rules, problems) = try RuleFiles.read(
            "rules: [{name: r, respond: \(respond)}]",
            path: "/nowhere/rules.yaml"
        )
        #expect(problems.map(\.description) == [])
        let sample = Sample(9)
        let list = RuleList(rules, now: 0)
        return try captured.reading { store in
            var run = try #require(RuleRun(list, for: sample.exchange.summary))
            let subject = RecordedSubject(sample.exchange.summary, in: store)
            _ = try run.judge(.request, at: .requestHead, of: subject, now: 0)
            var scope = try TemplateScope(subject, now: 0, needsBody: false, generator: RuleDice(seed: 1))
            let answer = try #require(try run.answer(&scope))
            let request = ContentRequest(
                method: "GET",
                fields: HeaderList(head: ByteBuffer(string: "GET / HTTP/1.1\r\n\(asked)\r\n"))
            )
            guard case .answer(let found) = try RuleFileAnswers(store).find(answer, for: request, target: "/") else {
                return (0, "")
            }
            let body = try found.content?.bytes(at: 0, limitBytes: 100) ?? []
            return (found.code, String(buffer: found.head) + String(decoding: body, as: UTF8.self))
        }
    }

    @Test("The status beside a recording is given, and its own where none is named")
    func status() async throws {
        let named = try await Self.answer("{from: 1, status: 503, mark: false}")
        #expect(named.code == 503 && named.text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"), "\(named)")
        #expect(named.text.hasSuffix("\r\n\r\n0123456789"))
        let own = try await Self.answer("{from: 1, mark: false}")
        #expect(own.code == 200 && own.text.hasPrefix("HTTP/1.1 200 Whatever\r\n"))
    }

    @Test("A field that the rule names stands in the place of the recorded ones")
    func fields() async throws {
        let respond = "{from: 1, mark: false, fields: {content-type: application/json, X-A: [b, c], X-New: d}}"
        let text = try await Self.answer(respond).text
        #expect(
            text.hasPrefix(
                "HTTP/1.1 200 Whatever\r\nContent-Type: application/json\r\nETag: \"e\"\r\nX-A: b\r\nX-A: c\r\nX-New: d\r\n"
            ),
            "\(text)"
        )
    }

    @Test("A range is given of a recording, and 304 to whoever has it")
    func conditions() async throws {
        let part = try await Self.answer("{from: 1}", "Range: bytes=2-4\r\n")
        #expect(part.code == 206 && part.text.contains("Content-Range: bytes 2-4/10\r\n"))
        #expect(part.text.hasSuffix("\r\n\r\n234"))
        #expect(try await Self.answer("{from: 1}", "If-None-Match: \"e\"\r\n").code == 304)
        let had = try await Self.answer("{from: 1, fields: {X-New: d}}", "If-None-Match: \"e\"\r\n").text
        #expect(had.contains("\r\nETag: \"e\"\r\n") && had.contains("\r\nX-New: d\r\n"), "\(had)")
        #expect(had.contains("\r\nProxy-Status: inspect;") && !had.contains("X-A") && !had.contains("Content-Type"))
        // Another status is no state of the recorded content.
        let other = try await Self.answer("{from: 1, status: 404}", "If-None-Match: \"e\"\r\nRange: bytes=2-4\r\n")
        #expect(other.code == 404 && other.text.hasSuffix("0123456789"))
    }

    @Test("A recorded 304 answers those alone who have the content, and a part those alone who ask for that part")
    func parts() async throws {
        let had = Sample(1, code: 304, fields: "ETag: \"e\"\r\n")
        #expect(try await Self.answer("{from: 1}", "If-None-Match: \"e\"\r\n", recorded: had).code == 304)
        for asked in ["", "If-None-Match: \"other\"\r\n"] {
            await #expect(throws: RuleFault.self) { try await Self.answer("{from: 1}", asked, recorded: had) }
        }
        var unnamed = Sample(1, code: 304)
        let since = "If-Modified-Since: Mon, 14 Sep 2026 18:02:00 GMT\r\n"
        unnamed.exchange.request.head = ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a.test\r\n\(since)\r\n")
        #expect(try await Self.answer("{from: 1}", since, recorded: unnamed).code == 304)
        var part = Sample(1, code: 206, fields: "Content-Range: bytes 0-3/100\r\n", responseBody: Array("0123".utf8))
        part.exchange.request.head = ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a.test\r\nRange: bytes=0-3\r\n\r\n")
        #expect(try await Self.answer("{from: 1}", "Range: bytes=0-3\r\n", recorded: part).code == 206)
        for asked in ["", "Range: bytes=0-4\r\n", "Range: bytes=0-3\r\nIf-Range: \"z\"\r\n"] {
            await #expect(throws: RuleFault.self) { try await Self.answer("{from: 1}", asked, recorded: part) }
        }
        #expect(try await Self.answer("{from: 1, status: 200}", recorded: part).code == 200)
    }
}
