import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct CKANCheckTests {
    private static func broken(_ capture: Capture) -> [String] {
        CKANLens().findings(capture).map { $0.rule + ($0.pointer.isEmpty ? "" : " " + $0.pointer) }
    }

    @Test("What is as it should be breaks nothing")
    func clean() {
        let calls = [
            ("package_show?id=cycling-network", PortalCapture.package()),
            ("package_search?facet.field=[\"topics\"]", PortalCapture.found([PortalCapture.package()])),
            ("recently_changed_packages_activity_list?limit=30", PortalCapture.changes(0..<2)), ("tag_list?", "[]"),
            ("help_show?name=x", "\"x\""), ("package_list?", #"["a"]"#),
            (
                "datastore_search?id=r",
                #"{"fields":[{"id":"a","type":"int"}],"records":[{"a":1}],"total":1,"limit":100}"#
            ),
        ]
        for (call, result) in calls { #expect(Self.broken(PortalCapture.of(call, result: result)) == [], "\(call)") }
        // Rows may be asked for as a text, or without the names of their fields.
        for (format, records) in [("csv", #""1\n""#), ("lists", "[[1]]")] {
            let result = #"{"fields":[{"id":"a","type":"int"}],"records":\#(records),"total":1}"#
            let call = "datastore_search?id=r&records_format=\(format)"
            #expect(Self.broken(PortalCapture.of(call, result: result)) == [], "\(format)")
        }
        #expect(Self.broken(PortalCapture.of("tag_list?", code: 304)) == [])
        #expect(Self.broken(PortalCapture.of("tag_list?", code: 200, method: "HEAD")) == [])
    }

    @Test(
        "Each rule about a dataset is broken where the dataset breaks it",
        arguments: [
            (["name": "null"], "CK-5 /result"), (["title": "\" \""], "CK-5 /result"),
            (["last_refreshed": "\"yesterday\""], "CK-6 /result/last_refreshed"),
            (["metadata_created": "\"2019-07-23T16:59:49\""], "CK-6 /result/metadata_created"),
            (["metadata_modified": "\"2026-09-14T19:14:43.338Z\""], "CK-6 /result/metadata_modified"),
            (["metadata_modified": "17"], "CK-6 /result/metadata_modified"),
            (["formats": "[]"], "CK-7 /result/formats"),
            (["license_id": "null", "license_title": "null"], "CK-9 /result/license_id"),
            (["is_retired": "true"], "CK-10 /result/is_retired"),
            (["refresh_rate": "\"Daily\""], "CK-11 /result/last_refreshed"),
            (["refresh_rate": "\"Sometimes\""], "CK-12 /result/refresh_rate"),
            (["num_resources": "2"], "CK-13 /result/num_resources"), (["num_tags": "0"], "CK-13 /result/num_tags"),
            (["topics": "\"Health,Business\""], "CK-19 /result/topics"),
            (["is_retired": "\"false\""], "CK-19 /result/is_retired"),
            (["resources": #"[{"id":"r","format":"CSV"}]"#], "CK-8 /result/resources/0/url"),
            (["resources": #"[{"id":"r","url":"ftp://x/y"}]"#], "CK-8 /result/resources/0/url"),
            (
                ["resources": #"[{"id":"r","url":"http://x/y","created":"x"}]"#], "CK-6 /result/resources/0/created"
            ),
        ] as [([String: String], String)]
    )
    func datasets(changes: [String: String], expected: String) {
        let capture = PortalCapture.of("package_show?id=x", result: PortalCapture.package(changes))
        #expect(Self.broken(capture) == [expected])
    }

    @Test(
        "The app reads dates with a fraction of one to six digits and no zone, and no others",
        arguments: [
            ("2026-09-14T19:14:43.1", true), ("2026-09-14T19:14:43.123456", true),
            ("2026-09-14T19:14:43.1234567", false), ("2026-09-14T19:14:43.", false), ("2026-09-14T19:14:43", false),
            ("2026-09-14 19:14:43.1", false), ("2026-09-14t19:14:43.1", false), ("2026-09-14T19:14:43,1", false),
            ("2026-09-14T19:14:43.1+00:00", false), ("2026-09-14T19:14:43.1Z", false), ("2026-09-14", false),
            ("2026-09-14T19:14:43.1\u{661}", false), ("2026-09-14T19:14:43.1\u{301}", false),
        ]
    )
    func dates(date: String, isRead: Bool) {
        let package = PortalCapture.package(["metadata_modified": "\"\(date)\""])
        let broken = Self.broken(PortalCapture.of("package_show?id=x", result: package))
        #expect(broken == (isRead ? [] : ["CK-6 /result/metadata_modified"]))
    }

    @Test(
        "Each rule about an answer is broken where the answer breaks it",
        arguments: [
            ("tag_list?", 200, "", ["CK-1"]), ("tag_list?", 200, "[]", ["CK-1"]),
            ("tag_list?", 200, "{\"a\"", ["CK-1"]),
            ("tag_list?", 200, "<html></html>", ["CK-1"]),
            ("tag_list?", 200, #"{"success":true,"result":[]}"#, ["CK-1 /help"]),
            ("tag_list?", 404, PortalCapture.envelope("[]"), ["CK-2 /success"]),
            ("tag_list?", 404, PortalCapture.refusal("{}"), ["CK-3 /error", "CK-21 /error"]),
            (
                "tag_list?", 400, PortalCapture.refusal(#"{"__type":"Not Found Error"}"#),
                ["CK-3 /error/__type", "CK-21 /error"]
            ),
            ("tag_list?", 200, PortalCapture.envelope("{}"), ["CK-4 /result"]),
            ("tag_list?", 200, PortalCapture.envelope("[1]"), ["CK-4 /result/0"]),
            ("help_show", 200, PortalCapture.envelope("[]"), ["CK-4 /result"]),
            ("package_show", 200, PortalCapture.envelope("\"x\""), ["CK-4 /result"]),
            ("package_search", 200, PortalCapture.envelope("{}"), ["CK-4 /result"]),
            (
                "package_search", 200, PortalCapture.envelope(PortalCapture.found([], count: 4)),
                ["CK-14 /result/results"]
            ),
            (
                "package_search?rows=1", 200,
                PortalCapture.envelope(
                    PortalCapture.found([PortalCapture.package(named: "a"), PortalCapture.package(named: "b")])
                ),
                ["CK-14 /result/results"]
            ),
            (
                "package_search", 200, PortalCapture.envelope(PortalCapture.found([PortalCapture.package()], count: 0)),
                ["CK-14 /result/count"]
            ),
            (
                "package_search", 200,
                PortalCapture.envelope(
                    """
                    {"count":0,"results":[],"facets":{"a/b":{"x":1}},"search_facets":{"a/b":{"items":[{"name":"x","count":2}]}}}
                    """
                ),
                ["CK-15 /result/facets/a~1b/x"]
            ),
            (
                "datastore_search?id=r", 200,
                PortalCapture.envelope(#"{"fields":[{"id":"a"}],"records":[{"a":1,"b":2},7],"total":1,"limit":1}"#),
                [
                    "CK-16 /result/records", "CK-16 /result/total", "CK-16 /result/records/0/b",
                    "CK-16 /result/records/1",
                ]
            ),
            (
                "recently_changed_packages_activity_list?limit=1", 200,
                PortalCapture.envelope(PortalCapture.changes(0..<2)),
                ["CK-17 /result"]
            ),
            (
                "package_activity_list?id=x", 200,
                PortalCapture.envelope(
                    #"[{"id":"1","timestamp":"2026-01-01T00:00:00.1","object_id":"o"},{"id":"1","timestamp":"2026-01-02T00:00:00.1"}]"#
                ),
                [
                    "CK-18 /result/0/data", "CK-17 /result/1/id", "CK-18 /result/1", "CK-18 /result/1/data",
                    "CK-17 /result/1/timestamp",
                ]
            ),
            ("tag_list?", 500, "<html></html>", ["CK-20"]), ("tag_list?", 429, "", ["CK-20"]),
            ("x", 400, #""Bad request: Action name not known: x""#, ["CK-21"]),
            (
                "package_search?rows=-1", 409,
                PortalCapture.refusal(#"{"rows":["Must be a natural number"],"__type":"Validation Error"}"#),
                ["CK-21 /error/rows"]
            ),
            (
                "package_show?id=x", 403, PortalCapture.refusal(#"{"__type":"Authorization Error","message":"no"}"#),
                ["CK-21 /error"]
            ),
        ] as [(String, Int, String, [String])]
    )
    func answers(call: String, code: Int, body: String, expected: [String]) {
        #expect(Self.broken(PortalCapture.of(call, code: code, body: body)) == expected)
    }

    @Test(
        "The app's known bugs are named by their captures",
        arguments: [
            (
                "package_search?fq=tags:x+metadata_modified%20desc", 200,
                PortalCapture.envelope(PortalCapture.found([])), "CK-C1"
            ),
            ("package_search?fq=tags:bike%20lane", 200, PortalCapture.envelope(PortalCapture.found([])), "CK-C2"),
            (
                "datastore_search?id=r", 200,
                PortalCapture.envelope(
                    #"{"fields":[{"id":"geometry"}],"total":2,"records":[{"geometry":null},{"geometry":{"type":"MultiPoint","coordinates":[[1,2]]}}]}"#
                ),
                "CK-C3 /result/records/1/geometry"
            ),
            (
                "package_activity_list?id=Street%20Trees", 200, PortalCapture.envelope("[]"), "CK-C4"
            ),
            (
                "package_search", 200,
                PortalCapture.envelope(
                    PortalCapture.found([
                        PortalCapture.package(named: "a", ["title": "\"Same\""]),
                        PortalCapture.package(named: "b", ["title": "\"Same\""]),
                    ])
                ),
                "CK-C4 /result/results/1/title"
            ),
            (
                "package_show?id=x", 200, PortalCapture.refusal(#"{"__type":"Not Found Error","message":"Not found"}"#),
                "CK-C5 /success"
            ),
            ("package_show?id=gone", 404, "<html><title>404</title></html>", "CK-C6"),
            (
                "recently_changed_packages_activity_list?limit=30", 400, #""Bad request: Action name not known""#,
                "CK-C8"
            ),
            ("recently_changed_packages_activity_list?limit=30", 404, "<html></html>", "CK-C8"),
        ]
    )
    func bugs(call: String, code: Int, body: String, expected: String) {
        #expect(Self.broken(PortalCapture.of(call, code: code, body: body)) == [expected])
    }

    @Test(
        "A file of a resource, or a page of the portal's host, is no answer to a call",
        arguments: ["/datastore/dump/71fdb11f", "/dataset/abbe5ee3/resource/71fdb11f/download/rinks.csv", "/"]
    )
    func files(target: String) {
        for (code, body) in [(200, "id,name\n1,Rink\n"), (200, "<html></html>"), (200, ""), (404, "<html></html>")] {
            let capture = PortalCapture.of(target, code: code, body: body, type: "text/csv")
            #expect(Self.broken(capture).isEmpty)
            let view = CKANLens().view(capture)
            #expect(view.failure == nil && view.response == "\(code), no answer to a call")
            #expect(view.sections.map(\.title) == ["Request"])
        }
    }

    @Test("Many facets are held to each other in no time to speak of")
    func manyFacets() {
        func fields(_ value: String) -> String { (0..<100_000).map { "\"f\($0)\":\(value)" }.joined(separator: ",") }
        let facets = #""facets":{\#(fields(#"{"x":1}"#))},"search_facets":{\#(fields(#"{"items":[]}"#))}"#
        let result = #"{"count":0,"results":[],\#(facets)}"#
        let findings = CKANLens().findings(PortalCapture.of("package_search", result: result))
        #expect(findings.count == 10 && findings.last?.message.hasSuffix("; and 99990 more like it") == true)
    }

    @Test("Findings of one rule are cut off, and counted")
    func many() {
        let packages = (0..<30).map { PortalCapture.package(named: "set-\($0)", ["formats": "[]"]) }
        let result = PortalCapture.found(packages)
        let findings = CKANLens().findings(PortalCapture.of("package_search?rows=30", result: result))
        #expect(findings.count == 10 && findings.last?.more == 20)
        #expect(findings.last?.message.hasSuffix("; and 20 more like it") == true)
    }

    @Test("Every rule has an id of its own that begins with CK-, and a consequence")
    func rules() {
        let rules = CKANLens().rules + NoticesLens().rules.filter { $0.id != "CK-20" }
        #expect(Set(rules.map(\.id)).count == rules.count)
        for rule in rules {
            #expect(rule.id.hasPrefix("CK-"))
            #expect(!rule.consequence.isEmpty && !rule.title.isEmpty)
        }
        #expect((1...8).allSatisfy { number in rules.contains { $0.id == "CK-C\(number)" } })
    }
}
