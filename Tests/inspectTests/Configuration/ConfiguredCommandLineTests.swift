import ArgumentParser
import Proxy
import Support
import Testing

@testable import inspect

/// Flags go before variables, variables before the file's profile, and that before the rest of the file.
@Suite(.timeLimit(.minutes(15))) struct ConfiguredCommandLineTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func line(
        _ words: [String] = [],
        file: String? = nil,
        _ environment: [String: String] = [:]
    ) throws -> ConfiguredCommandLine {
        var environment = environment
        environment["HOME"] = directory.path
        if let file { environment["INSPECT_CONFIG"] = try directory.write(file, to: "config.yaml") }
        let line = try ConfiguredCommandLine(words, for: StartCommand.self, environment: environment)
        // As the program does where the parser will not have the words.
        if (try? StartCommand.parse(line.words)) == nil { try line.explain() }
        return line
    }

    private func value(_ name: String, _ line: ConfiguredCommandLine) -> String {
        guard let value = line.values.first(where: { $0.option.name == name }) else { return "default" }
        let source = value.source.description.replacing(directory.path + "/", with: "")
        return value.values.joined(separator: " ") + " by " + source
    }

    @Test("What goes before what, for a value")
    func precedence() throws {
        let file = "session: file\nprofiles:\n  ci:\n    session: profile\n"
        #expect(value("session", try line()) == "default")
        #expect(value("session", try line(file: file)) == "file by config.yaml:1")
        #expect(value("session", try line(["--profile", "ci"], file: file)) == "profile by config.yaml:4")
        #expect(value("session", try line(file: file, ["INSPECT_PROFILE": "ci"])) == "profile by config.yaml:4")
        let variable = ["INSPECT_SESSION": "variable", "INSPECT_PROFILE": "ci"]
        #expect(value("session", try line(file: file, variable)) == "variable by environment INSPECT_SESSION")
        #expect(value("session", try line(["--session", "flag"], file: file, variable)) == "flag by flag")
        #expect(value("session", try line(["--session=flag"], file: file, variable)) == "flag by flag")
        let parsed = try StartCommand.parse(try line(["--session=flag"], file: file, variable).words)
        #expect(parsed.options.keeping.session == "flag")
        // A variable that is empty is none.
        #expect(value("session", try line(file: file, ["INSPECT_SESSION": ""])) == "file by config.yaml:1")
        // The file may choose its profile itself.
        #expect(value("session", try line(file: "profile: ci\n" + file)) == "profile by config.yaml:5")
    }

    @Test("What excludes an option of the file or of a variable takes its place")
    func rivals() throws {
        let file = "listen-mode:\n  - socks5@1080\n"
        let flagged = try line(["--port", "0"], file: file)
        #expect(value("port", flagged) == "0 by flag" && value("listen-mode", flagged) == "default")
        #expect(try StartCommand.parse(flagged.words).options.listening.modes(.known).map(\.way) == [.explicit])
        let set = try line(file: "port: 9000\n", ["INSPECT_LISTEN_MODE": "socks5@1080"])
        #expect(value("port", set) == "default" && value("listen-mode", set).hasPrefix("socks5@1080 by environment"))
        let own = "port: 9000\nprofiles:\n  ci:\n    listen-mode: socks5@1080\n"
        let profiled = try line(["--profile", "ci"], file: own)
        #expect(value("port", profiled) == "default")
        #expect(value("listen-mode", profiled) == "socks5@1080 by config.yaml:4")
        let both = #expect(throws: ConfigurationProblem.self) { try line(file: "port: 9000\n" + file) }
        #expect(both?.description.contains("exclude each other") == true)
    }

    @Test("A flag may be taken back by what goes before it")
    func flags() throws {
        let file = "insecure-upstream: true\nmatch-protocols: false\n"
        func upstreams(_ line: ConfiguredCommandLine) throws -> UpstreamOptions {
            try StartCommand.parse(line.words).options.upstreams
        }
        let filed = try upstreams(try line(file: file))
        #expect(filed.insecureUpstream && !filed.matchProtocols)
        let variables = ["INSPECT_INSECURE_UPSTREAM": "false", "INSPECT_MATCH_PROTOCOLS": "1"]
        let set = try upstreams(try line(file: file, variables))
        #expect(!set.insecureUpstream && set.matchProtocols)
        let flagged = try line(["--match-protocols"], file: file)
        #expect(try upstreams(flagged).matchProtocols && value("match-protocols", flagged) == "true by flag")
        #expect(value("match-protocols", try line(["--no-match-protocols"])) == "false by flag")
        let error = #expect(throws: InputError.self) { try line([], ["INSPECT_MATCH_PROTOCOLS": "perhaps"]) }
        #expect(error?.description == "INSPECT_MATCH_PROTOCOLS is true or false, not 'perhaps'")
    }

    @Test("Of a list the first source that has it gives all of it")
    func lists() throws {
        let file = "pass-through: [a.test, b.test]\nresolve: x.test:1:127.0.0.1\n"
        func hosts(_ line: ConfiguredCommandLine) throws -> [String] {
            let options = try StartCommand.parse(line.words + ["--no-default-pass-through"])
            return try options.upstreams.passThrough().map(\.description)
        }
        #expect(try hosts(try line(file: file)) == ["a.test", "b.test"])
        #expect(try hosts(try line(file: file, ["INSPECT_PASS_THROUGH": "c.test\nd.test"])) == ["c.test", "d.test"])
        let given = try line(["--pass-through", "e.test", "f.test", "--web-port", "0"], file: file)
        #expect(try hosts(given) == ["e.test", "f.test"])
        #expect(value("pass-through", given) == "e.test f.test by flag")
        #expect(value("resolve", given) == "x.test:1:127.0.0.1 by config.yaml:2")
    }

    @Test("A value that start will not take is told of by its place, where the command line is right by itself")
    func places() throws {
        let problem = #expect(throws: ConfigurationProblem.self) { try line(file: "port: 9000\nweb-port: 9000\n") }
        #expect(problem?.line == 2 && problem?.sentence.contains("--port and --web-port are both 9000") == true)
        let variable = #expect(throws: InputError.self) { try line([], ["INSPECT_PORT": "many"]) }
        #expect(variable?.description.hasPrefix("INSPECT_PORT: The value 'many' is invalid") == true)
        // What goes before it makes it right.
        let right = try line(["--web-port", "1"], file: "port: 9000\nweb-port: 9000\n")
        #expect(right.words == ["--web-port", "1", "--port=9000"])
        let shape = #expect(throws: ConfigurationProblem.self) { try line(file: "prot: 1") }
        #expect(shape?.sentence.contains("did you mean 'port'") == true)
        #expect(throws: InputError.self) { try line(["--config", "/nowhere.yaml"]) }
        let profile = #expect(throws: InputError.self) { try line(["--profile", "cj"], file: "profiles: {ci: {}}") }
        #expect(profile?.description.hasSuffix("has no profile cj; it has ci") == true)
        // Mistakes of the command line itself are the parser's.
        #expect(try line(["--port", "many"], file: "session: x").words == ["--port", "many", "--session=x"])
    }

    @Test(
        "What runs a proxy for one command takes what is not about one that stays, and leaves that command's words alone",
        arguments: [
            (
                ["--har", "x.har", "curl", "--session", "no", "-k"], ["--har", "x.har"],
                ["--", "curl", "--session", "no", "-k"]
            ),
            (["--", "curl", "--profile", "ci"], [], ["--", "curl", "--profile", "ci"]),
            (
                ["--pass-through", "a.test", "b.test", "--", "curl"], ["--pass-through", "a.test", "b.test"],
                ["--", "curl"]
            ),
            (
                ["--insecure-upstream", "--session=given", "sh"], ["--insecure-upstream", "--session=given"],
                ["--", "sh"]
            ),
            (["--prot", "1"], [], ["--prot", "1"]), ([], [], []),
        ] as [([String], [String], [String])]
    )
    func run(_ words: [String], own: [String], rest: [String]) throws {
        let file = "port: 9000\nlisten: 192.0.2.1\nproxy-auth: a:b\nsession: filed\npass-through: [bank.test]\n"
        let environment = ["HOME": directory.path, "INSPECT_WEB_PORT": "1", "INSPECT_IDLE_TIMEOUT": "7s"]
        let line = try ConfiguredCommandLine(
            words,
            for: RunCommand.self,
            environment: environment.merging(["INSPECT_CONFIG": try directory.write(file, to: "config.yaml")]) { $1 }
        )
        func isGiven(_ name: String) -> Bool { own.contains { $0.hasPrefix("--\(name)") } }
        let added =
            (isGiven("pass-through") ? [] : ["--pass-through=bank.test"]) + ["--idle-timeout=7s"]
            + (isGiven("session") ? [] : ["--session=filed"])
        #expect(line.words == own + added + rest && line.strangers == [])
        guard let program = rest.first, program == "--" else { return }
        let parsed = try #require(try RunCommand.parseAsRoot(line.words) as? RunCommand)
        #expect(parsed.command == rest && parsed.options.listening.port == nil)
    }

    @Test(
        "A browser's name and addresses are not taken for values of the file's lists, and tls takes what is about upstreams"
    )
    func others() throws {
        let path = try directory.write("port: 9000\npass-through: [bank.test]\nresolve: x:1:::1\n", to: "config.yaml")
        let environment = ["HOME": directory.path, "INSPECT_CONFIG": path]
        let words = ["firefox", "https://a.test/"]
        let browser = try ConfiguredCommandLine(words, for: BrowserCommand.self, environment: environment).words
        #expect(try BrowserCommand.parse(browser).words == words)
        #expect(try BrowserCommand.parse(browser).options.upstreams.passThrough().contains { $0.matches("bank.test") })
        let tls = try ConfiguredCommandLine(["a.test"], for: TLSCommand.self, environment: environment)
        #expect(tls.words == ["a.test", "--pass-through=bank.test", "--resolve=x:1:::1"])
    }

    @Test("What a proxy that stays has for itself are options of start, and all that say where it listens")
    func stays() throws {
        let options = try ConfigurableOption.all(of: StartCommand.self)
        #expect(StartOptions.ofOneThatStays.isSubset(of: options.map(\.name)))
        let listening = options.filter { $0.information.section == "Listening" }.map(\.name)
        #expect(!listening.isEmpty && StartOptions.ofOneThatStays.isSuperset(of: listening))
    }

    @Test("Passwords are covered where values are shown")
    func passwords() throws {
        let shown = try line([
            "--proxy-auth", "user:hunter:2", "--upstream-proxy", "http://me:hunter2@proxy.test:80", "--listen-mode",
            "socks5:me:hunter2@1080",
        ]).values.flatMap(\.shown)
        #expect(shown.sorted() == ["http://me:***@proxy.test:80", "socks5:me:***@1080", "user:***"])
    }

    @Test("Variables that look like ours and set nothing are named")
    func strangers() throws {
        #expect(try line([], ["INSPECT_PROT": "1", "INSPECT_PORT": "1", "OTHER": "1"]).strangers == ["INSPECT_PROT"])
    }
}
