import Lenses
import Support
import Testing
import Traffic

@Suite("Documents learnt from captures", .timeLimit(.minutes(15)))
struct OpenAPILearnerTests {
    private static func learnt(_ captures: [Capture]) -> JSONValue {
        var learner = OpenAPILearner()
        for capture in captures { learner.add(capture) }
        return learner.document(title: "T")
    }

    private static func text(_ value: JSONValue?) -> String {
        var json = JSONWriter()
        json.value(nil, value ?? .null)
        return String(decoding: json.take(), as: UTF8.self)
    }

    @Test("Random captures keep to the document that was learnt from them, whatever they are", arguments: 1...40)
    func clean(seed: Int) throws {
        var values = SchemaGenerator(seed: UInt64(seed))
        var random = SeededGenerator(seed: UInt64(seed) &* 7919)
        func pick(_ texts: [String?]) -> String? { texts.randomElement(using: &random) ?? nil }
        let captures = (0..<60).map { index in
            func body() -> String? {
                Bool.random(using: &random)
                    ? Self.text(values.value()) : pick([nil, "[", "a=1&b=x&a=2", "", "\u{FEFF}{}"])
            }
            let path =
                pick([
                    "/items", "/items/7", "/items/{x}", "/", "//a", "/a%20b/", "/n/\(index)/x", "/v/word\(index)",
                    "/v/", "/api/3/x",
                ]) ?? "/"
            let query =
                pick(["", "?", "?limit=\(index)", "?a=1&a=x", "?open=true", "?open=maybe", "?q=%zz", "?\(index)x=1"])
                ?? ""
            let types = [
                "application/json", "application/problem+json", "application/x-www-form-urlencoded", "text/plain", nil,
                "weird", "image/png",
            ]
            return OpenAPICapture.make(
                pick(["GET", "POST", "HEAD", "PUT"]) ?? "GET",
                "\(pick(["https://api.example.test", "http://127.0.0.1:8080"]) ?? "")\(path)\(query)",
                sent: body(),
                sentType: pick(types),
                code: [200, 200, 404, 500, 204, 304, nil].randomElement(using: &random) ?? 200,
                answer: body(),
                type: pick(types)
            )
        }
        let document = Self.learnt(captures)
        let check = OpenAPICheck(try OpenAPIDocument(document))
        for capture in captures {
            let result = check.check(capture)
            let findings = result.findings.filter { $0.rule != "OA-empty" }
            #expect(
                result.isDescribed && findings.isEmpty,
                "\(capture.exchange.method) \(capture.exchange.target) \(findings.map(\.message))"
            )
        }
        #expect(Self.text(document) == Self.text(Self.learnt(captures)), "the same captures give the same document")
    }

    @Test("What is learnt is what all have in common: types, required, null, formats, few words, whole numbers")
    func schemas() throws {
        let captures = (0..<12).map { index in
            let state = ["open", "closed"][index % 2]
            let note = index == 3 ? "null" : #""text \#(index)""#
            let more = index == 5 ? #", "extra": true"# : ""
            let body =
                #"{"id": \#(index), "rate": \#(index == 4 ? "0.5" : "1"), "state": "\#(state)", "note": \#(note), "on": "2026-11-\#(10 + index)", "key": "q7Wn2Zk9Lx4Tb8V\#(index % 2)"\#(more)}"#
            return OpenAPICapture.make(
                "GET",
                "https://api.example.test/items/\(index + 1)?page=\(index)\(index > 2 ? "&deep=true" : "")",
                answer: body
            )
        }
        let document = Self.learnt(captures)
        let operation = document["paths"]?["/items/{id}"]?["get"]
        let schema = operation?["responses"]?["200"]?["content"]?["application/json"]?["schema"]
        #expect(
            Self.text(schema)
                == #"{"type":"object","properties":{"extra":{"type":"boolean"},"id":{"type":"integer"},"key":{"type":"string"},"note":{"type":["string","null"]},"on":{"type":"string","format":"date"},"rate":{"type":"number"},"state":{"type":"string","enum":["closed","open"]}},"required":["id","key","note","on","rate","state"]}"#
        )
        #expect(
            Self.text(operation?["parameters"])
                == #"[{"name":"id","in":"path","required":true,"schema":{"type":"integer"},"example":1},{"name":"deep","in":"query","schema":{"type":"boolean"}},{"name":"page","in":"query","required":true,"schema":{"type":"integer"},"example":0}]"#
        )
        #expect(Self.text(document["servers"]) == #"[{"url":"https://api.example.test"}]"#)
    }

    @Test("A # is a character in a form, and what is no JSON to the letter leaves its body open")
    func bodies() throws {
        let type = "application/x-www-form-urlencoded"
        let url = "https://api.example.test/paint"
        let document = Self.learnt([
            OpenAPICapture.make("POST", url, sent: "color=#ff0000&size=3", sentType: type, answer: #"{"a":1}"#),
            OpenAPICapture.make("POST", url, sent: "color=#00ff00&size=4", sentType: type, answer: #"{"a":01}"#),
        ])
        let operation = document["paths"]?["/paint"]?["post"]
        #expect(
            Self.text(operation?["requestBody"]?["content"]?[type]?["schema"]?["required"]) == #"["color","size"]"#
        )
        #expect(Self.text(operation?["responses"]?["200"]?["content"]?["application/json"]) == "{}")
    }

    @Test("No secret stands in a document: not in an example, an enumeration or a path")
    func secrets() {
        let secret = "hunter2hunter2"
        let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
        let captures = (0..<20).map { index in
            OpenAPICapture.make(
                "POST",
                "https://api.example.test/reset/\(token)?token=\(secret)",
                sent: #"{"password": "\#(secret)\#(index % 2)", "session": "\#(secret)", "code": 7}"#,
                answer: #"{"access_token": "\#(token)", "again": "\#(token)"}"#
            )
        }
        let text = Self.text(Self.learnt(captures))
        #expect(!text.contains(secret) && !text.contains(token) && !text.contains("c2lnbmF0dXJl"), "\(text)")
        #expect(text.contains(#""example":{"password":"<"#) && text.contains(#"/reset/{id}"#), "\(text)")
    }

    @Test("No secret stands in a document as a name: of a member, of a parameter, or of a form's field")
    func secretNames() {
        let secret = "swordFish!Of-Tuesday"
        let (first, second) = ("password=\(secret)", #"{"\#(secret)": 1, "kept": {"\#(secret)": 2}}"#)
        let captures = [first, second, second].map { sent in
            OpenAPICapture.make(
                "POST",
                "https://api.example.test/reset?\(secret)=1&password=\(secret)&kept=1",
                sent: sent,
                answer: #"{"password": "\#(secret)", "sent": \#(second)}"#
            )
        }
        let text = Self.text(Self.learnt(captures))
        #expect(!text.contains(secret) && text.contains("kept"), "\(text)")
    }

    @Test("Many values of a segment are one open segment, a map's names are no members, and a version is no identifier")
    func manyValues() throws {
        let members = (0..<400).map { #""name \#($0)": {"n": \#($0)}"# }.joined(separator: ",")
        let captures =
            (0..<50).map { OpenAPICapture.make("GET", "https://api.example.test/slug/name-\($0)") }
            + [
                OpenAPICapture.make("GET", "https://api.example.test/slug/"),
                OpenAPICapture.make("GET", "https://api.example.test/api/3/x"),
                OpenAPICapture.make("GET", "https://api.example.test/map", answer: "{\(members)}"),
            ]
        let document = Self.learnt(captures)
        guard case .object(let paths)? = document["paths"] else { return }
        #expect(paths.map(\.name) == ["/api/3/x", "/map", "/slug/", "/slug/{value}"])
        let schema = document["paths"]?["/map"]?["get"]?["responses"]?["200"]?["content"]?["application/json"]?[
            "schema"
        ]
        #expect(
            Self.text(schema)
                == #"{"type":"object","additionalProperties":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}"#
        )
    }

    @Test("Many resources beside each other stay apart, and many alike are one")
    func manyResources() throws {
        let captures = (0..<45).flatMap { index in
            [
                ("resource\(Self.word(index))", #"[{"id": 1, "a\#(index)": 1, "b\#(index)": 2}]"#),
                ("user\(Self.word(index))", #"{"id": 1, "name": "x", "age": 7, "mail": "a\#(index % 2)"}"#),
            ].map { OpenAPICapture.make("GET", "https://a.test/api/\($0)", answer: $1) }
        }
        guard case .object(let paths)? = Self.learnt(captures)["paths"] else { throw NoPaths() }
        let names = paths.map(\.name)
        #expect(names.count == 46 && names.contains("/api/resourceab") && names.last == "/api/{value}", "\(names)")
    }

    /// Letters for a number.
    private static func word(_ index: Int) -> String {
        String(decoding: [UInt8(ascii: "a") + UInt8(index / 20), UInt8(ascii: "a") + UInt8(index % 20)], as: UTF8.self)
    }

    @Test("Tunnels, other methods and unreadable requests are left out and counted")
    func leftOut() {
        var learner = OpenAPILearner()
        learner.add(OpenAPICapture.make("PROPFIND", "https://api.example.test/a"))
        learner.add(OpenAPICapture.make("GET", "wss://api.example.test/a"))
        learner.add(OpenAPICapture.make("GET", "https://api.example.test/a"))
        #expect(learner.count == 1 && learner.leftOutCount == 2)
    }

    @Test("A status that no document has a key for is any other answer")
    func strangeStatuses() throws {
        let captures = [(200, "{}"), (799, "[]"), (600, "[1]")].map {
            OpenAPICapture.make("GET", "https://a.test/x", code: $0, answer: $1)
        }
        let document = Self.learnt(captures)
        let responses = document["paths"]?["/x"]?["get"]?["responses"]
        #expect(responses?["default"]?["description"]?.string == "Any other answer")
        let check = OpenAPICheck(try OpenAPIDocument(document))
        for capture in captures { #expect(check.check(capture).findings.isEmpty, "\(check.check(capture).findings)") }
    }

    @Test("A brace is one path, escaped or not")
    func braces() throws {
        let captures = ["/items/{id}", "/items/%7Bid%7D", "/items/%7bid%7d"].map {
            OpenAPICapture.make("GET", "https://a.test\($0)")
        }
        guard case .object(let paths)? = Self.learnt(captures)["paths"] else { throw NoPaths() }
        #expect(paths.map(\.name) == ["/items/%7Bid%7D"])
    }

    private struct NoPaths: Error {}

    @Test("The notes on a document count its paths and operations, and what no document has a place for")
    func notes() {
        var learner = OpenAPILearner()
        let url = "https://api.example.test/paint"
        for method in ["GET", "POST"] { learner.add(OpenAPICapture.make(method, url, answer: "{}")) }
        #expect(learner.notes(on: learner.document(title: "T")) == ["1 path and 2 operations from 2 exchanges"])
        learner.add(OpenAPICapture.make("PURGE", url))
        #expect(
            learner.notes(on: learner.document(title: "T")).last
                == "1 exchange left out: tunnels, WebSockets, unreadable requests, other methods"
        )
    }

    @Test("Mailboxes whose hosts have coded labels are learnt without a format, which not all of them would keep to")
    func codedLabels() {
        func format(_ mailboxes: [String]) -> JSONValue? {
            let answers = mailboxes.map {
                OpenAPICapture.make("GET", "https://api.example.test/me", answer: #"{"mail":"\#($0)"}"#)
            }
            let schema = Self.learnt(answers)["paths"]?["/me"]?["get"]?["responses"]?["200"]?["content"]?[
                "application/json"
            ]?["schema"]
            return schema?["properties"]?["mail"]?["format"]
        }
        #expect(Self.text(format(["a@x.test", "b@y.test"])) == #""email""#)
        #expect(format(["a@x.test", "me@xn--i-7iq.ws"]) == nil && format(["a@XN--b.test"]) == nil)
    }
}
