import Foundation
import Support
import Testing
import Traffic

@Suite("inspect check", .timeLimit(.minutes(15)))
struct CheckCommandTests {
    private static let document = #"""
        {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://api.example.test"}],
         "paths": {"/items": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {
          "schema": {"type": "array", "items": {"type": "integer"}}}}}}}}}}
        """#

    private static let yaml = """
        openapi: 3.0.3
        info: {title: T, version: '1'}
        x-shared: &list
          type: array
          items:
            type: integer
        paths:
          /items:
            get:
              responses:
                200:
                  description: yes
                  content:
                    application/json:
                      schema: *list
        """

    /// One that keeps to the documents, one that does not (whose target would colour a terminal), one with a parameter that they do not name.
    private static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        let json = "Content-Type: application/json\r\n"
        try await store.record(Sample(1, "GET", "/items", fields: json, responseBody: Array("[1]".utf8)))
        try await store.record(
            Sample(2, "GET", "/items?\u{1B}[31m", fields: json, responseBody: Array(#"[1, "<two>", "three"]"#.utf8))
        )
        try await store.record(Sample(3, "GET", "/items?page=2", fields: json, responseBody: Array("[]".utf8)))
        try Data(document.utf8).write(to: URL(filePath: store.file("api.json")))
        try Data(yaml.utf8).write(to: URL(filePath: store.file("api.yaml")))
        return store
    }

    @Test(
        "What breaks a document is listed by rule with exchange, pointer and place, and is status 1",
        arguments: ["api.json", "api.yaml"]
    )
    func breach(file: String) async throws {
        let store = try await Self.store()
        let run = try await store.inspect("check", "--openapi", store.file(file), "--limit", "1")
        #expect(run.status == 1 && run.errors.isEmpty, "\(run.errors)")
        #expect(
            run.output.contains("BREACH  OA-schema  values are as their schema says  (2 in 1 exchange)\n"),
            "\(run.output)"
        )
        #expect(run.output.contains("  2  GET https://api.example.test/items?\\e[31m\n"), "\(run.output)")
        #expect(
            run.output.contains(#"      /1 is "<two>"; expected integer (#/"#) && run.output.contains("  and 1 more\n")
        )
        #expect(run.output.contains("notice  OA-unknown  query parameters are the document's  (2 in 2 exchanges)\n"))
        #expect(
            run.output.hasSuffix("2 breaches of 1 rule; findings in 2 of 3 exchanges checked\n"),
            "\(run.output)"
        )
    }

    @Test("A breach fails as well where nobody reads of it", arguments: [[], ["--json"]])
    func unread(more: [String]) async throws {
        let store = try await Self.store()
        let ran = try await UnreadOutput.run(
            ["check", "--openapi", store.file("api.json"), "--store", store.path] + more
        )
        #expect(ran.output == "1\n" && ran.errors.isEmpty, "\(ran)")
    }

    @Test("What keeps to it is status 0; a notice fails with --strict only")
    func outcomes() async throws {
        let store = try await Self.store()
        let file = store.file("api.json")
        let good = try await store.inspect("check", "1", "--openapi", file, "--strict")
        #expect(good.status == 0 && good.output.hasSuffix("1 exchange checked, no rule is broken\n"), "\(good.output)")
        #expect(try await store.inspect("check", "1", "3", "--openapi", file).status == 0)
        #expect(try await store.inspect("check", "1", "3", "--openapi", file, "--strict").status == 1)
        #expect(try await store.inspect("check", "--openapi", file, "--rule", "oa-path,OA-status").status == 0)
        #expect(try await store.inspect("check", "path:/nowhere").output.hasSuffix("no exchange to check\n"))
    }

    @Test("JSON has the rules with their findings, JUnit a test case a rule")
    func reports() async throws {
        let store = try await Self.store()
        let report = store.file("report.xml")
        let run = try await store.inspect("check", "--openapi", store.file("api.json"), "--json", "--junit", report)
        let root = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        #expect(run.status == 1 && root["holds"] as? Bool == false && root["exchanges"] as? Int == 3)
        let rules = try #require(root["rules"] as? [[String: Any]])
        #expect(rules.map { $0["rule"] as? String } == ["OA-schema", "OA-unknown"])
        let findings = try #require(rules.first?["findings"] as? [[String: Any]])
        #expect(
            findings.map { $0["pointer"] as? String } == ["/1", "/2"]
                && findings.allSatisfy { $0["exchange"] as? Int == 2 }
        )
        let read = try await CommandLineTool.run(
            "python3",
            [
                "-c",
                """
                import sys, xml.etree.ElementTree as tree
                suite = tree.parse(sys.argv[1]).getroot()
                print(suite.get("tests"), suite.get("failures"))
                for case in suite:
                    if case.find("failure") is not None: print(case.get("name"), case.find("failure").text.split()[0])
                """, report,
            ]
        )
        #expect(read.output == "10 1\nOA-schema values are as their schema says 2\n", "\(read.errors)")
    }

    @Test(
        "A mistake is one line and status 2",
        arguments: [
            (["99"], "no exchange 99 in the store"), (["--rule", "OA-schemas"], "did you mean OA-schema?"),
            (["--openapi", "FOLDER/none.json"], "cannot read"),
            (["--openapi", "FOLDER/bad.yaml"], "bad.yaml is no YAML: "),
            (["--openapi", "FOLDER/bad.json"], "bad.json is no JSON at its byte 1"),
            (["--openapi", "FOLDER/list.yaml"], "list.yaml: expected an OpenAPI document"),
            (["--any-host"], "--any-host goes with --openapi FILE"),
        ]
    )
    func mistakes(arguments: [String], sentence: String) async throws {
        let store = try await Self.store()
        for (name, text) in [("bad.yaml", "a: [b"), ("bad.json", "{,"), ("list.yaml", "- a\n- b\n")] {
            try Data(text.utf8).write(to: URL(filePath: store.file(name)))
        }
        let arguments = arguments.map { $0.replacing("FOLDER/", with: store.file("")) }
        let run = try await CommandLineTool.run(
            try Executable.inspect(),
            ["check"] + arguments + ["--store", store.path]
        )
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(sentence), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }

    @Test("A body that is beyond the limit is said to be unchecked, and no finding is made of it")
    func unchecked() async throws {
        let store = try CapturedStore()
        var sample = Sample(
            1,
            "GET",
            "/items",
            fields: "Content-Type: application/json\r\n",
            responseBody: Array("[".utf8)
        )
        sample.exchange.response?.body.length = 70 << 20
        try await store.record(sample)
        try Data(Self.document.utf8).write(to: URL(filePath: store.file("api.json")))
        let run = try await store.inspect("check", "--openapi", store.file("api.json"))
        #expect(
            run.status == 0
                && run.output.contains("not checked\n  the response's body is not whole: Only the first 1 of"),
            "\(run.output)"
        )
    }
}
