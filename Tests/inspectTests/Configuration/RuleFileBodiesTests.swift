import Foundation
import Support
import Testing
import Traffic

@testable import inspect

/// Edits of bodies in rules files are read whole, or refused with the place of what is wrong.
@Suite(.timeLimit(.minutes(15))) struct RuleFileBodiesTests {
    private static func problems(_ text: String, path: String = "rules.yaml") -> [String] {
        do {
            return try RuleFiles.read(text, path: path).problems.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    private static func warnings(_ rule: String) throws -> [String] {
        RuleWarning.all(in: try RuleFiles.read("rules:\n- {name: a, \(rule)}\n", path: "rules.yaml").rules).map(
            \.sentence
        )
    }

    @Test("Every edit of a body can be written")
    func whole() {
        let text = """
            rules:
            - name: guests
              when: path:/v2/users type:json
              response: {body: {json: {set: {"$.items[*].role": guest, "$.total": 0}, remove: ["$..ssn"]}}}
            - name: page
              when: type:html
              response:
                fields: {remove: [Content-Security-Policy], replace: {Server: {regex: 'v(\\d)', with: "${1}"}}}
                body:
                  replace:
                  - {find: "<title>", with: "<title>TEST "}
                  - {regex: '/v(\\d+)\\.js', with: "/v${1}.dev.js", first: true}
            - name: all
              request:
                body:
                  text: "${uuid}"
                  prepend: a
                  append: z
                  json:
                    insert: {"$.tags[0]": new}
                    merge: {a: null, b: {c: 1}}
                    patch: [{op: add, path: /a/-, value: {b: ["${now}"]}}, {op: move, from: /a, path: /b}, {op: test, path: "", value: null}]
            - name: form
              request: {body: {form: {set: {a: "1"}, add: {b: "${count}"}, remove: ["utm_*"]}}}
            """
        #expect(Self.problems(text) == [])
    }

    @Test(
        "A mistake in an edit of a body is named at its place, which is marked here",
        arguments: [
            ("request: {body: ‸{}}", "nothing is changed here"), ("request: {body: ‸text}", "expected what is changed"),
            ("request: {body: {‸jsn: {}}}", "'jsn' is no change of a body; did you mean 'json'?"),
            ("request: {body: {text: a, ‸file: b}}", "a body has one content"),
            ("request: {body: {json: {remove: $.a}, ‸form: {remove: a}}}", "a body is JSON or a form"),
            ("request: {body: {file: ‸../a}}", "'../a' leads out"),
            ("request: {body: {file: ‸/no/such/file}}", "the file /no/such/file cannot be read"),
            ("request: {body: {text: '‸x${uid}'}}", "a template has no value 'uid'"),
            ("request: {body: {replace: ‸{find: a}}}", "a replacement has 'find' or 'regex', and 'with'"),
            (
                "request: {body: {replace: {find: a, ‸regex: b, with: c}}}",
                "a replacement has 'find' or 'regex', not both"
            ),
            (
                "request: {body: {replace: [{find: a, with: b}, {‸fnd: a, with: b}]}}",
                "'fnd' is no part of a replacement; did you mean 'find'?"
            ),
            ("request: {body: {replace: {regex: a‸(b, with: c}}}", "this ( is never closed"),
            ("request: {body: {replace: {regex: 'ab‸(?=b)', with: c}}}", "looking ahead or behind is not supported"),
            (
                "request: {body: {replace: {regex: a, with: ‸\"${1}\"}}}",
                "${1} stands for a group, and the regular expression has 0"
            ),
            (
                "request: {body: {replace: {find: a, with: ‸\"${1}\"}}}",
                "${1} stands for a group of a regular expression, and there is none here"
            ),
            ("request: {body: {replace: {find: ‸'', with: a}}}", "expected the text to find"),
            ("request: {body: {json: ‸{}}}", "nothing is changed here"),
            ("request: {body: {json: {‸sett: {}}}}", "'sett' is no change of JSON; did you mean 'set'?"),
            ("request: {body: {json: {set: {‸a.b: 1}}}}", "expected a path such as $.user.name"),
            ("request: {body: {json: {remove: [$.a, ‸$]}}}", "'$' is the whole body"),
            ("request: {body: {json: {insert: ‸{\"$.a[*]\": 1}}}}", "'$.a[*]' names no place to insert at"),
            ("request: {body: {json: {patch: ‸[]}}}", "expected a list of operations"),
            ("request: {body: {json: {patch: [{op: ‸put, path: /a}]}}}", "'put' is no operation of a patch"),
            ("request: {body: {json: {patch: [‸{op: add, path: /a}]}}}", "'add' needs 'value'"),
            ("request: {body: {json: {patch: [‸{op: move, path: /a}]}}}", "'move' needs 'from'"),
            (
                "request: {body: {json: {patch: [‸{op: move, from: /a, path: /a/b}]}}}",
                "a value cannot be moved into itself"
            ),
            ("request: {body: {json: {patch: [{op: remove, path: ‸a}]}}}", "expected a place such as /items/0/name"),
            ("request: {body: {json: {patch: [{op: remove, path: ‸/~2}]}}}", "expected a place such as /items/0/name"),
            ("request: {body: {form: {‸put: {}}}}", "'put' is no change of a form"),
            ("request: {fields: {replace: {A: {regex: ‸'*', with: b}}}}", "there is nothing here to repeat"),
        ]
    )
    func mistakes(rule: String, expected: String) {
        let text = "rules:\n- {name: a, \(rule)}\n"
        let problems = Self.problems(text.replacing("‸", with: ""))
        #expect(problems.count == 1 && problems.first?.contains(expected) == true, "\(problems)")
        let column = text.split(separator: "\n").last?.prefix { $0 != "‸" }.count ?? 0
        let isQuoted = expected.hasPrefix("looking") || expected.hasPrefix("a template")
        let places = isQuoted ? [column, column + 1, column + 2, column + 3] : [column + 1, column + 2]
        #expect(places.contains { problems.first?.hasPrefix("rules.yaml:2:\($0): ") == true }, "\(problems)")
    }

    @Test("A pattern of more than 1,000 characters is refused")
    func long() {
        let pattern = String(repeating: "a", count: 1_001)
        let problems = Self.problems("rules: [{name: a, request: {body: {replace: {regex: \(pattern), with: b}}}}]")
        #expect(problems.count == 1 && problems.first?.contains("a pattern has at most 1000 characters") == true)
    }

    @Test("A file in a body's place is read with the rules, up to 8 MiB")
    func file() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("from a file", to: "a.txt")
        let path = try directory.write("rules: [{name: a, response: {body: {file: a.txt}}}]", to: "rules.yaml")
        guard case .response(let edit)? = try RuleFiles.rules(at: [path]).first?.actions.first,
            case .file(let name, let bytes)? = edit.body.content
        else {
            Issue.record("no file")
            return
        }
        #expect(name == directory.file("a.txt") && bytes == Array("from a file".utf8))
        _ = try directory.write(String(repeating: "a", count: 8 << 20 | 1), to: "a.txt")
        #expect(throws: RuleFiles.Refusal.self) { try RuleFiles.rules(at: [path]) }
    }

    @Test("A pattern that matches the empty text is warned of, and a text that is replaced by itself")
    func warnings() throws {
        #expect(
            try Self.warnings("response: {body: {replace: {regex: 'x*', with: y}}}").first?.contains(
                "matches the empty text"
            ) == true
        )
        #expect(try Self.warnings("request: {fields: {replace: {A: {regex: 'x*', with: y}}}}").count == 1)
        #expect(
            try Self.warnings("response: {body: {replace: {find: a, with: a}}}").first?.contains("by itself") == true
        )
        #expect(try Self.warnings("response: {body: {replace: [{regex: 'x+', with: y}, {find: a, with: b}]}}") == [])
    }
}
