import Testing

@testable import inspect

/// What Fiddler's AutoResponder has saved becomes rules that do the same, or says why not.
@Suite(.timeLimit(.minutes(15))) struct FiddlerImportTests {
    private static func sample(_ rules: String, _ state: String = "Fallthrough=\"true\"") throws -> ImportedSample {
        try ImportedSample(
            "\u{FEFF}<?xml version=\"1.0\" encoding=\"utf-8\"?><AutoResponder><State \(state)>\(rules)</State></AutoResponder>"
        )
    }

    private static let matches: [(String, String)] = [
        ("EXACT:https://a.test/x?y=1&amp;z", "'url:/(?-i)^https:\\/\\/a\\.test\\/x\\?y=1\\&z$/'"),
        ("regex:(?insx)^http://a .* \\.js$", "'url:/(?s)^http:\\/\\/a.*\\.js$/'"),
        ("REGEX:a/b, c", "'url:/(?-i)a\\/b\\,\\u{20}c/'"), ("NOT:a.test", "'-url:/(?:a\\.test)/'"),
        ("METHOD:POST up", "\"method:POST url:up\""), ("or -host:x", "'url:/(?:or\\ -host:x)/'"),
        ("METHOD:NOT:GET a", "\"-method:GET url:a\""),
        ("REGEX:v\\{1,2}", "'url:/(?-i)v\\{1\\,2}/'"),
        ("REGEX:v\\d{1,2},x$", "'url:/(?-i)v\\d{1,2}\\,x$/'"),
        ("&quot;\u{301}é", "'url:/(?:\\\"\\u{301}\\u{E9})/'"),
    ]

    @Test("A condition becomes a query that means the same", arguments: matches)
    func conditions(_ match: String, _ query: String) throws {
        #expect(
            try Self.sample("<ResponseRule Match=\"\(match)\" Action=\"*drop\"/>").actions == [
                "when: \(query)", "block: close", "stop: true",
            ]
        )
    }

    private static let doings: [(String, [String])] = [
        (
            "*redir: https://b.test/?a",
            ["respond: {status: 307, fields: {Location: \"https://b.test/?a\"}}", "stop: true"]
        ),
        ("*header:X-A = 1=2", ["request: {fields: {set: {X-A: \"1=2\"}}}"]),
        ("*reset", ["block: reset", "stop: true"]),
        ("*header:X-A=", ["request: {fields: {remove: \"X-A\"}}"]),
        ("*delay:50", ["delay: \"50ms\""]), ("*exit", ["stop: true"]),
        ("/srv/a.js", ["respond: {file: \"/srv/a.js\"}", "stop: true"]),
        (
            "http://b.test:81/x?y", ["send: {to: \"http://b.test:81\"}", "request: {target: \"/x?y\"}", "stop: true"]
        ), ("http://b.test", ["send: {to: \"http://b.test\"}", "request: {target: \"/\"}", "stop: true"]),
        (
            "404_Plain.dat",
            ["# not said: the content of Fiddler's own 404_Plain.dat", "respond: {status: \"404\"}", "stop: true"]
        ),
        ("https://b.test/$1", ["# no rule for '*': the action 'https://b.test/$1'"]),
        ("C:\\a.js", ["# no rule for '*': the action 'C:\\a.js'"]), ("*bpu", ["# no rule for '*': the action '*bpu'"]),
    ]

    @Test("An action becomes what it does", arguments: doings)
    func actions(_ action: String, _ lines: [String]) throws {
        #expect(try Self.sample("<ResponseRule Match=\"*\" Action=\"\(action)\"/>").actions == lines)
    }

    private static let replacements: [(String, String, [String])] = [
        // Seen in the wild, with the directory of this system.
        ("^https?://a\\.test/", "http://localhost:3000/", ["send: {to: \"http://localhost:3000\"}", "stop: true"]),
        (
            "(?insx)^http://a\\.test/.*$", "http://b.test/c",
            ["send: {to: \"http://b.test\"}", "request: {target: \"/c\"}", "stop: true"]
        ),
        ("https://a.test/s/", "/srv/s/", ["respond: {dir: \"/srv/s/\", strip: \"/s/\"}", "stop: true"]),
        (".*x.js$", "/srv/x.js", ["respond: {file: \"/srv/x.js\"}", "stop: true"]),
        ("x.js", "/srv/x.js", ["# no rule for 'r': '/srv/x.js' in the place of what 'x.js' matches"]),
        (
            "x.js", "*redir:https://b.test/",
            ["# no rule for 'r': '*redir:https://b.test/' in the place of what 'x.js' matches"]
        ),
        ("x(.)", "https://b.test/", ["# no rule for 'r': 'https://b.test/' in the place of what 'x(.)' matches"]),
        (".*", "/srv/", ["# no rule for 'r': which part of the URL stands for the directory /srv/"]),
        (".*(x)$", "https://b.test/$1", ["# no rule for 'r': the action 'https://b.test/$1'"]),
    ]

    @Test("An action takes the place of what a regular expression matches in the URL", arguments: replacements)
    func expressions(_ match: String, _ action: String, _ lines: [String]) throws {
        let sample = try Self.sample("<ResponseRule Comment=\"r\" Match=\"REGEX:\(match)\" Action=\"\(action)\"/>")
        #expect(sample.actions.filter { !$0.hasPrefix("when: ") } == lines)
    }

    @Test("Such an expression may stand behind a method or a share")
    func laterExpression() throws {
        let sample = try Self.sample("<ResponseRule Match=\"30%:METHOD:GET REGEX:x\" Action=\"/srv/x.js\"/>")
        #expect(sample.rules.isEmpty && sample.text.contains("in the place of what 'x' matches"))
    }

    @Test("Latency, count, share, comment and switch are kept, and what holds for the whole file is said")
    func members() throws {
        let rule =
            "<ResponseRule Match=\"30%:a\" Action=\"*drop\" Comment=\"a, b\" Enabled=\"false\" Latency=\"9\" MaxMatchCount=\"3\"/>"
        #expect(
            try Self.sample(rule + rule, "Fallthrough=\"false\" UseLatency=\"true\"").lines == [
                "# requests that no rule answers get a 404; here they go on", "- name: \"a  b\"", "  when: \"url:a\"",
                "  chance: \"30%\"", "  block: close", "  stop: true", "  delay: \"9ms\"", "  times: 3",
                "  note: \"it was off in Fiddler\"",
                "- name: \"a  b (2)\"", "  when: \"url:a\"", "  chance: \"30%\"", "  block: close", "  stop: true",
                "  delay: \"9ms\"",
                "  times: 3", "  note: \"it was off in Fiddler\"",
            ]
        )
        let quick = try Self.sample(rule, "UseLatency=\"false\"")
        #expect(quick.lines.first == "# not said: its latency of 9 ms, which was off")
        #expect(quick.summary == "1 rule of Fiddler, 1 of them not whole")
    }

    @Test("A rule that is for one match, a delay beside a latency, and an expression of several lines")
    func others() throws {
        func rule(_ action: String, _ rest: String, _ match: String = "*") throws -> [String] {
            try Self.sample(
                "<ResponseRule Match=\"\(match)\" Action=\"\(action)\" \(rest)/>",
                "UseLatency=\"true\" AcceptAllConnects=\"true\" Enabled=\"false\""
            ).actions
        }
        let state = ["# every CONNECT is accepted", "# the AutoResponder was off in Fiddler"]
        #expect(try rule("*drop", "DisableAfterMatch=\"true\"") == state + ["block: close", "stop: true", "times: 1"])
        #expect(try rule("*delay:50", "Latency=\"9\"") == state + ["delay: \"50ms\""])
        #expect(try rule("*drop", "", "REGEX:(?x)a\\ b").last?.contains("comments, classes or blanks") == true)
    }

    @Test("Rules of Fiddler Everywhere are refused")
    func everywhere() throws {
        let rule = "<ResponseRule Match='{\"Matches\":[\"^^a\"]}' Action='[\"^^b\"]'/>"
        #expect(try Self.sample(rule).text.contains("a rule of Fiddler Everywhere"))
        #expect(throws: InputError.self) {
            try ImportedSample("<AutoResponder RulesVersion=\"2\"><State>\(rule)</State></AutoResponder>")
        }
    }

    @Test("A saved response is said to be lost")
    func saved() throws {
        let sample = try Self.sample("<ResponseRule Match=\"a\" Action=\"\" Headers=\"SFRUUA==\" DeflatedBody=\"\"/>")
        #expect(sample.lines == ["# no rule for 'a': the saved response that lies in it"])
        #expect(sample.summary == "0 rules of Fiddler; 1 other cannot be said")
    }
}
