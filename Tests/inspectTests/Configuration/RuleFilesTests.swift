import Foundation
import Support
import Testing
import Traffic

@testable import inspect

/// Rules files are read whole, or refused with the place of everything that is wrong.
@Suite(.timeLimit(.minutes(15))) struct RuleFilesTests {
    private static func problems(_ text: String) -> [String] {
        do {
            return try RuleFiles.read(text, path: "rules.yaml").problems.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    private static let examples = """
        rules:
        - name: local scripts
          when: host:www.shop.test path:/static/ method:GET,HEAD
          respond: {dir: ./static, strip: /static/, index: index.html, missing: upstream}
        - name: staging
          when: host:api.shop.test -path:/auth
          send: {to: "https://staging.shop.test:8443", keep-host: false}
        - name: pin the address
          when: host:cdn.shop.test
          send: {resolve: [10.0.0.7]}
        - name: as the beta app
          when: host:api.shop.test
          request: {fields: {set: {User-Agent: "Shop/9 ${reqheader.User-Agent}"}, remove: [X-Debug]}, query: {set: {beta: "1"}, remove: ["utm_*"]}}
        - name: checkout is flaky
          when: method:POST path:/checkout
          respond:
          - {status: 503, fields: {Retry-After: "1"}, times: 2}
          - {status: 201, json: {id: "${uuid}", sku: "${json.$.sku}", at: "${now+5m}", n: 72057594038268329}}
        - {name: trackers, when: "host:*.tracker.test", block: reset}
        - {name: status, when: "code:500", response: {status: 503, trailers: {set: {grpc-status: "14"}}}, chance: 20%, tag: slow}
        - {name: off, off: true, group: g, note: n, times: 3, skip: 2, every: 10, seed: 7, expires: 2h, stop: true}
        - {name: socket, send: {to: "wss://live.test", fresh: true, upstream-proxy: "http://127.0.0.1:3128"}}
        """

    @Test("The examples are read as they are meant")
    func examples() throws {
        let (rules, problems) = try RuleFiles.read(Self.examples, path: "/etc/rules/rules.yaml")
        #expect(problems.map(\.description) == [])
        #expect(
            rules.map(\.name) == [
                "local scripts", "staging", "pin the address", "as the beta app", "checkout is flaky", "trackers",
                "status", "off", "socket",
            ]
        )
        guard case .respond(let files)? = rules[0].actions.first,
            case .directory(let directory) = files.steps[0].content
        else {
            Issue.record("no directory")
            return
        }
        #expect(directory.path == "/etc/rules/static" && directory.strip == "/static/")
        #expect(directory.index == "index.html" && directory.missing == .upstream)
        guard case .send(let send)? = rules[1].actions.first else {
            Issue.record("no send")
            return
        }
        #expect(send.to == (try ReplayTarget("https://staging.shop.test:8443")) && !send.keepsHost)
        guard case .respond(let answers)? = rules[4].actions.first else {
            Issue.record("no answers")
            return
        }
        #expect(answers.steps.map(\.status) == [503, 201] && answers.steps.map(\.times) == [2, nil])
        #expect(rules[5].actions == [.block(.reset)])
        #expect(rules[6].limits.chance == 200_000 && rules[6].tags == ["slow"])
        let off = rules[7]
        #expect(off.isOff && off.group == "g" && off.note == "n" && off.stops && off.limits.seed == 7)
        #expect(off.limits.times == 3 && off.limits.skip == 2 && off.limits.every == 10)
        #expect(off.limits.expires == 7_200_000_000)
        guard case .send(let socket)? = rules[8].actions.first else {
            Issue.record("no send")
            return
        }
        #expect(socket.to == (try ReplayTarget("https://live.test")) && socket.isFresh)
        #expect(socket.upstreamProxy == "http://127.0.0.1:3128")
        #expect(rules[1].place == Rule.Place(path: "/etc/rules/rules.yaml", line: 5, column: 3))
    }

    @Test(
        "A mistake is named with line, column and what would be right",
        arguments: [
            (
                "rules:\n- name: x\n  when: path:/a\n  respnse: {}\n",
                "rules.yaml:4:3: 'respnse' is no action; did you mean 'response'?"
            ),
            ("rules:\n- {name: x, when: 'path:/a', respnse: {}}\n", "rules.yaml:2:30: 'respnse' is no action"),
            ("ruels: []", "rules.yaml:1:1: 'ruels' has no place at the top of a rules file; did you mean 'rules'?"),
            ("- a", "rules.yaml:1:1: expected 'rules:' with a list of rules"),
            ("rules: {a: b}", "rules.yaml:1:8: expected a list of rules"),
            ("rules: [", "rules.yaml:"), ("rules: [a]", "rules.yaml:1:9: expected a rule with a name"),
            ("rules:\n- {block: reset}", "rules.yaml:2:3: the rule has no name"),
            ("rules:\n- {name: a}", "rules.yaml:2:3: the rule does nothing"),
            ("rules:\n- {name: \"a\\Lb\", block: reset}", "rules.yaml:2:10: a name is one line of at most 100"),
            ("rules:\n- {name: \"a\\Nb\", block: reset}", "rules.yaml:2:10: a name is one line of at most 100"),
            (
                "rules:\n- {name: a\(String(repeating: "\u{301}", count: 100)), block: reset}",
                "rules.yaml:2:10: a name is one line of at most 100"
            ),
            ("rules:\n- {name: a, name: b, block: reset}", "name stands twice"),
        ]
    )
    func form(text: String, expected: String) {
        let problems = Self.problems(text)
        #expect(problems.count == 1 && problems.first?.contains(expected) == true, "\(problems)")
    }

    @Test(
        "A mistake in a rule is named at its place, which is marked here",
        arguments: [
            ("when: '‸hots:b', block: reset", "there is no key hots; did you mean host:?"),
            ("when: host:b ‸lens:json, block: reset", "lens:json: the client and the lens"),
            ("when: '‸code:500', block: reset", "code:500: the response is not known yet"),
            ("block: ‸99", "'99' is no way to block"), ("block: ‸rset", "'rset' is no way to block"),
            ("respond: {status: ‸99}", "expected a whole number from 200 to 999"),
            ("response: {status: ‸204}", "a response with status 204 has no body"),
            ("respond: {status: 200}, ‸block: reset", "a rule answers once: 'respond' stands in it already"),
            ("respond: {file: ‸../a}", "'../a' leads out of its directory by '..'"),
            ("respond: {dir: ‸a/../../b}", "'a/../../b' leads out"),
            ("respond: {text: a, ‸json: 1}", "an answer has one body: 'text' stands in it already"),
            ("respond: {‸strip: /a}", "'strip' goes with 'dir'"),
            ("respond: {dir: a, missing: ‸never}", "expected upstream or 404"),
            ("respond: {‸txt: a}", "'txt' is no part of an answer; did you mean 'text'?"),
            ("respond: [{status: 500}, ‸{status: 200}]", "the answer above is given for ever"),
            ("respond: {text: ‸'${uid}'}", "a template has no value 'uid'; did you mean 'uuid'?"),
            ("request: {fields: {set: {‸'A B': c}}}", "'A B' is no name of a field"),
            ("request: {fields: {set: {‸Content-Length: 1}}}", "Content-Length says where a message ends"),
            ("response: {fields: {set: {‸Upgrade: h2c}}}", "Upgrade says where"),
            ("request: {fields: {remove: ‸[Host]}}", "Host cannot be taken away"),
            ("request: {fields: {set: {A: ‸\"b\\r\\nC: d\"}}}", "the value of A holds a line end"),
            ("request: {fields: {‸st: {A: b}}}", "'st' is no change of fields; did you mean 'set'?"),
            ("request: {‸status: 500}", "'status' is nothing that can be changed of a request"),
            ("request: ‸{}", "nothing is changed here"), ("request: {path: ‸a}", "expected a path that begins with /"),
            ("request: {path: ‸/a?b=1}", "a path has no query; 'target' has one"),
            ("send: {to: ‸ftp://a}", "'ftp://a' is no base URL"), ("send: ‸{}", "nothing is said of where"),
            ("send: ‸{keep-host: true}", "'keep-host' goes with 'to'"),
            ("send: {resolve: ‸[a.test]}", "'a.test' is no address"),
            ("send: {upstream-proxy: ‸a}", "'a' is no proxy; expected http://HOST:PORT"),
            ("‸message: {from: upstream}", "the action 'message' comes with a later version"),
            ("‸hold: {at: request}, block: reset", "the action 'hold' comes with a later version"),
            ("block: reset, times: ‸0", "expected a whole number from 1 to"),
            ("block: reset, chance: ‸2", "expected a share such as 20%"),
            ("block: reset, expires: ‸soon", "expected a time such as 30s"),
            ("block: reset, off: ‸'yes'", "expected true or false"),
            ("block: reset, tag: ‸a b", "\"a b\" cannot be a tag"),
        ]
    )
    func mistakes(rule: String, expected: String) {
        let text = "rules:\n- {name: a, \(rule)}\n"
        let column = text.split(separator: "\n").last?.prefix { $0 != "‸" }.count ?? 0
        let problems = Self.problems(text.replacing("‸", with: ""))
        let place = "rules.yaml:2:\(column + 1): "
        #expect(problems.count == 1 && problems.first?.hasPrefix(place + expected) == true, "\(problems)")
    }

    @Test("A mistake quotes no more of a text than its beginning", arguments: ["block: ", "\"", "when: 'foo:"])
    func longTexts(start: String) {
        let text = String(repeating: "\u{E9}", count: 100_000)
        let rest = start.hasPrefix("when") ? "'" : start == "\"" ? "\": 1" : ""
        let problems = Self.problems("rules:\n- name: a\n  \(start)\(text)\(rest)\n")
        #expect(problems.count > 0 && problems.allSatisfy { $0.utf8.count < 2_000 })
    }

    @Test("Every mistake of a file is named, in the order of its lines")
    func several() {
        let text = "rules:\n- {name: none, block: reset}\n- {name: a, block: x}\n- {name: b, blok: reset, tims: 1}\n"
        #expect(
            Self.problems(text).map { String($0.prefix { $0 != " " }) } == [
                "rules.yaml:2:10:", "rules.yaml:3:20:", "rules.yaml:4:13:", "rules.yaml:4:26:",
            ]
        )
    }

    @Test("Files are read in their order, those of a directory by their names, and a name stands in one of them")
    func files() throws {
        let directory = try TemporaryDirectory()
        let more = directory.file("more")
        try FileManager.default.createDirectory(atPath: more, withIntermediateDirectories: false)
        func rule(_ name: String) -> String { "rules:\n- {name: \(name), block: reset}\n" }
        let first = try directory.write(rule("z"), to: "z.yaml")
        _ = try directory.write(rule("b"), to: "more/b.yml")
        _ = try directory.write(rule("a"), to: "more/a.yaml")
        _ = try directory.write("no rules", to: "more/readme.txt")
        #expect(try RuleFiles.rules(at: [first, more]).map(\.name) == ["z", "a", "b"])
        let link = directory.file("link.yaml")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: first)
        #expect(try RuleFiles.rules(at: [link, more + "/b.yml", more, first]).map(\.name) == ["z", "b", "a"])
        let again = try directory.write(rule("a"), to: "again.yaml")
        #expect {
            try RuleFiles.rules(at: [more, again])
        } throws: { error in
            "\(error)" == "\(again):2:3: there is a rule 'a' at \(more)/a.yaml:2 already; names are unique"
        }
        #expect(throws: InputError.self) { try RuleFiles.rules(at: [first + ".none"]) }
    }

    @Test(
        "A hostile file is one line that says what is wrong",
        arguments: [
            "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
                + (0..<8).map { level in
                    let name = level == 0 ? "a" : "b\(level - 1)"
                    return "b\(level): &b\(level) [" + Array(repeating: "*\(name)", count: 10).joined(separator: ",")
                        + "]\n"
                }.joined() + "rules: *b7\n",
            "rules: " + String(repeating: "[", count: 5_000), "rules: " + String(repeating: "{a: ", count: 5_000),
            "rules:\n- {name: a, respond: {json: " + String(repeating: "[", count: 300)
                + String(repeating: "]", count: 300) + "}}",
            "rules:\n" + String(repeating: "- {}\n", count: 10_001), "rules: !!python/object:os.system x",
        ]
    )
    func hostile(text: String) {
        let problems = Self.problems(text)
        #expect(!problems.isEmpty && problems.allSatisfy { !$0.contains("\n") })
    }
}
