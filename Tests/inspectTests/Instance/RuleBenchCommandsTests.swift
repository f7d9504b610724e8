import Foundation
import Store
import Support
import Synchronization
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

    // MARK: Dry runs

    /// A clock on which a second passes each time that it is read.
    private static func ticking() -> TimeSource {
        let seconds = Mutex(0)
        return TimeSource({ Date(timeIntervalSince1970: 0) }) {
            seconds.withLock { seconds in
                seconds += 1
                return .seconds(seconds)
            }
        }
    }

    private static func answer(
        _ tried: RuleBench.Trial.Tried,
        time: Duration = .seconds(60),
        exchanges: Int = 3
    ) async throws -> JSONValue {
        let captured = try CapturedStore()
        for number in 1...UInt64(exchanges) {
            try await captured.record(Sample(number, "GET", "/\(number)", host: "a.test"))
        }
        let trial = RuleBench.Trial(tried: tried, filter: Filter(), time: time, clock: ticking())
        return try captured.reading { try JSONReader.value(RuleBench.commands.attempt(trial, $0)) }
    }

    @Test("A text that is typed is tried as a file is, with its first exchanges")
    func typed() async throws {
        let answer = try await Self.answer(.yaml("rules:\n- {name: a, when: 'path:/2', response: {status: 500}}\n"))
        #expect(answer["problems"]?.elements?.isEmpty == true && answer["warnings"]?.elements?.isEmpty == true)
        #expect(answer["of"]?.integer == 3 && answer["looked"]?.integer == 3 && answer["touched"]?.integer == 1)
        #expect(answer["exchanges"]?.elements?.map { $0["exchange"]?["id"]?.integer } == [2])
        #expect(answer["rules"]?.elements?.map { $0["hits"]?.integer } == [1] && answer["late"]?.boolean == false)
    }

    @Test("Its mistakes and warnings have lines and columns; then nothing is tried")
    func mistakes() async throws {
        let wrong = try await Self.answer(.yaml("rules:\n- {name: a, respnse: {}}\n"))
        let places = wrong["problems"]?.elements?.map { [$0["line"]?.integer, $0["column"]?.integer] }
        #expect(places?.first == [2, 13] && wrong["of"] == nil)
        for text in ["rules: [", "", "a: b"] {
            #expect(try await Self.answer(.yaml(text))["problems"]?.elements?.isEmpty == false, "\(text)")
        }
        let odd = try await Self.answer(.yaml("rules:\n- {name: a, block: reset}\n- {name: b, block: close}\n"))
        #expect(odd["warnings"]?.elements?.map { $0["line"]?.integer } == [3] && odd["touched"]?.integer == 3)
    }

    @Test("No file that it names is looked at, whether it answers with the file or a body is made of it")
    func files() async throws {
        let directory = try TemporaryDirectory()
        let secret = directory.file("secret.txt")
        try Data("hx7Qp2Lw9zRt".utf8).write(to: URL(fileURLWithPath: secret))
        // What is there and what is not there are told alike.
        var told: Set<String> = []
        for path in [secret, directory.file("nothing.txt")] {
            for action in [
                "response: {body: {file: '\(path)'}}", "respond: {file: '\(path)'}",
                "respond: {dir: '\(directory.path)'}",
            ] {
                let tried = try await Self.answer(.yaml("rules:\n- {name: a, \(action)}\n"))
                told.formUnion(tried["problems"]?.elements?.compactMap { $0["sentence"]?.string } ?? ["none"])
            }
        }
        #expect(told == ["rules that stand in no file can name none"])
    }

    @Test("It ends with its time, and says how many of how many were looked at")
    func bounded() async throws {
        let rules = try RuleFiles.rules(of: "rules:\n- {name: a, block: reset}\n", named: "yaml")
        let answer = try await Self.answer(.rules(rules), time: .seconds(5), exchanges: 20)
        let looked = try #require(answer["looked"]?.integer)
        #expect(answer["of"]?.integer == 20 && (1..<20).contains(looked), "\(looked)")
        #expect(answer["touched"]?.integer == looked && answer["late"]?.boolean == true)
    }

    @Test("The time ends it within the edits of one body, which then was not looked at")
    func longEdits() async throws {
        let captured = try CapturedStore()
        let fields = "Content-Type: text/plain\r\n"
        try await captured.record(Sample(1, host: "a.test", fields: fields, responseBody: Array("aaaa".utf8)))
        let edits = (1...40).map { "{regex: 'a{\($0)}', with: b}" }.joined(separator: ", ")
        let text = "rules:\n- {name: a, response: {body: {replace: [\(edits)]}}}\n"
        for (time, isLate) in [(Duration.seconds(30), true), (.seconds(3_600), false)] {
            let trial = RuleBench.Trial(tried: .yaml(text), filter: Filter(), time: time, clock: Self.ticking())
            let answer = try captured.reading { try JSONReader.value(RuleBench.commands.attempt(trial, $0)) }
            #expect(answer["late"]?.boolean == isLate && answer["looked"]?.integer == (isLate ? 0 : 1), "\(answer)")
            // What it did to an exchange that was not looked at does not count.
            #expect(answer["rules"]?.elements?.map { $0["hits"]?.integer } == [isLate ? 0 : 1])
        }
    }

    @Test("The newest stretch of exchanges is tried first, each in the order in which it was captured")
    func newest() async throws {
        let captured = try CapturedStore()
        for number in 1...UInt64(5) { try await captured.record(Sample(number, "GET", "/", host: "a.test")) }
        let tried = RuleBench.Trial.Tried.yaml("rules:\n- {name: a, block: reset}\n")
        let trial = RuleBench.Trial(tried: tried, filter: Filter(), time: .seconds(60), clock: Self.ticking())
        let answer = try captured.reading { try JSONReader.value(BenchTrial(trial, stretch: 2).json($0)) }
        #expect(answer["exchanges"]?.elements?.map { $0["exchange"]?["id"]?.integer } == [4, 5, 2, 3, 1])
    }

    @Test("Whoever leaves ends it")
    func cancelled() async throws {
        let captured = try CapturedStore()
        for number in 1...UInt64(3) { try await captured.record(Sample(number, "GET", "/", host: "a.test")) }
        let left = Task {
            // Not before it is cancelled.
            while !Task.isCancelled { await Task.yield() }
            let tried = RuleBench.Trial.Tried.yaml("rules:\n- {name: a, block: reset}\n")
            let trial = RuleBench.Trial(tried: tried, filter: Filter(), time: .seconds(60), clock: TimeSource())
            return try captured.reading { try RuleBench.commands.attempt(trial, $0) }
        }
        left.cancel()
        await #expect(throws: (any Error).self) { try await left.value }
    }
}
