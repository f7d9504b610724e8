import Foundation
import Support
import Testing
import Traffic

/// `inspect rules check` and `inspect rules try` as a user meets them.
@Suite(.timeLimit(.minutes(15))) struct RulesCommandTests {
    @Test("check names each mistake on standard error and ends with 2, or counts the rules")
    func check() async throws {
        let directory = try TemporaryDirectory()
        let bad = try directory.write("rules:\n- name: a\n  respnse: {}\n", to: "bad.yaml")
        let refused = try await RunningInspect.run(["rules", "check", bad], in: directory)
        #expect(refused.status == 2 && refused.output.isEmpty)
        #expect(refused.errors == "\(bad):3:3: 'respnse' is no action; did you mean 'response'?\n")
        let good = try directory.write(
            "rules:\n- {name: a, off: true, block: reset}\n- {name: b, block: 403}\n",
            to: "a.yaml"
        )
        let taken = try await RunningInspect.run(["rules", "check", good], in: directory)
        #expect(taken.status == 0 && taken.output == "2 rules, 1 on\n" && taken.errors.isEmpty)
        let once = try await RunningInspect.run(["rules", "check", good, good], in: directory)
        #expect(once.status == 0 && once.output == "2 rules, 1 on\n")
        let other = try directory.write("rules: [{name: a, block: hang}]", to: "b.yaml")
        let twice = try await RunningInspect.run(["rules", "check", good, other], in: directory)
        #expect(twice.status == 2 && twice.errors.contains("there is a rule 'a' at"))
    }

    @Test("try counts what rules would have touched, changes nothing, and ends with 1 where a rule touches nothing")
    func tries() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1, "GET", "/a"))
        try await store.record(Sample(2, "GET", "/b", host: "other.test"))
        let rules = store.file("rules.yaml")
        let text = """
            rules:
            - {name: stub, when: 'host:api.example.test', respond: {status: 503}}
            - {name: idle, when: 'path:/z', block: reset}
            """
        try text.write(toFile: rules, atomically: true, encoding: .utf8)
        let tried = try await store.inspect("rules", "try", rules)
        #expect(tried.status == 0 && tried.errors.isEmpty, "\(tried.errors)")
        let lines = tried.output.split(separator: "\n")
        #expect(lines.first == "1  stub" && lines.contains("1 of 2 exchanges would have been touched"))
        #expect(lines.contains("1  GET https://api.example.test/a") && lines.last == "    stub (503)")
        let idle = try await store.inspect("rules", "try", rules, "idle")
        #expect(idle.status == 1 && idle.output.hasPrefix("0  idle\n0 of 2 exchanges"))
        let none = try await store.inspect("rules", "try", rules, "-host:api.example.test", "--json")
        #expect(none.status == 1 && none.output.contains("\"looked\":1"))
        let absent = try await store.inspect("rules", "try", rules, "host:other.test", "--diff", "1")
        #expect(absent.status == 2 && absent.errors.contains("exchange 1 is not among those"))
        #expect(try await store.inspect("ls", "--jsonl").output.split(separator: "\n").count == 2)
    }
}
