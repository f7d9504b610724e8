import Foundation
import Support
import Synchronization
import Testing
import Traffic

@testable import inspect

/// What is read of rules files has an end, though they name the same thing many times.
@Suite(.timeLimit(.minutes(15))) struct RuleFileBoundsTests {
    /// Rules whose answer is one text that is named so many times.
    private static func aliases(_ bytes: Int, _ count: Int) -> String {
        let names = Array(repeating: "*r", count: count).joined(separator: ", ")
        return "rules:\n- name: a\n  respond: {json: [&r \(String(repeating: "x", count: bytes)), \(names)]}\n"
    }

    @Test("Texts behind aliases count as often as they are named")
    func texts() throws {
        #expect {
            try RuleFiles.read(Self.aliases(100_000, 2_000), path: "r.yaml")
        } throws: { error in
            "\(error)".hasSuffix("the file holds too long texts; aliases count as often as they are named")
        }
        for (bytes, count) in [(500, 1_000), (200_000, 8)] {
            let (rules, problems) = try RuleFiles.read(Self.aliases(bytes, count), path: "r.yaml")
            #expect(rules.count == 1 && problems == [])
        }
    }

    @Test("A text without aliases is read whatever its length is")
    func plain() throws {
        let texts = Array(repeating: String(repeating: "x", count: 600_000), count: 3).joined(separator: ", ")
        let text = "rules:\n- name: a\n  respond: {json: [\(texts)]}\n"
        #expect(try RuleFiles.read(text, path: "r.yaml").problems == [])
    }

    @Test("What is wrong with many files is 1,000 problems, and a line that says that there are more")
    func problems() throws {
        let directory = try TemporaryDirectory()
        let wrong = (0..<600).map { "- {name: a\($0), block: x}\n" }.joined()
        let paths = try ["a.yaml", "b.yaml", "c.yaml"].map { try directory.write("rules:\n" + wrong, to: $0) }
        #expect {
            try RuleFiles.rules(at: paths)
        } throws: { error in
            let problems = (error as? RuleFiles.Refusal)?.problems ?? []
            return problems.count == 1_001 && problems.last?.sentence == "… and more; mend these first"
                && problems.last?.path == paths[1]
        }
        #expect {
            try RuleFiles.rules(
                of: "rules:\n" + String(repeating: "- {name: a, block: reset}\n", count: 2_000),
                named: "yaml"
            )
        } throws: { error in
            (error as? RuleFiles.Refusal)?.problems.count == 1_001
        }
    }

    @Test("What rules do is counted over all files, and 10,000 rules of two changes are read")
    func work() throws {
        let directory = try TemporaryDirectory()
        func write(_ count: Int, _ values: Int, _ name: String) throws {
            let list = Array(repeating: "x", count: values).joined(separator: ", ")
            let rules = (0..<count).map { "- {name: \(name)\($0), response: {fields: {set: {X-A: [\(list)]}}}}\n" }
            try directory.write("rules:\n" + rules.joined(), to: "\(name).yaml")
        }
        try write(10_000, 2, "a")
        #expect(try RuleFiles.rules(at: [directory.path]).count == 10_000)
        for name in ["a", "b", "c", "d"] { try write(40, 1_000, name) }
        #expect {
            try RuleFiles.rules(at: [directory.path])
        } throws: { error in
            let problems = (error as? RuleFiles.Refusal)?.problems ?? []
            return problems.map(\.sentence) == ["the rules test and change over 100000 things, the most in all files"]
                && problems[0].path.hasSuffix("c.yaml")
        }
    }

    @Test("A file that bodies are made of is read once, and is one mistake where all together are too long")
    func contents() throws {
        let reads = Mutex<[String]>([])
        let files = BodyFiles(limitBytes: 25) { path, _ throws(RuleFault) in
            reads.withLock { $0.append(path) }
            return [UInt8](repeating: 1, count: 10)
        }
        for path in ["a", "a", "b", "a"] { #expect(try files.bytes(path, limitBytes: 100).count == 10) }
        #expect(reads.withLock { $0 } == ["a", "b"])
        #expect(throws: RuleFault.self) { try files.bytes("c", limitBytes: 100) }
        #expect(try files.bytes("d", limitBytes: 100) == [])
        #expect(reads.withLock { $0 } == ["a", "b", "c"])
    }

    @Test("Rules whose files are over 64 MiB together are refused with one line, wherever they stand")
    func files() throws {
        let directory = try TemporaryDirectory()
        // Holes: nothing of them lies on the disk.
        for number in 0..<9 {
            let path = try directory.write("", to: "\(number).bin")
            #expect(truncate(path, 8 << 20) == 0)
        }
        func rules(_ numbers: [Int]) throws -> String {
            let lines = numbers.enumerated().map { "- {name: r\($0)-\($1), response: {body: {file: \($1).bin}}}\n" }
            return try directory.write("rules:\n" + lines.joined(), to: "rules\(numbers.count).yaml")
        }
        #expect(try RuleFiles.rules(at: [rules(Array(repeating: 0, count: 40))]).count == 40)
        let (first, second) = try (rules([0, 1, 2, 3, 4]), rules([5, 6, 7, 8, 0, 1]))
        #expect(try RuleFiles.rules(at: [first]).count == 5)
        #expect {
            try RuleFiles.rules(at: [first, second])
        } throws: { error in
            let problems = (error as? RuleFiles.Refusal)?.problems ?? []
            return problems.count == 1 && problems[0].path == second && problems[0].line == 5
                && problems[0].sentence.hasSuffix("the files that bodies are made of are over 64 MiB together")
        }
    }
}
