import Foundation
import Support
import Testing
import Traffic

@testable import inspect

/// The words of `inspect rules try` are told apart.
@Suite(.timeLimit(.minutes(15))) struct TriedRulesTests {
    private let directory: TemporaryDirectory
    private let file: String

    init() throws {
        directory = try TemporaryDirectory()
        file = try directory.write(
            "rules: [{name: one, block: reset}, {name: big one, off: true, block: close}]",
            to: "rules.yaml"
        )
    }

    @Test("A file, then names, then a query; a name of a rule alone tries it even while it is off")
    func words() throws {
        let all = try TriedRules([file, "host:a.test", "one"], usual: [])
        #expect(all.rules.map(\.name) == ["one", "big one"] && all.query == ["host:a.test", "one"])
        #expect(all.named.map(\.text) == [file] && all.named[0].rules == ["one", "big one"])
        let chosen = try TriedRules([file, "big one", " -host:a.test"], usual: [])
        #expect(chosen.rules.map(\.name) == ["big one"] && chosen.rules.allSatisfy { !$0.isOff })
        #expect(chosen.named.map(\.text) == ["big one"] && chosen.query == [" -host:a.test"])
    }

    @Test("Without a file the usual ones are read, which nobody named")
    func usual() throws {
        let tried = try TriedRules(["path:/a"], usual: [file])
        #expect(tried.rules.count == 2 && tried.named.isEmpty && tried.query == ["path:/a"])
    }

    @Test("What cannot be tried is said", arguments: [([], "no rules to try"), (["gone.yaml"], "gone.yaml")])
    func refused(_ words: [String], _ says: String) {
        let error = #expect(throws: InputError.self) { try TriedRules(words, usual: []) }
        #expect(error?.description.contains(says) == true)
    }

    @Test("What was named and touches nothing is told apart")
    func idle() throws {
        let tried = try TriedRules([file], usual: [])
        #expect(tried.idle(RuleTrialRun(tried.rules, rowLimit: 1)) == [file])
    }

    @Test("A file under a second name, or in a directory beside itself, has the same rules")
    func secondName() throws {
        let link = directory.file("link.yaml")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let folder = directory.file("folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/a.yaml", withDestinationPath: file)
        for words in [
            [file, link], [link, file], [file, "\(directory.path)/./rules.yaml"], [folder, file], [file, folder],
        ] {
            let tried = try TriedRules(words, usual: [])
            #expect(tried.rules.count == 2 && tried.named.map(\.text) == words)
            #expect(tried.named.allSatisfy { $0.rules == ["one", "big one"] }, "\(words)")
        }
    }
}
