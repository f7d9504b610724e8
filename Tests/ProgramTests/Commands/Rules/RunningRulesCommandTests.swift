import Foundation
import Support
import Testing

/// Rules of a running proxy: named at its start, listed, switched, read again.
@Suite(.timeLimit(.minutes(15))) struct RunningRulesCommandTests {
    private static let text = """
        rules:
        - {name: one, when: "path:/one", block: 403}
        - {name: two, off: true, block: reset}
        """

    private static func rules(_ inspect: RunningInspect, _ words: String...) async throws -> CommandLineTool.Result {
        try await RunningInspect.run(
            ["rules"] + words + ["--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
    }

    @Test("start names how many rules are on; the list is told, switched, and follows the file")
    func running() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Self.text, to: "rules.yaml")
        let inspect = try await RunningInspect.start(in: directory, ["--rules", file])
        _ = try await inspect.process.line(containing: "rules   1 of 2 on")
        let listed = try await Self.rules(inspect)
        #expect(listed.status == 0 && listed.errors.isEmpty, "\(listed)")
        let lines = listed.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].hasPrefix("on ") && lines[2].hasPrefix("off "))
        #expect(lines.last?.hasSuffix("two") == true)
        let store = RunningInspect.store(directory)
        let status = try await RunningInspect.run(["status", "--store", store], in: directory)
        #expect(status.output.contains("Rules      1 of 2 on: one\n"), "\(status.output)")
        let json = try await RunningInspect.run(["status", "--json", "--store", store], in: directory)
        #expect(json.output.contains("\"activeRules\":[\"one\"]"), "\(json.output)")
        let places = RunningInspect.places(directory)
        let doctor = try await RunningInspect.run(["doctor"] + places, in: directory)
        #expect(doctor.output.contains("1 of 2 rules are on and change traffic: one\n"), "\(doctor.output)")
        #expect(try await Self.rules(inspect, "on", "two").output == "2 of 2 rules are on\n")
        #expect(try await Self.rules(inspect, "off", "--all").output == "0 of 2 rules are on\n")
        let unknown = try await Self.rules(inspect, "on", "oen")
        #expect(unknown.status == 2 && unknown.errors.contains("no rule is named 'oen'; did you mean 'one'?"))
        #expect(try await Self.rules(inspect, "on").status == 2)

        try directory.write("rules: [{name: one, blok: 403}]", to: "rules.yaml")
        let wrong = try await Self.until(inspect) { $0.status == 1 }
        #expect(wrong.output.contains("rules.yaml:1:21: 'blok' is no action") && wrong.output.contains("off "))
        let found = try await RunningInspect.run(["doctor"] + places, in: directory)
        #expect(found.output.contains("the rules' files have 1 mistake now, so the rules of before hold: "), "\(found)")
        try directory.write("rules: [{name: three, block: 403}]", to: "rules.yaml")
        let right = try await Self.until(inspect) { $0.status == 0 }
        #expect(right.output.contains("three") && !right.output.contains("one"))
        let tried = try await Self.rules(inspect, "try", "--json")
        #expect(tried.status == 0 && tried.output.contains("\"name\":\"three\""), "\(tried)")
    }

    /// What `inspect rules` says once a condition is met: the files are looked at once a second.
    private static func until(
        _ inspect: RunningInspect,
        _ isMet: (CommandLineTool.Result) -> Bool
    ) async throws -> CommandLineTool.Result {
        let deadline = ContinuousClock.now + Patience.stretched(.seconds(20))
        while true {
            let result = try await rules(inspect)
            if isMet(result) || ContinuousClock.now > deadline { return result }
        }
    }

    @Test("At SIGHUP the configuration may name other rules")
    func named() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(Self.text, to: "one.yaml")
        try directory.write("rules: [{name: three, block: 403}]", to: "two.yaml")
        let path = try directory.write("rules: one.yaml\n", to: "config.yaml")
        let daemon = try await RunningDaemon.start(in: directory, ["--config", path])
        let words = ["rules", "--store", RunningInspect.store(directory), "--json"]
        let before = try await RunningInspect.run(words, in: directory)
        #expect(before.output.contains("\"name\":\"one\"") && !before.output.contains("three"), "\(before)")
        try directory.write("rules: [two.yaml]\n", to: "config.yaml")
        kill(daemon.pid, SIGHUP)
        _ = try await daemon.log(with: "read the rules anew")
        let after = try await RunningInspect.run(words, in: directory)
        #expect(after.output.contains("\"name\":\"three\"") && !after.output.contains("\"name\":\"one\""), "\(after)")
        #expect(try await daemon.stop().status == 0)
    }

    @Test("A start with rules that are wrong ends with 2 and names each place", arguments: ["start", "run", "demo"])
    func refused(_ command: String) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("rules:\n- {name: a, blok: 403}\n- {name: b, blok: 403}\n", to: "rules.yaml")
        let words =
            [command] + (command == "run" ? [] : ["--port", "0", "--web-port", "0"]) + ["--rules", file]
            + RunningInspect.places(directory) + (command == "run" ? ["--", "true"] : [])
        let result = try await RunningInspect.run(words, in: directory)
        #expect(result.status == 2, "\(result)")
        let lines = result.errors.split(separator: "\n").filter { $0.contains("'blok' is no action") }
        #expect(lines.count == 2 && lines.first?.hasPrefix("\(file):2:13: ") == true, "\(result.errors)")
    }

    @Test("run beside a running proxy says how many of its rules are on, and that those of --rules do not hold there")
    func guest() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Self.text, to: "rules.yaml")
        let other = try directory.write(Self.text, to: "other.yaml")
        let inspect = try await RunningInspect.start(in: directory, ["--rules", file])
        _ = try await inspect.process.line(containing: "rules   1 of 2 on")
        let places = RunningInspect.places(directory)
        for (words, isOther) in [([], false), (["--rules", file], false), (["--rules", other], true)] {
            let result = try await RunningInspect.run(["run"] + words + places + ["--", "true"], in: directory)
            #expect(result.status == 0 && result.errors.contains("inspect: 1 of 2 rules are on\n"), "\(result.errors)")
            #expect(result.errors.contains("those of --rules do not hold there\n") == isOther, "\(result.errors)")
        }
    }

    @Test("The rules of a pipe are read once, by start and by the commands that look at rules")
    func piped() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(Self.text, to: "rules.yaml")
        let script = "\"$0\" run --rules <(cat rules.yaml) \"$@\" -- true; \"$0\" rules check <(cat rules.yaml)"
        let result = try await CommandLineTool.run(
            "/bin/bash",
            ["-c", "cd '\(directory.path)'; " + script, try Executable.inspect()] + RunningInspect.places(directory)
        )
        #expect(result.errors.contains("inspect: 1 of 2 rules are on\n"), "\(result.errors)")
        #expect(result.status == 0 && result.output == "2 rules, 1 on\n", "\(result)")
    }

    @Test("run says how many rules are on, and no proxy has none")
    func told() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Self.text, to: "rules.yaml")
        let words = ["run", "--rules", file] + RunningInspect.places(directory) + ["--", "true"]
        let result = try await RunningInspect.run(words, in: directory)
        #expect(result.status == 0 && result.errors.contains("inspect: 1 of 2 rules are on\n"), "\(result.errors)")
        let none = try await RunningInspect.run(["rules", "--store", RunningInspect.store(directory)], in: directory)
        #expect(none.status == 2 && none.errors.contains("no proxy is running on"))
    }
}
