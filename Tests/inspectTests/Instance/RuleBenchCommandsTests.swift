import Store
import Testing
import Traffic

@testable import ProgramTests
@testable import Web
@testable import inspect

/// What the page is told of rules that do not hold.
@Suite(.timeLimit(.minutes(15))) struct RuleBenchCommandsTests {
    @Test("The page makes the rule that 'inspect rules from' prints", arguments: RuleBench.Form.allCases)
    func sketch(_ form: RuleBench.Form) async throws {
        let captured = try CapturedStore()
        let id = try await captured.record(Sample(1, "GET", "/a", host: "a.test"))
        try captured.reading { store in
            let text = try RuleBench.commands.sketch(id, form, store)
            #expect(text.hasPrefix("# made from exchange \(id)\nrules:\n"))
            let record = try ExchangeReader(store).record(id)
            let command = try #require(RuleSketch.Form(rawValue: form.rawValue))
            #expect(try text == RuleSketch(Capture(record, source: store.body), as: command).text)
            #expect { try RuleBench.commands.sketch(id + 1, form, store) } throws: { $0 is RuleBench.Refusal }
        }
    }
}
