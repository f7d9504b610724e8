import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Store
import Testing
import Traffic
import Yams

@testable import Web

@Suite("The API is as its document says", .timeLimit(.minutes(15)))
struct OpenAPITests {
    /// A JSON document and what it says of an answer's shape.
    private struct Document {
        let root: [String: Any]

        init(_ bytes: [UInt8]) throws {
            root = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        }

        var operations: Set<String> {
            let paths = root["paths"] as? [String: [String: Any]] ?? [:]
            return Set(paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } })
        }

        /// The shape of the answer to a request.
        func answer(_ method: String, _ path: String) throws -> [String: Any] {
            var place: Any = root
            for name in ["paths", path, method, "responses", "200", "content", "application/json", "schema"] {
                place = try #require((place as? [String: Any])?[name], "\(method) \(path): \(name)")
            }
            return try #require(place as? [String: Any])
        }

        /// What of a value is not of a shape, as places in it.
        func faults(of value: Any, as schema: [String: Any], at place: String = "") -> [String] {
            if let reference = schema["$ref"] as? String, let name = reference.split(separator: "/").last {
                let schemas = (root["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]]
                return faults(of: value, as: schemas?[String(name)] ?? ["type": "missing"], at: place)
            }
            if let parts = schema["allOf"] as? [[String: Any]] {
                return parts.flatMap { faults(of: value, as: $0, at: place) }
            }
            let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
            guard types.isEmpty || types.contains(where: { Self.isOf($0, value) }) else {
                return ["\(place) is no \(types)"]
            }
            if let words = schema["enum"] as? [Any] {
                let isOne = words.contains { $0 is NSNull ? value is NSNull : $0 as? String == value as? String }
                guard isOne else { return [place] }
            }
            var found: [String] = []
            if let object = value as? [String: Any] {
                for name in schema["required"] as? [String] ?? [] where object[name] == nil {
                    found.append("\(place).\(name)")
                }
                for (name, shape) in schema["properties"] as? [String: [String: Any]] ?? [:] {
                    if let member = object[name] { found += faults(of: member, as: shape, at: "\(place).\(name)") }
                }
            }
            if let elements = value as? [Any], let shape = schema["items"] as? [String: Any] {
                for element in elements { found += faults(of: element, as: shape, at: "\(place)[]") }
            }
            return found
        }

        private static func isOf(_ type: String, _ value: Any) -> Bool {
            switch type {
            case "object": return value is [String: Any]
            case "array": return value is [Any]
            case "string": return value is String
            case "null": return value is NSNull
            case "boolean": return value is Bool
            case "integer": return value is Int
            case "number": return value is Double
            default: return false
            }
        }
    }

    @Test("It names every address of the API and no other")
    func isComplete() async throws {
        try await RunningPage.with { page in
            let reply = try await page.get("/api/v1/openapi.json")
            #expect(reply.status == 200 && reply["content-type"] == "application/json")
            let server = WebServer(
                configuration: WebConfiguration(token: page.token),
                store: page.store,
                control: ReplayRecorder(),
                information: CurrentInformation(
                    InstanceInformation(version: "", proxy: "", caFile: "", caFingerprint: "")
                ),
                logger: Logger(label: "page")
            )
            let routes = server.routes().routes.filter { $0.method != .head && "\($0.path)".hasPrefix("/api/") }
            #expect(routes.count >= 18)
            #expect(try Document(reply.body).operations == Set(routes.map { "\($0.method.rawValue) \($0.path)" }))
        }
    }

    @Test("The document that is written as YAML and the one that is sent as JSON say the same")
    func isOneDocument() async throws {
        try await RunningPage.with { page in
            let yaml = try await page.get("/api/v1/openapi.yaml")
            #expect(yaml.status == 200 && yaml["content-type"] == "application/yaml")
            let written = try #require(try Yams.load(yaml: yaml.text) as? [String: Any])
            let sent = try await page.get("/api/v1/openapi.json").object()
            #expect(NSDictionary(dictionary: written).isEqual(to: sent))
        }
    }

    @Test(
        "A text of YAML is the JSON that says the same, in its order",
        arguments: [
            ("b: 1\na: [true, false, null, ~, -2, 0.5]", #"{"b":1,"a":[true,false,null,null,-2,0.5]}"#),
            ("a: \"1\"\nb: 'true'\nc: no", #"{"a":"1","b":"true","c":"no"}"#),
            ("d: 2026-11-20\ne: 3.1.0", #"{"d":"2026-11-20","e":"3.1.0"}"#),
            ("a: {$ref: \"#/b\"}\nb: {}\nc: []", ##"{"a":{"$ref":"#/b"},"b":{},"c":[]}"##),
            ("200: \u{E9} / \\", "{\"200\":\"\u{E9} / \\\\\"}"),
            ("a: >-\n  one\n  two\nb:\nc: |\n  x\n", #"{"a":"one two","b":null,"c":"x\n"}"#),
            ("-inf", #""-inf""#), ("a: infinity", #"{"a":"infinity"}"#),
            ("a: True\nb: NULL", #"{"a":true,"b":null}"#), ("a: 0o17\nb: 0x1F", #"{"a":15,"b":31}"#),
            ("a: 1e999\nb: -.1e999", #"{"a":"1e999","b":"-.1e999"}"#),
            ("a: 9007199254740991\nb: -1234567890.1234567", #"{"a":9007199254740991,"b":-1234567890.1234567}"#),
            ("a: &a {b: 1, c: 2}\nd: {<<: *a, c: 3}", #"{"a":{"b":1,"c":2},"d":{"b":1,"c":3}}"#),
            ("a: &a {b: 1}\nd: {z: 0, <<: *a}", #"{"a":{"b":1},"d":{"b":1,"z":0}}"#),
        ]
    )
    func json(_ yaml: String, _ json: String) throws {
        #expect(try APIDescription.json(of: yaml) == json)
    }

    @Test("What the description does not need has no JSON", arguments: ["", "? [a]\n: b", "a: [", "a: *b"])
    func noJSON(_ yaml: String) {
        #expect(throws: (any Error).self) { try APIDescription.json(of: yaml) }
    }

    @Test("A text of YAML whose values are too deep, or too many by their aliases, has no JSON")
    func bounds() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let deepest = try APIDescription.json(of: nested(201))
        #expect(deepest == nested(201))
        #expect(throws: (any Error).self) { try APIDescription.json(of: nested(202)) }
        // Three lists of twenty, each of the one before: the last holds 8,421 values, and such a short text may hold 3,000.
        let ones = [String](repeating: "1", count: 20).joined(separator: ",")
        let lists = ["*a", "*b"].map { [String](repeating: $0, count: 20).joined(separator: ",") }
        let many = "a: &a [\(ones)]\nb: &b [\(lists[0])]\nc: [\(lists[1])]"
        #expect(throws: (any Error).self) { try APIDescription.json(of: many) }
        // A text counts as often as it is named: all together is more than two hundred times as long as the document.
        let long = String(repeating: "1", count: 10_000)
        for name in ["\(long)", "\"\(long)\"", "{? \(long) : 0}"] {
            let named = [String](repeating: "*a", count: 300).joined(separator: ",")
            #expect(throws: (any Error).self) { try APIDescription.json(of: "a: &a \(name)\nb: [\(named)]") }
        }
    }

    @Test("What is told of rules, and of a check that says how far it is, has the members and the types that it says")
    func rulesConform() async throws {
        var off = try HeldRules.block("off", when: "host:a.test")
        (off.isOff, off.group, off.limits.expires, off.limits.times) = (true, "some", 1_000_000, 3)
        let rules = HeldRules([try HeldRules.block("on"), off])
        try rules.judge(Recorded.exchange())
        try await RunningPage.with(control: ReplayRecorder(), rules: rules, bench: .told) { page in
            let document = try Document(await page.get("/api/v1/openapi.json").body)
            try await page.store.record(Recorded.exchange())
            for (path, described) in [
                ("rules", "rules"), ("rules?limit=1", "rules"), ("exchanges/1/rule", "exchanges/{id}/rule"),
            ] {
                let schema = try document.answer("get", "/api/v1/\(described)")
                #expect(
                    document.faults(of: try await page.get("/api/v1/\(path)").object(), as: schema) == [],
                    "\(path)"
                )
            }
            for (path, body) in [
                ("rules", #"{"names": ["off"], "on": true}"#), ("rules/try", #"{"names": ["off"]}"#),
                ("rules/try", #"{"yaml": "rules: []"}"#), ("rules/try", #"{"yaml": "wrong"}"#),
            ] {
                let schema = try document.answer("post", "/api/v1/\(path)")
                let told = try await page.post("/api/v1/\(path)", body).object()
                #expect(document.faults(of: told, as: schema) == [], "\(body)")
            }
            let lines = try await page.get("/api/v1/check?progress=true").text.split(separator: "\n")
            #expect(lines.count > 1)
            for (place, line) in lines.enumerated() {
                let shape = place == lines.count - 1 ? "Check" : "CheckProgress"
                let told = try JSONSerialization.jsonObject(with: Data(line.utf8))
                #expect(document.faults(of: told, as: ["$ref": "#/components/schemas/\(shape)"]) == [], "\(line)")
            }
        }
    }

    @Test("Every key of a filter is a parameter of the list and of what is asked with a filter")
    func names() async throws {
        try await RunningPage.with { page in
            let document = try Document(await page.get("/api/v1/openapi.json").body)
            let paths = document.root["paths"] as? [String: [String: [String: Any]]] ?? [:]
            let wanted = Set(["q", "since", "before"] + Facet.all.map(\.name))
            for (path, method) in [
                ("exchanges", "get"), ("search", "get"), ("overview", "get"), ("stats", "get"), ("check", "get"),
                ("export", "get"), ("clear", "post"), ("events", "get"), ("rules/try", "post"),
                ("places/{place}", "get"),
            ] {
                let parameters = paths["/api/v1/\(path)"]?[method]?["parameters"] as? [[String: Any]] ?? []
                let names = parameters.compactMap { parameter in
                    parameter["name"] as? String
                        ?? (parameter["$ref"] as? String)?.split(separator: "/").last.map(String.init)
                }
                #expect(Set(names).isSuperset(of: wanted) && Set(names).count == names.count, "\(path): \(names)")
            }
        }
    }

    @Test("Answers have the members and the types that it says")
    func conforms() async throws {
        try await RunningPage.with { page in
            let document = try Document(await page.get("/api/v1/openapi.json").body)
            try await page.store.record(Recorded.exchange(code: 500, length: 2), response: Array("{}".utf8))
            try await page.store.record(Recorded.refused(offset: 10))
            try page.store.mark([1], .tags(["slow"]))
            try page.store.save(SavedSearch(name: "bad", query: "code:5xx"))
            for path in [
                "exchanges", "saved", "store?check=true", "instance", "complete?q=code:",
                "filter?q=-code:404&method=GET", "filter?q=code:", "filter/keys",
                "exchanges", "search", "overview?slots=10", "saved", "store?check=true", "instance", "recording",
                "stats",
                "check", "diff?left=1&right=2", "complete?q=code:",
            ] {
                let reply = try await page.get("/api/v1/\(path)")
                let schema = try document.answer("get", "/api/v1/\(path.prefix { $0 != "?" })")
                #expect(document.faults(of: try reply.object(), as: schema) == [], "\(path)")
            }
            let shown = try await page.get("/api/v1/exchanges/1").object()
            #expect(document.faults(of: shown, as: try document.answer("get", "/api/v1/exchanges/{id}")) == [])
            let callSite = Array(#"{"jsonrpc": "2.0", "method": "add", "id": 1}"#.utf8)
            var call = Recorded.exchange(method: "POST", length: 2)
            call.request.body = Body(length: Int64(callSite.count), kept: Int64(callSite.count), sha256: [1])
            let id = try await page.store.record(call, request: callSite, response: Array("{}".utf8))
            for part in ["decoded", "findings"] {
                let reply = try await page.get("/api/v1/exchanges/\(id)/\(part)")
                let schema = try document.answer("get", "/api/v1/exchanges/{id}/\(part)")
                #expect(reply.status == 200)
                #expect(document.faults(of: try reply.object(), as: schema) == [], "\(part)")
            }
            let refused = try await page.get("/api/v1/exchanges?q=codes:4").object()
            #expect(document.faults(of: refused, as: ["$ref": "#/components/schemas/Error"]) == [])
            let fields = [("Authorization", "Bearer \(page.token)"), ("Content-Type", "application/json")]
            for path in ["compact", "clear?q=code:500", "passes"] {
                let reply = try await page.ask("POST", "/api/v1/\(path)", fields: fields)
                let schema = try document.answer("post", "/api/v1/\(path.prefix { $0 != "?" })")
                #expect(document.faults(of: try reply.object(), as: schema) == [], "\(path)")
            }
            // The judge itself: another shape is told from the one that is meant, and another word.
            let words: [String: Any] = ["enum": ["expires", NSNull()] as [Any]]
            let faults = [NSNull(), "expires", "times"].map { document.faults(of: $0, as: words).count }
            #expect(faults == [0, 0, 1])
            let listing = try document.answer("get", "/api/v1/exchanges")
            #expect(document.faults(of: ["total": "1", "matched": 1] as [String: Any], as: listing).count > 2)
        }
    }
}
