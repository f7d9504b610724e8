import Foundation
import Support
import Testing

/// `inspect run` and `inspect env` as their user meets them.
@Suite("Commands run through the proxy", .timeLimit(.minutes(15)))
struct RunCommandTests {
    @Test(
        "The command's exit status is passed on: its own, 128 and the signal that ended it, 127 when there is no such command",
        arguments: [("exit 7", 7), ("kill -9 $$", 137), ("true", 0)] as [(String, Int32)]
    )
    func status(_ script: String, _ expected: Int32) async throws {
        let directory = try TemporaryDirectory()
        let ended = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + ["--", "sh", "-c", script],
            in: directory
        )
        #expect(ended.status == expected, "\(ended.errors)")
    }

    @Test("A command that is not there is named, and nothing is said of a recording")
    func missing() async throws {
        let directory = try TemporaryDirectory()
        let ended = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + ["--", "no-such-command"],
            in: directory
        )
        #expect(ended.status == 127)
        #expect(ended.errors == "inspect: cannot run no-such-command: there is no such command\n")
    }

    @Test("A run leaves a HAR file of what its filter selects, through a proxy of its own")
    func recording() async throws {
        let directory = try TemporaryDirectory()
        let origin = try await RecordingOrigin.start()
        let address = "http://127.0.0.1:\(origin.port)"
        let file = directory.file("run.har")
        let ended = try await RunningInspect.run(
            ["run", "--query", "path:/wanted", "--har", file] + RunningInspect.places(directory)
                + ["--share", "--", "curl", "-s", "\(address)/wanted?n=1&token=q7Wn2Zk9Lx4Tb8Vd", "\(address)/other"],
            in: directory
        )
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(
            ended.errors.contains("inspect: 1 exchange recorded, written to \(file); see: inspect ls id:1")
                && ended.errors.contains("inspect: masked 1 value:\n  1 × parameter token\n"),
            "\(ended.errors)"
        )
        let har = try JSONSerialization.jsonObject(with: Data(try directory.read("run.har"))) as? [String: Any]
        let entries = (har?["log"] as? [String: Any])?["entries"] as? [[String: Any]]
        let urls = entries?.compactMap { ($0["request"] as? [String: Any])?["url"] as? String }
        #expect(
            urls?.count == 1 && urls?.first?.hasPrefix("\(address)/wanted?n=1&token=%3Ctoken:") == true,
            "\(urls ?? [])"
        )
        #expect(try await StoredListing.read(in: directory, []).total == 2)
    }

    @Test("Who goes through a running proxy is named the root of that one, whatever the directory of the command's own")
    func otherDirectory() async throws {
        let proxy = try await RunningInspect.start()
        let other = proxy.directory.file("other")
        let places = ["--store", RunningInspect.store(proxy.directory), "--ca-directory", other]
        let variables = try await RunningInspect.run(["env"] + places, in: proxy.directory)
        let ran = try await RunningInspect.run(["run"] + places + ["--", "env"], in: proxy.directory)
        for (said, errors) in [(variables.output, variables.errors), (ran.output, ran.errors)] {
            #expect(said.contains("NODE_EXTRA_CA_CERTS"), "\(said)\(errors)")
            #expect(said.contains(proxy.directory.file("ca/clients/bundle.pem")), "\(said)")
            #expect(!said.contains(other), "\(said)")
        }
    }

    @Test("Beside a running proxy a command goes through that one, and so does what a shell starts after inspect env")
    func beside() async throws {
        let proxy = try await RunningInspect.start()
        let origin = try await RecordingOrigin.start()
        let address = "http://127.0.0.1:\(origin.port)"
        let ran = try await RunningInspect.run(
            ["run"] + RunningInspect.places(proxy.directory) + ["--", "curl", "-s", "\(address)/run"],
            in: proxy.directory
        )
        #expect(ran.status == 0 && ran.errors.contains("1 exchange recorded"), "\(ran.errors)")
        let variables = try await RunningInspect.run(
            ["env"] + RunningInspect.places(proxy.directory),
            in: proxy.directory
        )
        #expect(variables.status == 0, "\(variables.errors)")
        let shell = try await CommandLineTool.run(
            "sh",
            ["-c", variables.output + "curl -s \(address)/env && echo $no_proxy- && env | grep -c \(proxy.port)"]
        )
        #expect(shell.status == 0, "\(shell.errors)")
        let targets = try await proxy.listing().exchanges.map(\.target)
        #expect(targets == ["/env", "/run"])
        _ = try await proxy.process.stop()
    }

    @Test("Commands run at the same time, each without a proxy before, all reach their upstream and end well")
    func together() async throws {
        let directory = try TemporaryDirectory()
        let origin = try await RecordingOrigin.start()
        let ended = try await withThrowingTaskGroup(of: CommandLineTool.Result.self) { group in
            for number in 0..<6 {
                group.addTask {
                    try await RunningInspect.run(
                        ["run"] + RunningInspect.places(directory)
                            + ["--", "curl", "-sSf", "http://127.0.0.1:\(origin.port)/length?\(number)"],
                        in: directory
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for one in ended { #expect(one.status == 0, "\(one.errors)") }
        #expect(try await StoredListing.read(in: directory, []).total == 6)
    }

    @Test("A proxy that a command has lent to others ends after the last of them, and says what it waits for")
    func lent() async throws {
        let directory = try TemporaryDirectory()
        let origin = try await RecordingOrigin.start()
        func started(_ script: String) async throws -> RunningProcess {
            // What it says on standard error is waited for too.
            let process = try RunningProcess(
                "/bin/sh",
                ["-c", #"exec "$0" "$@" 2>&1"#, try Executable.inspect(), "run"] + RunningInspect.places(directory)
                    + ["--", "sh", "-c", "echo begun; \(script)"],
                environment: RunningInspect.environment(directory)
            )
            _ = try await process.line(containing: "begun")
            return process
        }
        func until(_ file: String) -> String { "while [ ! -e \(directory.file(file)) ]; do sleep 0.02; done" }
        let first = try await started(until("first"))
        let second = try await started("\(until("second")); curl -sSf http://127.0.0.1:\(origin.port)/length")
        _ = try directory.write("", to: "first")
        _ = try await first.line(containing: "other commands still send through this proxy")
        _ = try directory.write("", to: "second")
        let (one, other) = (try await first.end(), try await second.end())
        let said = String(decoding: one.output + other.output, as: UTF8.self)
        #expect(one.status == 0 && other.status == 0, "\(said)")
        #expect(try await StoredListing.read(in: directory, []).exchanges.map(\.outcome) == ["completed"])
    }

    @Test(
        "A proxy that a command has lent to others ends when it is asked to, with its recording",
        arguments: [SIGTERM, SIGINT]
    )
    func recalled(number: Int32) async throws {
        let directory = try TemporaryDirectory()
        func started(_ options: [String], _ file: String) async throws -> RunningProcess {
            let script = "echo begun; while [ ! -e \(directory.file(file)) ]; do sleep 0.02; done"
            let process = try RunningProcess(
                "/bin/sh",
                ["-c", #"exec "$0" "$@" 2>&1"#, try Executable.inspect(), "run"] + RunningInspect.places(directory)
                    + options + ["--", "sh", "-c", script],
                environment: RunningInspect.environment(directory)
            )
            _ = try await process.line(containing: "begun")
            return process
        }
        let first = try await started(["--har", directory.file("a.har")], "first")
        let second = try await started([], "second")
        _ = try directory.write("", to: "first")
        _ = try await first.line(containing: "other commands still send through this proxy")
        kill(first.id, number)
        let one = try await first.end()
        _ = try directory.write("", to: "second")
        _ = try await second.end()
        #expect(one.status == 0, "\(String(decoding: one.output, as: UTF8.self))")
        #expect(try directory.read("a.har").first == UInt8(ascii: "{"))
    }

    @Test("The lines that start prints for one command and for a shell do what they say, as they stand")
    func guide() async throws {
        let proxy = try await RunningInspect.start()
        let origin = try await RecordingOrigin.start()
        _ = try await proxy.process.line(containing: "Then:")
        let lines = String(decoding: proxy.process.soFar.output, as: UTF8.self).split(separator: "\n")
        func said(_ name: String) throws -> String {
            let line = try #require(lines.first { $0.hasPrefix(name) }, "\(lines)")
            return line.dropFirst(name.count).trimmingCharacters(in: .whitespaces)
                .replacing("https://example.com/", with: "http://127.0.0.1:\(origin.port)/length")
        }
        let folder = URL(filePath: try Executable.inspect()).deletingLastPathComponent().path
        let path = ["PATH": "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"]
        let asking = "\(try said("this shell"))\ncurl -s http://127.0.0.1:\(origin.port)/gzip"
        for script in [try said("one command"), asking, try said("curl")] {
            let ran = try await CommandLineTool.run(
                "bash",
                ["-c", script],
                environment: RunningInspect.environment(proxy.directory).merging(path) { $1 }
            )
            #expect(ran.status == 0, "\(script): \(ran.errors)")
        }
        #expect(try await proxy.listing().exchanges.map(\.target) == ["/length", "/gzip", "/length"])
    }

    @Test("Beside a proxy that asks for a login, commands, a shell and doctor have it from where the proxy left it")
    func login() async throws {
        let proxy = try await RunningInspect.start(["--proxy-auth", "user:a b%:@"])
        let origin = try await RecordingOrigin.start()
        let address = "http://127.0.0.1:\(origin.port)"
        let places = RunningInspect.places(proxy.directory)
        let stranger = try await CommandLineTool.run(
            "curl",
            ["-s", "-o", "/dev/null", "-w", "%{http_code}", "--noproxy", "", "-x", proxy.proxy, "\(address)/stranger"]
        )
        #expect(stranger.output == "407")
        let ran = try await RunningInspect.run(
            ["run"] + places + ["--", "curl", "-sSf", "\(address)/length"],
            in: proxy.directory
        )
        #expect(ran.status == 0, "\(ran.errors)")
        let variables = try await RunningInspect.run(["env"] + places, in: proxy.directory)
        let shell = try await CommandLineTool.run("sh", ["-c", variables.output + "curl -sSf \(address)/gzip"])
        #expect(shell.status == 0, "\(shell.errors)")
        let looked = try await RunningInspect.run(["doctor", "--json"] + places, in: proxy.directory)
        #expect(!looked.output.contains("a request through the proxy"), "\(looked.output)")
        let rows = try await proxy.listing("code:200").exchanges.map(\.target)
        #expect(rows.count == 3 && rows.first?.hasPrefix("/inspect-doctor") == true, "\(rows)")
        #expect(rows.dropFirst() == ["/gzip", "/length"])
        let file = proxy.directory.file("captures.db.instance")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("Commands that start at the same time through one proxy all run, and leave the clients' files as they are")
    func parallel() async throws {
        let proxy = try await RunningInspect.start()
        let (directory, places) = (proxy.directory, RunningInspect.places(proxy.directory))
        func run() async throws -> CommandLineTool.Result {
            try await RunningInspect.run(["run"] + places + ["--", "true"], in: directory, within: .seconds(120))
        }
        let ran = try await withThrowingTaskGroup(of: CommandLineTool.Result.self) { group in
            for _ in 0..<12 { group.addTask { try await run() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ran.map(\.status) == Array(repeating: 0, count: 12), "\(ran.map(\.errors))")
        func files() throws -> [String: Int] {
            let folder = directory.file("ca/clients")
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            return Dictionary(
                uniqueKeysWithValues: try names.map {
                    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\($0)")
                    return ($0, attributes[.systemFileNumber] as? Int ?? 0)
                }
            )
        }
        let before = try files()
        #expect(before.keys.sorted() == ["bundle.pem", "node.cjs", "roots.jks", "wgetrc"])
        #expect(try await run().status == 0)
        #expect(try files() == before)
        _ = try directory.write("timeout = 7\n", to: ".wgetrc")
        #expect(try await run().status == 0)
        let after = try files()
        #expect(after.filter { before[$0.key] != $0.value }.map(\.key) == ["wgetrc"])
    }

    @Test("A recording that cannot be written is said before the command runs")
    func unwritable() async throws {
        let directory = try TemporaryDirectory()
        let words = ["run", "--har", directory.file("nowhere/run.har")] + RunningInspect.places(directory)
        let ran = try await RunningInspect.run(words + ["--", "touch", directory.file("ran")], in: directory)
        #expect(ran.status == 2 && ran.errors.hasPrefix("inspect: cannot write "), "\(ran.errors)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("ran")))
    }

    @Test(
        "A command's status is kept where nobody hears what else there is to say",
        arguments: [("exit 3", 3), ("nosuch", 127)]
    )
    func unheard(_ command: String, _ status: Int) async throws {
        let directory = try TemporaryDirectory()
        // Whoever would hear is gone before anything is said.
        let script = #"exec 3> >(true); wait $!; "$0" run "${@:2}" -- $1 2>&3; echo $?"#
        let words = command == "exit 3" ? "sh \(try directory.write("exit 3\n", to: "fails.sh"))" : command
        let ran = try await CommandLineTool.run(
            try CommandLineTool.find("bash"),
            ["-c", script, try Executable.inspect(), words] + RunningInspect.places(directory),
            within: .seconds(30)
        )
        #expect(ran.output == "\(status)\n", "\(ran)")
    }

    @Test("A proxy of one command takes its upstreams' roots from the configuration file, and not its port")
    func configured() async throws {
        let directory = try TemporaryDirectory()
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        let blocker = try await RecordingOrigin.start()
        let file = try directory.write(
            "upstream-ca: \(authority.rootFile)\nport: \(blocker.port)\nsession: filed\n",
            to: "config.yaml"
        )
        let ran = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + ["curl", "-sSf", "https://localhost:\(origin.port)/length"],
            in: directory,
            environment: ["INSPECT_CONFIG": file]
        )
        #expect(ran.status == 0 && ran.errors.contains("1 exchange recorded"), "\(ran.errors)")
        let listing = try await StoredListing.read(in: directory, ["session:filed scheme:https code:200"])
        #expect(listing.matched == 1)
        let wrong = try directory.write("prot: 1\n", to: "wrong.yaml")
        let refused = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + ["--", "true"],
            in: directory,
            environment: ["INSPECT_CONFIG": wrong]
        )
        #expect(refused.status == 2 && refused.errors.hasPrefix("inspect: \(wrong):1:1: there is no option 'prot'"))
    }

    @Test("An option that run does not have is named, and not taken for the command")
    func option() async throws {
        let directory = try TemporaryDirectory()
        let ran = try await RunningInspect.run(["run", "--prot", "1", "--", "true"], in: directory)
        #expect(ran.status == 2 && ran.errors.contains("run has no option --prot"), "\(ran.errors)")
    }

    @Test("Without a running proxy, env says how to start one; run without a command says how to give one")
    func refusals() async throws {
        let directory = try TemporaryDirectory()
        let variables = try await RunningInspect.run(["env"] + RunningInspect.places(directory), in: directory)
        #expect(variables.status == 2)
        #expect(variables.errors.contains("no proxy is running on") && variables.errors.contains("inspect start"))
        let nothing = try await RunningInspect.run(["run"] + RunningInspect.places(directory) + ["--"], in: directory)
        #expect(nothing.status == 2)
        #expect(nothing.errors.split(separator: "\n").count == 1, "\(nothing.errors)")
    }
}
