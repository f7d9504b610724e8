import Foundation
import Support
import Testing
import Traffic

/// What is told of rules that touched recorded exchanges, on a store that no proxy writes.
@Suite(.timeLimit(.minutes(15))) struct RuleRecordCommandTests {
    /// A closed store with four exchanges: 2 was changed by two rules, 3 only tagged by one.
    private func store() async throws -> ClosedStore {
        func use(_ rule: String, _ action: String, _ what: String, note: String? = nil) -> RuleUse {
            RuleUse(rule: rule, phase: .requestHead, action: action, what: what, note: note)
        }
        var samples = (1...4).map { Sample(CaptureToken($0), "GET", "/\($0)") }
        samples[1].exchange.rules = [
            use("staging", "send", "host"), use("no csp", "response", "Content-Security-Policy removed"),
            use("flaky", "respond", "", note: "shadowed by staging"),
        ]
        samples[2].exchange.rules = [use("campus", "tag", "slow")]
        let store = try ClosedStore()
        try await store.fill(samples)
        return store
    }

    private func ids(_ store: ClosedStore, _ query: String) async throws -> [Int] {
        let listed = try await store.inspect(["ls", "--jsonl", query])
        #expect(listed.status == 0, "\(listed.errors)")
        return try listed.output.split(separator: "\n").map { line in
            let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(row?["id"] as? Int)
        }
    }

    @Test(
        "Exchanges are found by a rule, by none and by a change",
        arguments: [
            ("rule:staging", [2]), ("rule:\"no csp\",campus", [3, 2]), ("rule:c*", [3]), ("rule:none", [4, 1]),
            ("is:modified", [2]), ("-is:modified", [4, 3, 1]),
        ]
    )
    func finds(query: String, expected: [Int]) async throws {
        #expect(try await ids(store(), query) == expected)
    }

    @Test("The categories count each rule, rows name them, and show says what each did")
    func tells() async throws {
        let store = try await store()
        let table = try await store.inspect(["filter", "is:modified"]).output
        #expect(table.contains("Rule") && table.contains("staging (1)") && table.contains("campus (0)"), "\(table)")
        #expect(table.contains("/2  [rules: staging, no csp and 1 more]"), "\(table)")
        let shown = try await store.inspect(["show", "2"]).output
        #expect(
            shown.contains("\nChanged by: staging (host), no csp (Content-Security-Policy removed)\n"),
            "\(shown)"
        )
        #expect(shown.contains("\nRule      flaky: respond, shadowed by staging\n"), "\(shown)")
        let plain = try await store.inspect(["show", "1"]).output
        #expect(!plain.contains("Changed by") && !plain.contains("Rule "), "\(plain)")
        let har = try await store.inspect(["export", "--format", "har", "rule:campus"]).output
        #expect(har.contains(#""_rules":[{"rule":"campus","phase":"request-head","action":"tag","what":"slow"}]"#))
    }
}
