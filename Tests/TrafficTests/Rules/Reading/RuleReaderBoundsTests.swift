import Support
import Testing

@testable import Traffic

@Suite("Reading rules ends soon, whatever stands in them", .timeLimit(.minutes(15)))
struct RuleReaderBoundsTests {
    /// Reads a list of rules that is written as JSON.
    private static func read(_ json: String) throws -> RuleReader {
        var reader = RuleReader(textNamed: "rules.yaml")
        _ = reader.list(RuleTree(json: try JSONReader.value(Array(json.utf8))))
        return reader
    }

    /// The one sentence that is said of a rule.
    private static func sentence(_ members: String) throws -> String? {
        let problems = try read("[{\"name\": \"a\", \(members)}]").problems
        return problems.count == 1 ? problems[0].sentence : nil
    }

    @Test("The first 1,000 problems are told, and that there are more", arguments: [999, 1_000, 1_001, 5_000])
    func problems(count: Int) throws {
        let rules = Array(repeating: "{\"name\": \"a\", \"block\": \"x\"}", count: count).joined(separator: ",")
        let problems = try Self.read("[\(rules)]").problems
        #expect(problems.count == min(count, 1_001))
        let isCut = problems.last?.sentence == "… and more; mend these first"
        #expect(isCut == (count > 1_000))
        #expect(problems.dropLast().allSatisfy { $0.sentence.hasPrefix("'x' is no way to block") })
    }

    @Test("A known word is looked for at the first unknown ones, and none for a word that is longer than any")
    func guesses() throws {
        let rules = Array(repeating: "{\"name\": \"a\", \"blokc\": 1}", count: 300).joined(separator: ",")
        let sentences = try Self.read("[\(rules)]").problems.map(\.sentence)
        #expect(sentences.count == 300 && sentences.allSatisfy { $0.hasPrefix("'blokc' is no action; ") })
        #expect(sentences.count { $0.hasSuffix("did you mean 'block'?") } == 100)
        let words = ["block", String(repeating: "x", count: 64)]
        for count in [63, 64] {
            #expect(EditDistance.nearest(to: String(repeating: "x", count: count), in: words) != nil)
        }
        for letter in ["x", "x\u{301}"] {
            #expect(EditDistance.nearest(to: String(repeating: letter, count: 65), in: words) == nil)
        }
        #expect(EditDistance.nearest(to: String(repeating: "\u{E9}", count: 300), in: ["expires"]) == nil)
        // One letter may have any number of scalars.
        #expect(EditDistance.nearest(to: "stop\u{301}", in: ["stop"]) == "stop")
        let long = "sto" + "p" + String(repeating: "\u{301}", count: 500_000)
        #expect(EditDistance.nearest(to: long, in: ["stop"]) == nil)
        #expect(ThreadTime.least { _ = EditDistance.nearest(to: long, in: ["stop"]) } < 20_000_000)
    }

    @Test(
        "A sentence quotes the beginning of a long text, and says what is wrong with it",
        arguments: [
            ("\"block\": \"‸\"", "is no way to block; expected reset"),
            ("\"request\": {\"method\": \"‸\"}", "is no method that a request can be given"),
            ("\"request\": {\"fields\": {\"set\": {\"‸\": \"1\"}}}", "is no name of a field"),
            ("\"request\": {\"fields\": {\"remove\": \"‸\"}}", "is no name of a field"),
            ("\"request\": {\"fields\": {\"replace\": {\"‸\": []}}}", "is no name of a field"),
            ("\"respond\": {\"dir\": \"a\", \"strip\": \"‸\"}", "is no beginning of a path"),
            ("\"send\": {\"resolve\": \"‸\"}", "is no address such as"),
            ("\"send\": {\"upstream-proxy\": \"‸\"}", "is no proxy; expected http://HOST:PORT"),
            ("\"send\": {\"to\": \"‸\"}", "is no base URL; expected"),
            ("\"stop\": true, \"tag\": \"‸\"", "cannot be a tag; expected one word"), ("\"‸\": 1", "is no action"),
        ]
    )
    func quotes(members: String, expected: String) throws {
        let text = String(repeating: "\u{E9}", count: 3_000)
        let sentences = try Self.read("[{\"name\": \"a\", \(members.replacing("‸", with: text))}]").problems.map(
            \.sentence
        )
        #expect(
            sentences.contains { $0.contains(expected) } && sentences.allSatisfy { $0.utf8.count < 700 },
            "\(sentences)"
        )
    }

    @Test(
        "A login is in no sentence",
        arguments: [
            "\"upstream-proxy\": \"http://sam:s3cret@proxy.test:3128\"",
            "\"upstream-proxy\": \"sam:s3cret@proxy.test\"",
            "\"to\": \"http://sam:s3cret@a.test\"", "\"to\": \"htp://sam:s3cret@a.test\"",
            "\"to\": \"http://sam:s3cret%40a.test\"", "\"resolve\": \"sam:s3cret@10.0.0.7\"",
            "\"http://sam:s3cret@a.test\": 1",
        ]
    )
    func logins(send: String) throws {
        let sentence = try #require(try Self.sentence("\"send\": {\(send)}"))
        #expect(!sentence.contains("s3cret") && !sentence.contains("sam"), "\(sentence)")
        #expect(!send.hasPrefix("\"upstream") || sentence.contains("takes no login"))
        let block = try #require(try Self.sentence("\"block\": \"http://sam:s3cret@a.test\""))
        #expect(block.hasPrefix("'http://…@a.test' is no way to block"))
    }

    @Test("A condition has at most 64 KiB, though few characters may have many bytes")
    func conditions() throws {
        let long = "path:/" + String(repeating: "e" + String(repeating: "\u{301}", count: 9), count: 4_000)
        #expect(try Self.sentence("\"block\": \"reset\", \"when\": \"\(long)\"") == "a query has at most 64 KiB")
        #expect(try Self.read("[{\"name\": \"a\", \"block\": \"reset\", \"when\": \"path:/e\"}]").problems.isEmpty)
    }

    @Test(
        "The changes of a file are counted, and one too many is told once",
        arguments: [
            ("\"body\": {\"replace\": [‸]}", "{\"regex\": \"a\", \"with\": \"b\"}"),
            ("\"body\": {\"json\": {\"remove\": [‸]}}", "\"$.a\""),
            ("\"body\": {\"json\": {\"patch\": [‸]}}", "{\"op\": \"remove\", \"path\": \"/a\"}"),
            ("\"body\": {\"form\": {\"remove\": [‸]}}", "\"a*\""), ("\"fields\": {\"remove\": [‸]}", "\"X-A\""),
            ("\"fields\": {\"add\": {\"X-A\": [‸]}}", "\"1\""),
            ("\"fields\": {\"replace\": {\"X-A\": [‸]}}", "{\"find\": \"a\", \"with\": \"b\"}"),
        ]
    )
    func edits(change: String, item: String) throws {
        func problems(_ count: Int) throws -> [String] {
            let items = Array(repeating: item, count: count).joined(separator: ",")
            let side = change.replacing("‸", with: items)
            let rules = ["a", "b"].map { name in "{\"name\": \"\(name)\", \"request\": {\(side)}}" }
            return try Self.read("[\(rules.joined(separator: ","))]").problems.map(\.sentence)
        }
        #expect(try problems(100) == [])
        #expect(try problems(60_000) == ["the rules test and change over 100000 things, the most in all files"])
    }

    @Test("The values that conditions test are counted, and the fields and the answers that rules give")
    func values() throws {
        let values = (0..<1_000).map { "a\($0)" }.joined(separator: ",")
        func problems(_ rule: String, _ count: Int) throws -> [String] {
            let rules = Array(repeating: "{\"name\": \"a\", \(rule)}", count: count)
            return try Self.read("[\(rules.joined(separator: ","))]").problems.map(\.sentence)
        }
        let fields = Array(repeating: "\"1\"", count: 1_000).joined(separator: ",")
        let answers = Array(repeating: "{\"status\": 503, \"times\": 1}", count: 1_000).joined(separator: ",")
        for rule in [
            "\"block\": \"reset\", \"when\": \"-body:\(values)\"",
            "\"block\": \"reset\", \"when\": \"header:\(values)\"",
            "\"respond\": {\"fields\": {\"X-A\": [\(fields)]}}", "\"respond\": [\(answers)]",
        ] {
            #expect(try problems(rule, 90) == [])
            #expect(
                try problems(rule, 110) == ["the rules test and change over 100000 things, the most in all files"]
            )
        }
    }

    @Test("A rule gives at most 50 tags and 100 addresses")
    func marks() throws {
        func list(_ count: Int, _ item: (Int) -> String) -> String {
            (1...count).map { "\"\(item($0))\"" }.joined(separator: ",")
        }
        func tags(_ count: Int) throws -> String? { try Self.sentence("\"tag\": [\(list(count) { "t\($0)" })]") }
        #expect(try tags(50) == nil)
        #expect(try tags(51) == "these are 51 tags; an exchange takes at most 50")
        func addresses(_ count: Int) throws -> String? {
            try Self.sentence("\"send\": {\"resolve\": [\(list(count) { "10.0.0.\($0)" })]}")
        }
        #expect(try addresses(100) == nil)
        #expect(try addresses(101) == "these are 101 addresses; at most 100 are tried")
    }
}
