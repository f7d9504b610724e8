import Testing

@testable import inspect

/// What is wrong with a configuration file is told with its place.
@Suite(.timeLimit(.minutes(15))) struct ConfigurationFileTests {
    private static let options = Result { try ConfigurableOption.all(of: StartCommand.self) }

    private static func problems(_ text: String) throws -> [String] {
        let options = try options.get()
        do {
            let file = try ConfigurationFile(text: text, path: "c.yaml")
            return ConfigurationCheck.start.problems(of: file, options: options, home: "/home").map(\.description)
        } catch let problem as ConfigurationProblem {
            return [problem.description]
        }
    }

    @Test(
        "A mistake is named with line, column and what would be right",
        arguments: [
            ("port: 9000\nprot: 1\n", "c.yaml:2:1: there is no option 'prot'; did you mean 'port'?"),
            ("listen_mode: a\n", "c.yaml:1:1: there is no option 'listen_mode'; did you mean 'listen-mode'?"),
            (
                "\n\nno-match-protocols: true",
                "c.yaml:3:1: there is no option 'no-match-protocols'; write 'match-protocols: false'"
            ),
            ("colour: red", "c.yaml:1:1: there is no option 'colour'; see 'inspect help start'"),
            ("config: other.yaml", "c.yaml:1:1: a file cannot name another"),
            ("port:\n  - 1\n", "c.yaml:2:3: port takes one N, not a list"),
            ("port: {a: 1}", "c.yaml:1:7: port takes one N, not a mapping"),
            ("session:\nport: 1", "c.yaml:1:9: session has no value"),
            ("port: many", "c.yaml:1:1: The value 'many' is invalid for '--port <n>'"),
            ("port: 70000", "c.yaml:1:1: --port 70000: expected 0 to 65535"),
            ("insecure-upstream: 'yes'", "c.yaml:1:20: insecure-upstream is true or false"),
            ("insecure-upstream: 1", "c.yaml:1:20: insecure-upstream is true or false"),
            ("body-limit: 3 apples", "c.yaml:1:1: "),
            (
                "pass-through: [a.test, {b: c}]",
                "c.yaml:1:15: pass-through takes a list of HOST, not a list of more than texts"
            ),
            ("port: 1\nport: 2", "c.yaml:1:1: port stands twice"),
            ("port: [1", "this is no YAML: "),
            ("- port", "c.yaml:1:1: expected options by name"),
            ("profiles: [a]", "c.yaml:1:11: expected names with options"),
            ("profiles:\n  ci:\n    prot: 1", "c.yaml:3:5: there is no option 'prot'; did you mean 'port'?"),
            ("profiles:\n  ci: 7", "c.yaml:2:7: expected options by name"),
            ("profiles: {a: {profiles: {}}}", "c.yaml:1:16: profiles stand at the top of the file"),
            ("profile: ci", "c.yaml:1:10: there is no profile 'ci' in this file"),
            ("drop-marked: true", "c.yaml:1:1: --drop-marked goes with"),
            ("port: 9000\nlisten-mode: explicit@1", "c.yaml:2:1: --port and --listen-mode exclude each other"),
            ("port: 9000\nprofiles:\n  a:\n    web-port: 9000", "c.yaml:4:5: --port and --web-port are both 9000"),
            ("upstream-ca: nowhere.pem", "c.yaml:1:1: --upstream-ca"),
        ]
    )
    func explains(_ text: String, _ expected: String) throws {
        let problems = try Self.problems(text)
        #expect(problems.count == 1 && problems.first?.contains(expected) == true, "\(problems)")
    }

    @Test(
        "What is right has no problems",
        arguments: [
            "", "# nothing\n", "---\n", "port: 9000", "port: '9000'", "keep-for: 7d\ndrop-marked: true",
            "pass-through: a.test", "pass-through: [a.test, '*.b.test']", "profiles:", "profiles: {ci: }",
            "profile: ci\nprofiles:\n  ci: {port: 0, web-port: 0, session: ci}",
            "port: 9000\nprofiles: {a: {web-port: 9001}, b: {port: 9091, web-port: 9090}}",
            "insecure-upstream: true\nmatch-protocols: false\nlisten: '[::1]'\nbody-limit: 0",
        ]
    )
    func accepts(_ text: String) throws {
        #expect(try Self.problems(text) == [])
    }

    @Test("Several mistakes are all named, in the order of their lines")
    func several() throws {
        let problems = try Self.problems("web-port: x\nprot: 1\nprofiles:\n  a: {idle-timeout: soon}\nsession:\n")
        let places = problems.map { String($0.prefix { $0 != " " }) }
        #expect(places == ["c.yaml:1:1:", "c.yaml:2:1:", "c.yaml:4:7:", "c.yaml:5:9:"], "\(problems)")
    }
}
