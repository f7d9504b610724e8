import ArgumentParser
import Foundation
import Logging
import Support
import Synchronization
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

/// The rules of a running proxy follow their files, and those who switch them.
@Suite(.timeLimit(.minutes(15))) struct RunningRulesTests {
    /// A CONNECT, which rules of its host alone refuse.
    private struct Tunnel: FilterSubject {
        let summary = Sample(1, "CONNECT", "a.test:443", host: "a.test").exchange.summary
        func message(_ side: MessageSide) -> Message? { nil }
        func body(_ side: MessageSide, offset: Int64, limitBytes: Int) -> [UInt8] { [] }
        func messages(after number: Int64) -> [StreamMessage] { [] }
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let first = "rules:\n- {name: a, when: \"host:a.test\", block: reset}\n- {name: b, block: close}\n"

    private func rules(_ path: String) throws -> RunningRules {
        try RunningRules([path], logger: Logger(label: "rules") { _ in SwiftLogNoOpLogHandler() }) { 1 }
    }

    /// Counts a hit of the first rule that refuses the tunnel.
    private func hit(_ rules: RunningRules) throws { _ = try rules.list?.blockOfTunnel(Tunnel(), now: 2) }

    @Test("A file that changes is read again: the proxy gets its rules, and unchanged rules keep their counters")
    func follows() throws {
        let path = try directory.write(Self.first, to: "rules.yaml")
        let rules = try rules(path)
        let taken = Mutex<[[String]]>([])
        rules.follow { list in taken.withLock { $0.append(list?.rules.map(\.name) ?? []) } }
        #expect(rules.counts == (2, 2) && rules.files == [path])
        try hit(rules)
        rules.readChanged()
        #expect(taken.withLock { $0 } == [])
        try directory.write(Self.first + "- {name: c, off: true, block: hang}\n", to: "rules.yaml")
        rules.readChanged()
        rules.readChanged()
        #expect(taken.withLock { $0 } == [["a", "b", "c"]] && rules.counts == (2, 3))
        #expect(rules.list?.figures(of: "a")?.hits == 1)
        try directory.write("rules: []\n", to: "rules.yaml")
        rules.readChanged()
        #expect(rules.list == nil && taken.withLock { $0.last } == [])
    }

    @Test("A file in the place of another is read though its length and its time are the same")
    func replaced() throws {
        let path = try directory.write("rules: [{name: a, block: reset}]", to: "rules.yaml")
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
        let rules = try rules(path)
        let other = try directory.write("rules: [{name: b, block: close}]", to: "other.yaml")
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: other)
        #expect(rename(other, path) == 0)
        rules.readChanged()
        #expect(rules.list?.rules.map(\.name) == ["b"])
        // Written in place, and its time set back.
        try directory.write("rules: [{name: c, block: close}]", to: "rules.yaml")
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
        rules.readChanged()
        #expect(rules.list?.rules.map(\.name) == ["c"])
    }

    @Test("What was read of files that were named before is thrown away")
    func late() throws {
        let old = try directory.write(Self.first, to: "old.yaml")
        let new = try directory.write("rules: [{name: z, block: 403}]", to: "new.yaml")
        let rules = try rules(old)
        rules.read([new])
        // A look at the old files that began before.
        rules.read([old], 0)
        rules.read([directory.file("gone.yaml")], 0)
        #expect(rules.list?.rules.map(\.name) == ["z"] && rules.files == [new] && rules.problems == [])
    }

    @Test("A rule that is switched off stays off over a reading that fails")
    func failed() throws {
        let rules = try rules(try directory.write(Self.first, to: "rules.yaml"))
        let taken = Mutex<[[Bool]]>([])
        rules.follow { list in taken.withLock { $0.append(list?.rules.map(\.isOff) ?? []) } }
        try rules.turn(["a"], isOff: true)
        rules.read([directory.file("gone.yaml")])
        #expect(rules.list?.rules.map(\.isOff) == [true, false] && !rules.problems.isEmpty)
        #expect(taken.withLock { $0 } == [[true, false]])
    }

    @Test("A pipe is read once: its rules hold until the proxy stops, beside files that come and go")
    func pipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(Self.first.utf8))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        let file = try directory.write("rules: [{name: z, block: 403}]", to: "rules.yaml")
        let rules = try RunningRules([path, file], logger: Logger(label: "rules") { _ in SwiftLogNoOpLogHandler() })
        #expect(rules.list?.rules.map(\.name) == ["a", "b", "z"] && rules.files == [file])
        rules.readChanged()
        try directory.write("rules: [{name: y, block: 403}]", to: "rules.yaml")
        rules.readChanged()
        #expect(rules.list?.rules.map(\.name) == ["a", "b", "y"])
        rules.read([path])
        #expect(rules.list?.rules.map(\.name) == ["a", "b"] && rules.problems == [])
    }

    @Test("A directory is looked at file by file, and files may come and go")
    func folder() throws {
        let folder = directory.file("rules")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try directory.write(Self.first, to: "rules/1.yaml")
        let rules = try rules(folder)
        try directory.write("rules: [{name: c, block: hang}]", to: "rules/2.yml")
        rules.readChanged()
        #expect(rules.list?.rules.map(\.name) == ["a", "b", "c"])
        try FileManager.default.removeItem(atPath: directory.file("rules/1.yaml"))
        rules.readChanged()
        #expect(rules.list?.rules.map(\.name) == ["c"])
    }

    @Test("A file that is wrong is told of once, and the rules of before hold until it is right")
    func wrong() throws {
        let path = try directory.write(Self.first, to: "rules.yaml")
        let log = try LogOutput(path: directory.file("log"), format: .text, level: .notice)
        let rules = try RunningRules([path], logger: log.logger("rules")) { 1 }
        try directory.write("rules:\n- {name: a, blok: reset}\n- {name: b, blok: reset}\n", to: "rules.yaml")
        rules.readChanged()
        rules.readChanged()
        #expect(rules.counts == (2, 2) && rules.problems.count == 2)
        #expect(rules.problems.first?.hasPrefix("\(path):2:13: 'blok' is no action") == true)
        try FileManager.default.removeItem(atPath: path)
        rules.readChanged()
        #expect(rules.counts == (2, 2) && rules.problems.first?.contains("there is no rules file") == true)
        try directory.write("rules: [{name: z, block: 403}]", to: "rules.yaml")
        rules.readChanged()
        #expect(rules.counts == (1, 1) && rules.problems == [])
        log.flush()
        let lines = String(decoding: try directory.read("log"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 3, "\(lines)")
        #expect(lines[0].contains("the old ones stay") && lines[0].contains("and 1 more"))
        #expect(lines[1].contains("the old ones stay") && lines[2].contains("read the rules anew"))
    }

    @Test("A file that is wrong at the start is refused")
    func refused() throws {
        let path = try directory.write("rules: [{name: a, blok: reset}]", to: "rules.yaml")
        #expect(throws: RuleFiles.Refusal.self) { try rules(path) }
        #expect(throws: InputError.self) { try rules(directory.file("gone.yaml")) }
    }

    @Test("A rule that is switched by hand stays so over readings, until its file switches it otherwise")
    func switched() throws {
        let path = try directory.write(Self.first, to: "rules.yaml")
        let rules = try rules(path)
        let taken = Mutex(0)
        rules.follow { _ in taken.withLock { $0 += 1 } }
        try hit(rules)
        try rules.turn(["a"], isOff: true)
        #expect(rules.counts == (1, 2) && taken.withLock { $0 } == 1 && rules.list?.figures(of: "a")?.hits == 1)
        try directory.write(Self.first + "- {name: c, block: hang}\n", to: "rules.yaml")
        rules.readChanged()
        #expect(rules.list?.rules.map(\.isOff) == [true, false, false])
        try directory.write(Self.first.replacing("{name: a,", with: "{name: a, off: true,"), to: "rules.yaml")
        rules.readChanged()
        try directory.write(Self.first, to: "rules.yaml")
        rules.readChanged()
        #expect(rules.list?.rules.map(\.isOff) == [false, false])
        try rules.turn(nil, isOff: true)
        #expect(rules.counts == (0, 2))
        let error = #expect(throws: UnknownRules.self) { try rules.turn(["a", "bb"], isOff: false) }
        #expect(error?.names == ["bb"])
        #expect(rules.counts == (0, 2))
    }

    @Test("A rule that is switched by hand stays so though its file lacks it for a while")
    func emptied() throws {
        let path = try directory.write(Self.first, to: "rules.yaml")
        let rules = try rules(path)
        try rules.turn(["a"], isOff: true)
        try directory.write("", to: "rules.yaml")
        rules.readChanged()
        #expect(rules.counts == (0, 0))
        try directory.write(Self.first, to: "rules.yaml")
        rules.readChanged()
        #expect(rules.list?.rules.map(\.isOff) == [true, false])
    }

    @Test(
        "A rule that its file lacks for ten readings, and one of other files, is as its file has it",
        arguments: [9, 10]
    )
    func forgotten(count: Int) throws {
        let path = try directory.write(Self.first, to: "rules.yaml")
        let rules = try rules(path)
        try rules.turn(["a"], isOff: true)
        for number in 0..<count {
            try directory.write("#" + String(repeating: "-", count: number), to: "rules.yaml")
            rules.readChanged()
        }
        try directory.write(Self.first, to: "rules.yaml")
        rules.readChanged()
        #expect(rules.list?.rules.map(\.isOff) == [count < 10, false])
        try rules.turn(nil, isOff: true)
        let more = try directory.write("rules: [{name: c, block: hang}]", to: "more.yaml")
        rules.read([path, more])
        #expect(rules.list?.rules.map(\.isOff) == [true, true, false])
        let other = try directory.write(Self.first, to: "other.yaml")
        rules.read([other, more])
        #expect(rules.list?.rules.map(\.isOff) == [false, false, false])
        rules.read([path, more])
        #expect(rules.list?.rules.map(\.isOff) == [false, false, false])
    }

    @Test("What was switched by hand stays so where its file has another name, or is named in another way")
    func renamed() throws {
        let folder = directory.file("rules")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = try directory.write(Self.first, to: "rules/1.yaml")
        let more = try directory.write("rules: [{name: c, block: hang}]", to: "more.yaml")
        let rules = try rules(folder)
        try rules.turn(["a"], isOff: true)
        #expect(rename(path, directory.file("rules/2.yaml")) == 0)
        rules.readChanged()
        rules.read([folder, more])
        #expect(rules.list?.rules.map(\.isOff) == [true, false, false])
        let link = directory.file("link.yaml")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.file("rules/2.yaml"))
        for paths in [[link, folder, more], [directory.path + "/./rules//2.yaml", more], [folder, link, more]] {
            rules.read(paths)
            #expect(rules.list?.rules.map(\.isOff) == [true, false, false], "\(paths)")
        }
    }

    @Test("Where a rule that was switched off by hand is on again, the log says so")
    func told() throws {
        let path = try directory.write(Self.first, to: "rules.yaml")
        let log = try LogOutput(path: directory.file("log"), format: .text, level: .notice)
        let rules = try RunningRules([path], logger: log.logger("rules")) { 1 }
        func lines() throws -> Int {
            log.flush()
            return String(decoding: try directory.read("log"), as: UTF8.self).split(separator: "\n")
                .count { $0.contains("forgot") && $0.contains(": a, and 1 more") }
        }
        try rules.turn(nil, isOff: true)
        rules.read([path])
        try directory.write(Self.first + "#", to: "rules.yaml")
        rules.readChanged()
        #expect(try lines() == 0)
        rules.read([try directory.write(Self.first, to: "other.yaml")])
        #expect(try lines() == 1 && rules.counts == (2, 2))
        rules.read([path])
        #expect(try lines() == 1)
        // What its file switches off itself stays off.
        try rules.turn(nil, isOff: true)
        try directory.write(Self.first.replacing("{name: ", with: "{off: true, name: "), to: "rules.yaml")
        rules.readChanged()
        #expect(rules.counts == (0, 2))
        #expect(try lines() == 1)
    }

    @Test("A rule that has applied as often as it may is not counted as on")
    func usedUp() throws {
        let text = "rules: [{name: a, when: \"host:a.test\", block: reset, times: 1}, {name: b, block: close}]"
        let rules = try rules(try directory.write(text, to: "rules.yaml"))
        #expect(rules.counts == (2, 2))
        try hit(rules)
        #expect(rules.counts == (1, 2))
    }

    @Test("Without files there are no rules, and none come")
    func none() throws {
        let rules = try RunningRules([], logger: Logger(label: "rules") { _ in SwiftLogNoOpLogHandler() })
        rules.readChanged()
        #expect(rules.list == nil && rules.counts == (0, 0) && rules.files == [])
    }

    @Test("While a closure runs the files are looked at again and again")
    func watched() async throws {
        let path = try directory.write(Self.first, to: "rules.yaml")
        let rules = try rules(path)
        let (changes, told) = AsyncStream<Int>.makeStream()
        rules.follow { list in told.yield(list?.rules.count ?? 0) }
        try await rules.watched { [directory] in
            try directory.write(Self.first + "- {name: c, block: hang}\n", to: "rules.yaml")
            #expect(await changes.first { _ in true } == 3)
        }
    }

    @Test("--rules takes files and directories, one option for each, and the configuration a list of them")
    func options() throws {
        let options = try StartCommand.parse(["--rules", "a.yaml", "--rules", "rules"]).options
        #expect(options.ruling.paths == ["a.yaml", "rules"])
        #expect(throws: (any Error).self) { try StartCommand.parse(["--rules", ""]) }
        let file = try directory.write("rules: [a.yaml, /etc/rules]\n", to: "config.yaml")
        let line = try ConfiguredCommandLine(["--config", file], for: StartCommand.self, environment: [:])
        let paths = try line.parsed(as: StartCommand.self).options.ruling.paths
        #expect(paths == [directory.file("a.yaml"), "/etc/rules"])
    }
}
