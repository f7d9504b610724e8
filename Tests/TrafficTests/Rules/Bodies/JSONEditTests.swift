import Support
import Testing

@testable import Traffic

/// JSON is edited by the places of its values: what does not change keeps its bytes.
@Suite("Editing JSON by its spans", .timeLimit(.minutes(15)))
struct JSONEditTests {
    private static func edited(
        _ text: String,
        _ change: (inout JSONDocument, inout BodyChanges) throws -> Void
    ) throws -> (text: String, changes: String) {
        var document = try JSONDocument(Array(text.utf8))
        var changes = BodyChanges()
        try change(&document, &changes)
        return (String(decoding: try document.finished(), as: UTF8.self), changes.text)
    }

    private static func set(_ text: String, _ path: String, _ value: FilledJSON = .literal("0")) throws -> String {
        try edited(text) { try $0.set(try JSONPath(path), value, &$1) }.text
    }

    private static func remove(_ text: String, _ path: String) throws -> String {
        try edited(text) { try $0.remove(try JSONPath(path), &$1) }.text
    }

    private static func insert(_ text: String, _ path: String) throws -> String {
        try edited(text) { try $0.insert(try JSONPath(path), .literal("0"), &$1) }.text
    }

    @Test(
        "A value is set where it stands, and a missing member is added as its neighbours are written",
        arguments: [
            (#"{"a":1}"#, "$.a", #"{"a":0}"#), (#"{"a" : 1 , "a":2}"#, "$.a", #"{"a" : 0 , "a":0}"#),
            (#"{"a":[1,{"b":2}]}"#, "$.a[1].b", #"{"a":[1,{"b":0}]}"#), ("[1, 2,3]", "$[-1]", "[1, 2,0]"),
            ("[1, 2,3]", "$[*]", "[0, 0,0]"), (#"{"a":{"b":1},"b":2}"#, "$..b", #"{"a":{"b":0},"b":0}"#),
            (#"{"a b":1}"#, "$['a b']", #"{"a b":0}"#), (#"{"\u0061":1}"#, "$.a", #"{"\u0061":0}"#),
            ("{}", "$.a", #"{"a":0}"#), (#"{"b":1}"#, "$.a", #"{"b":1,"a":0}"#),
            (#"{ "b": 1 }"#, "$.a", #"{ "b": 1, "a": 0 }"#),
            ("{\n  \"b\": 1,\n  \"c\": 2\n}", "$.a", "{\n  \"b\": 1,\n  \"c\": 2,\n  \"a\": 0\n}"),
            (#"[{"a":1},{},2]"#, "$[*].a", #"[{"a":0},{"a":0},2]"#), ("{}", "$.a.b", "{}"), ("[1]", "$[3]", "[1]"),
            ("{}", "$..a", "{}"), ("{}", "$", "0"), ("\u{FEFF}{\"a\":1}", "$.a", "\u{FEFF}{\"a\":0}"),
            ("{\"a\":1}\n{\"a\":2}\n", "$.a", "{\"a\":0}\n{\"a\":0}\n"), (#"{"a":{"a":1}}"#, "$..a", #"{"a":0}"#),
            (#"{"a":0}"#, "$.a", #"{"a":0}"#), (" 12 ", "$", " 0 "),
        ]
    )
    func set(text: String, path: String, expected: String) throws {
        #expect(try Self.set(text, path) == expected)
    }

    @Test(
        "A value that is removed takes one comma and the blanks between it and its neighbour",
        arguments: [
            (#"{"a":1, "ssn":"1"}"#, "$.ssn", #"{"a":1}"#), (#"{"a": 1 ,"ssn":"1" }"#, "$.ssn", #"{"a": 1 }"#),
            (#"{"ssn":"1", "a":1}"#, "$.ssn", #"{"a":1}"#), (#"{ "ssn":"1" }"#, "$.ssn", "{}"),
            (#"{"a":1,"ssn":2,"b":3}"#, "$.ssn", #"{"a":1,"b":3}"#), ("[1, 2, 3]", "$[0]", "[2, 3]"),
            ("[1, 2, 3]", "$[1]", "[1, 3]"), ("[1, 2, 3]", "$[-1]", "[1, 2]"), ("[ 1, 2 ]", "$[*]", "[]"),
            (#"{"a":1,"x":2,"a":3,"x":4}"#, "$.x", #"{"a":1,"a":3}"#),
            (#"{"x":1,"x":2,"a":3}"#, "$.x", #"{"a":3}"#), (#"{"a":3,"x":1,"x":2}"#, "$.x", #"{"a":3}"#),
            (#"{"a":{"ssn":{"ssn":1}},"ssn":2}"#, "$..ssn", #"{"a":{}}"#), ("[1]", "$.a", "[1]"),
            ("{\n  \"a\": 1,\n  \"b\": 2\n}", "$.b", "{\n  \"a\": 1\n}"),
            ("{\n  \"a\": 1,\n  \"b\": 2\n}", "$.a", "{\n  \"b\": 2\n}"),
            (#"{"a":[[1],[2]]}"#, "$.a[*][0]", #"{"a":[[],[]]}"#),
        ]
    )
    func remove(text: String, path: String, expected: String) throws {
        #expect(try Self.remove(text, path) == expected)
    }

    @Test(
        "An element is inserted before the one that is named, and a member where there is none",
        arguments: [
            ("[1, 2]", "$[0]", "[0, 1, 2]"), ("[1, 2]", "$[1]", "[1, 0, 2]"), ("[1, 2]", "$[2]", "[1, 2, 0]"),
            ("[1, 2]", "$[-1]", "[1, 2, 0]"), ("[]", "$[0]", "[0]"), ("[1]", "$[3]", "[1]"),
            (#"{"a":1}"#, "$.a", #"{"a":1}"#), (#"{"a":1}"#, "$.b", #"{"a":1,"b":0}"#),
            (#"{"a":[[],[5]]}"#, "$.a[*][0]", #"{"a":[[0],[0,5]]}"#),
        ]
    )
    func insert(text: String, path: String, expected: String) throws {
        #expect(try Self.insert(text, path) == expected)
    }

    @Test("Edits of one rule see what those before them made, whatever they are", arguments: 0..<20)
    func sequence(seed: UInt64) throws {
        // One edit at a time, each on the text that the one before left, is the plain way.
        var dice = SeededGenerator(seed: seed)
        var spaces: SeededGenerator? = SeededGenerator(seed: seed)
        let paths = ["$.a", "$..role", "$[*].a", "$.a.b", "$..b", "$.b[0]", "$[0]", "$.a[*]"]
        for _ in 0..<40 {
            let text = RandomJSON(&dice).text(&spaces)
            let steps = (0..<5).map { _ in
                (paths.randomElement(using: &dice) ?? "$.a", Int.random(in: 0...3, using: &dice))
            }
            func apply(_ step: (String, Int), _ document: inout JSONDocument) throws {
                var changes = BodyChanges()
                let path = try JSONPath(step.0)
                switch step.1 {
                case 0: try document.set(path, .literal("7"), &changes)
                case 1: try document.set(path, .object([FilledJSON.Member(name: "b", value: .string("x"))]), &changes)
                case 2: try document.remove(path, &changes)
                default: try document.insert(path, .literal("8"), &changes)
                }
            }
            let together = try Self.edited(text) { document, _ in for step in steps { try apply(step, &document) } }
                .text
            var single = text
            for step in steps { single = try Self.edited(single) { document, _ in try apply(step, &document) }.text }
            #expect(together == single)
        }
    }

    @Test(
        "Of random texts only the bytes of what is set change, and the result says what a plain model says",
        arguments: 0..<30
    )
    func random(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var spaces: SeededGenerator? = SeededGenerator(seed: seed &+ 1)
        for _ in 0..<30 {
            let value = RandomJSON(&dice)
            let text = value.text(&spaces)
            let set = try Self.set(text, "$..role", .literal("4.50"))
            let wanted = value.setting(#""role""#, .scalar("4.50"))
            #expect(RandomJSONText.withoutBlanks(set) == wanted.plain)
            // Between the values that were set, the bytes are those that came.
            #expect(Self.isSame(text, set, but: "4.50"))
            let removed = try Self.remove(text, "$..a")
            #expect(RandomJSONText.withoutBlanks(removed) == value.removing([#""a""#, #""\u0061""#]).plain)
            #expect(throws: Never.self) { try JSONSpans(Array(removed.utf8)) }
        }
    }

    /// Whether a text is another in which some values are replaced by one.
    private static func isSame(_ before: String, _ after: String, but value: String) -> Bool {
        var rest = Array(before.utf8)[...]
        for part in after.split(separator: value, omittingEmptySubsequences: false) {
            guard
                let place = rest.firstRange(of: Array(part.utf8))
                    ?? (part.isEmpty ? rest.startIndex..<rest.startIndex : nil)
            else { return false }
            rest = rest[place.upperBound...]
        }
        return true
    }

    @Test(
        "A merge sets, adds and with null removes, at any depth (RFC 7396, appendix A)",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
            (#"{"a":1,"b":2,"c":0.0}"#, #"{"a":null,"b":null,"d":4}"#, #"{"c":0.0,"d":4}"#),
        ]
    )
    func merge(text: String, patch: String, expected: String) throws {
        let value = FilledJSON(try JSONReader.value(Array(patch.utf8)))
        #expect(try Self.edited(text) { try $0.merge(value, &$1) }.text == expected)
    }

    @Test(
        "A patch does its operations in order (RFC 6902, appendix A)",
        arguments: [
            (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"foo":"bar","baz":"qux"}"#),
            (
                #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
                #"{"foo":["bar","qux","baz"]}"#
            ),
            (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
            (#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
            (
                #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#,
                #"{"baz":"boo","foo":"bar"}"#
            ),
            (
                #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
                #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
                #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
            ),
            (
                #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
                #"{"foo":["all","cows","eat","grass"]}"#
            ),
            (
                #"{"baz":"qux","foo":["a",2,"c"]}"#,
                #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2.0},{"op":"add","path":"/foo/-","value":["x"]}]"#,
                #"{"baz":"qux","foo":["a",2,"c",["x"]]}"#
            ),
            (
                #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10},{"op":"remove","path":"/~1"}]"#,
                #"{"~1":10}"#
            ),
            (#"{"a":1e400}"#, #"[{"op":"copy","from":"/a","path":"/b"}]"#, #"{"a":1e400,"b":1e400}"#),
            (#"{"a":1}"#, #"[{"op":"replace","path":"","value":[]}]"#, "[]"),
            (#"{"a":1,"b":2}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1,"b":2}"#),
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123,"from":9}]"#,
                #"{"foo":"bar","baz":"qux"}"#
            ),
            (#"{"a":1,"b":2}"#, #"[{"op":"remove","path":"/a","value":1}]"#, #"{"b":2}"#),
        ]
    )
    func patch(text: String, patch: String, expected: String) throws {
        let rules = try RuleTree.body("{\"json\": {\"patch\": \(patch)}}")
        #expect(try Self.patched(text, rules) == expected)
    }

    @Test(
        "A patch of which one operation cannot be done does nothing",
        arguments: [
            (#"[{"op":"add","path":"/b","value":1},{"op":"test","path":"/a","value":2}]"#, "the test of /a fails"),
            (#"[{"op":"add","path":"/b","value":1},{"op":"remove","path":"/c"}]"#, "the patch finds no /c in the body"),
            (#"[{"op":"add","path":"/x/b","value":1}]"#, "the patch finds no /x in the body"),
            (#"[{"op":"move","from":"/a","path":"/b/c"}]"#, "the patch finds no /b in the body"),
        ]
    )
    func failing(patch: String, sentence: String) throws {
        let rules = try RuleTree.body("{\"json\": {\"patch\": \(patch)}}")
        #expect(throws: RuleFault(sentence)) { try Self.patched(#"{"a":1}"#, rules) }
    }

    private static func patched(_ text: String, _ rules: [Rule]) throws -> String? {
        guard case .response(let edit)? = rules.first?.actions.first else { return nil }
        var scope = try TemplateScope(RuledExchange(), now: 0, needsBody: false, generator: RuleDice(seed: 1))
        var changes = BodyChanges()
        var work = EditWork()
        let ready = edit.body.json.ready(&scope)
        let bytes = try ready.apply(to: Array(text.utf8), in: .utf8, &changes, &work)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "What is no JSON is refused with the place",
        arguments: [
            ("", "the body is empty, and no JSON"), ("{\"a\":1,}", "the body is no JSON at its byte 7 (})"),
            ("{\"a\" 1}", "the body is no JSON at its byte 5 (1})"),
            ("[1 2]", "the body is no JSON at its byte 3 (2])"), ("[1]2", "the body is no JSON at its byte 3 (2)"),
            (#"{"data":1}2"#, "the body is no JSON at its byte 10 (2)"),
            ("\"a", "the body ends before its JSON is whole"), ("nope", "the body is no JSON at its byte 0 (nope)"),
            (String(repeating: "[", count: 300), "the body has values more than 200 levels deep"),
            ("[" + String(repeating: "1,", count: 1_000_000) + "1]", "the body has more than 1000000 values"),
        ]
    )
    func malformed(text: String, sentence: String) {
        #expect(throws: RuleFault(sentence)) { try JSONDocument(Array(text.utf8)) }
    }

    @Test("A value that two paths below each other lead to is changed once")
    func below() throws {
        #expect(try Self.insert(#"{"a":{"a":{"c":[1]}}}"#, "$..a..c[0]") == #"{"a":{"a":{"c":[0,1]}}}"#)
        #expect(try Self.set(#"{"a":{"a":{"c":{}}}}"#, "$..a..c.b") == #"{"a":{"a":{"c":{"b":0}}}}"#)
        let value = FilledJSON.object([FilledJSON.Member(name: "a", value: .literal("1"))])
        #expect(try Self.set(#"{"a":{"a":1}}"#, "$..a", value) == #"{"a":{"a":1}}"#)
    }

    @Test("A patch removes every member of a name")
    func repeated() throws {
        let rules = try RuleTree.body(#"{"json": {"patch": [{"op": "remove", "path": "/ssn"}]}}"#)
        #expect(try Self.patched(#"{"ssn":1,"b":2,"ssn":2}"#, rules) == #"{"b":2}"#)
    }

    @Test("Each of many texts is patched, and a patch that fails on one of them does nothing")
    func lines() throws {
        let line = #"{"a":{"b":1.50},"c":[1,2]}"#
        let rules = try RuleTree.body(
            #"""
            {"json": {"patch": [{"op": "test", "path": "/a/b", "value": 1.5}, {"op": "move", "from": "/a/b", "path": "/b"},
                                {"op": "add", "path": "/c/0", "value": 0}]}}
            """#
        )
        let text = String(repeating: line + "\n", count: 2_000)
        let wanted = String(repeating: #"{"a":{},"c":[0,1,2],"b":1.50}"# + "\n", count: 2_000)
        #expect(try Self.patched(text, rules) == wanted)
        #expect(throws: RuleFault("the patch finds no /a/b in the body")) { try Self.patched(text + "{}", rules) }
    }

    @Test(
        "Numbers are the same where their values are, to the last digit",
        arguments: [
            ("72057594038269328", "72057594038269328", true), ("72057594038269329", "72057594038269328", false),
            ("1.0", "1", true), ("1e2", "100", true), ("-0.0", "0", true), ("1e400", "1e401", false),
            ("10e399", "1e400", true), (#"{"a":[1.10]}"#, #"{"a":[1.1]}"#, true), (#""1""#, "1", false),
            (#"{"é":1}"#, "{\"e\u{301}\":1}", false),
        ]
    )
    func numbers(one: String, other: String, isSame: Bool) {
        #expect(JSONValue.isSame(Array(one.utf8), Array(other.utf8)) == isSame)
    }

    @Test("Long escaped names are not decoded again and again")
    func longNames() throws {
        let name = #""\n"# + String(repeating: "A", count: 100_000) + "\":1"
        let text = String(repeating: #"{"a":"#, count: 150) + "{\(name),\(name)}" + String(repeating: "}", count: 150)
        var spans: JSONSpans?
        let reading = try ThreadTime.of { spans = try JSONSpans(Array(text.utf8)) }
        let steps = try JSONPath("$..a..b").steps
        #expect(ThreadTime.of { _ = spans?.places(of: steps, from: 0) } < reading * 20)
    }

    @Test("Long blanks are not copied for what is added, short ones are")
    func blanks() throws {
        for (count, added) in [(20, String(repeating: " ", count: 20)), (1_000, "")] {
            let blanks = String(repeating: " ", count: count)
            let text = "{\"a\":1,\(blanks)\"b\":\(blanks)2}"
            #expect(try Self.set(text, "$.c", .literal("3")) == text.dropLast() + ",\(added)\"c\":\(added)3}")
        }
    }

    @Test("A value that would stand in very many places is not copied for each")
    func copies() throws {
        let value = FilledJSON.string(String(repeating: "a", count: 1 << 20))
        let text = "[" + String(repeating: "{},", count: 10_000) + "{}]"
        #expect(throws: RuleFault("the edit takes too much work on this body")) { try Self.set(text, "$[*].a", value) }
    }

    @Test("Edits that look through many names again and again end")
    func manyNames() throws {
        let text = "{" + (0..<200_000).map { "\"\\u0061\($0)\":1" }.joined(separator: ",") + "}"
        let members = (0..<60).map { "\"b\($0)\":1" }.joined(separator: ",")
        let rules = try RuleTree.body("{\"json\": {\"merge\": {\(members)}}}")
        #expect(throws: RuleFault("the edit takes too much work on this body")) { try Self.patched(text, rules) }
    }

    @Test("Edits that have a long text read again and again end")
    func bounded() throws {
        let operations = (0..<30).map { "{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/\($0)\"}" }
        let rules = try RuleTree.body("{\"json\": {\"patch\": [\(operations.joined(separator: ","))]}}")
        let text = "{\"a\":\"\(String(repeating: "x", count: 1 << 20))\"}"
        #expect(throws: RuleFault("the edit takes too much work on this body")) { try Self.patched(text, rules) }
    }
}

/// Reads texts of JSON as bytes.
private enum RandomJSONText {
    /// The text without the blanks outside of strings.
    static func withoutBlanks(_ text: String) -> String {
        var out: [UInt8] = []
        var (isInString, isEscaped) = (false, false)
        for byte in text.utf8 {
            if !isInString, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { continue }
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
            out.append(byte)
        }
        return String(decoding: out, as: UTF8.self)
    }
}

extension FilledJSON {
    fileprivate init(_ value: JSONValue) {
        switch value {
        case .null: self = .literal("null")
        case .boolean(let flag): self = .literal(String(flag))
        case .number(let number): self = .literal(JSONPattern.Condition.text(number))
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { FilledJSON($0) })
        case .object(let members):
            self = .object(members.map { Member(name: $0.name, value: FilledJSON($0.value)) })
        }
    }
}
