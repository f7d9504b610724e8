import Support
import Testing

@testable import Traffic

/// Matches of regular expressions with their groups, as those of a backtracking engine.
@Suite("What a regular expression matches", .timeLimit(.minutes(15)))
struct RegexSearchTests {
    private static func replaced(_ pattern: String, _ text: String, _ with: String) throws -> String {
        let regex = try ReplacedPattern(pattern)
        var scope = try TemplateScope(RuledExchange(), now: 0, needsBody: false, generator: RuleDice(seed: 1))
        let template = try Template(with, groups: regex.groups)
        let replacement = TextReplacement(pattern: .regex(regex), with: template)
        return try replacement.ready(&scope).apply(to: text, &scope.work)
    }

    @Test(
        "Matches are replaced from left to right, the longest or the shortest as the expression says",
        arguments: [
            (#"/v(\d+)\.js"#, "/v12.js /v3.js", "/v${1}.dev.js", "/v12.dev.js /v3.dev.js"),
            ("a+", "aaab", "x", "xb"), ("a+?", "aaab", "x", "xxxb"),
            ("(a|ab)(c|bcd)", "abcd", "[${1}|${2}]", "[a|bcd]"),
            ("<.*>", "<a><b>", "x", "x"), ("<.*?>", "<a><b>", "x", "xx"), ("x*", "axb", "-", "-a-b-"),
            ("", "ab", "-", "-a-b-"), ("^", "ab", "-", "-ab"), ("$", "ab", "-", "ab-"), (".*", "abc", "x", "x"),
            (#"\bab\b"#, "ab abc cab ab", "x", "x abc cab x"), ("(a)|(b)", "ab", "<${1}${2}>", "<a><b>"),
            ("(?:a)(b)", "ab", "${1}", "b"), ("(?<year>\\d{4})-(\\d\\d)", "2026-11", "${2}/${1}", "11/2026"),
            ("(a*)*b", "aab", "[${1}]", "[aa]"), ("A", "aA", "x", "ax"), ("(?i)A", "aA", "x", "xx"),
            ("[äö]", "aäöü", "x", "axxü"), ("(.)(.)", "ÄÖ", "${2}${1}", "ÖÄ"), ("(a)(b)?", "a", "[${2}]", "[]"),
            ("a{2,3}", "aaaaa", "x", "xx"), ("(ab){2}", "ababab", "x", "xab"), ("nothing", "some", "x", "some"),
            ("(?s)a.b", "a\nb", "x", "x"), ("a.b", "a\nb", "x", "a\nb"),
        ]
    )
    func replaced(pattern: String, text: String, with: String, expected: String) throws {
        #expect(try Self.replaced(pattern, text, with) == expected)
    }

    @Test("Random expressions match where a backtracking engine finds them", arguments: 0..<30)
    func random(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        func pattern(_ depth: Int) -> String {
            switch Int.random(in: depth > 3 ? 0...2 : 0...7, using: &dice) {
            case 0: return "a"
            case 1: return "b"
            case 2: return "[ab]"
            case 3: return pattern(depth + 1) + pattern(depth + 1)
            case 4: return "(" + pattern(depth + 1) + "|" + pattern(depth + 1) + ")"
            case 5:
                return "(?:" + pattern(depth + 1) + ")"
                    + (["+", "?", "+?", "??", "{1,2}"].randomElement(using: &dice) ?? "")
            case 6: return "(" + pattern(depth + 1) + ")"
            default: return ".c?"
            }
        }
        for _ in 0..<40 {
            let source = pattern(0)
            let engine = try Regex(source).matchingSemantics(.unicodeScalar)
            let text = (0..<Int.random(in: 0...14, using: &dice)).map { _ in
                String("abc".randomElement(using: &dice) ?? "a")
            }.joined()
            let own = try #require(try Self.matches(source, Array(text.utf8)))
            func offset(_ index: String.Index) -> Int { text.utf8.distance(from: text.startIndex, to: index) }
            let theirs = text.matches(of: engine).map { match in
                offset(match.range.lowerBound)..<offset(match.range.upperBound)
            }
            // An empty match right behind another counts for them, and not for us.
            var wanted: [Range<Int>] = []
            for range in theirs where !(range.isEmpty && wanted.last?.upperBound == range.lowerBound) {
                wanted.append(range)
            }
            #expect(own.map(\.range) == wanted, "\(source) in \(text)")
        }
    }

    @Test("An expression that would take too much work is given up")
    func bounded() throws {
        let bytes = [UInt8](repeating: 0x61, count: 100_000)
        func found(_ pattern: String, _ workLimit: Int) throws -> Int? {
            var search = RegexSearch(try RegexProgram(try RegexReader.readReplaced(pattern).node))
            var count = 0
            let isDone = bytes.withUnsafeBytes { bytes in
                search.find(in: bytes, workLimit: workLimit) { _ in
                    count += 1
                    return true
                }
            }
            return isDone ? count : nil
        }
        #expect(try found("(a|b|ab|ba){1,50}(x|y)", 100_000) == nil)
        // Where nothing can begin, nothing is followed.
        #expect(try found("x.*y", 10_000) == 0)
        #expect(try found("a{10}", 10_000_000) == 10_000)
    }

    @Test("A search for whose matches nobody waits any more ends soon")
    func unwanted() throws {
        let bytes = [UInt8](repeating: 0x61, count: 100_000)
        var search = RegexSearch(try RegexProgram(try RegexReader.readReplaced("(a|b|ab|ba){1,50}(x|y)").node))
        var asked = 0
        let isDone = bytes.withUnsafeBytes { bytes in
            search.find(in: bytes, workLimit: .max) {
                asked += 1
                return asked < 3
            } _: { _ in
                true
            }
        }
        #expect(!isDone && asked == 3 && search.work < 1_000_000)
    }

    @Test("Each match is told as it is found, and none is looked for behind the last that is wanted")
    func told() throws {
        let bytes = [UInt8](repeating: 0x61, count: 100_000)
        var search = RegexSearch(try RegexProgram(try RegexReader.readReplaced("a|(b)(c)").node))
        var found: [Range<Int>] = []
        let isDone = bytes.withUnsafeBytes { bytes in
            search.find(in: bytes, workLimit: .max) { match in
                found.append(match.range)
                return found.count < 3
            }
        }
        #expect(isDone && found == [0..<1, 1..<2, 2..<3] && search.work < 1_000)
    }

    @Test("What begins with a text is looked for where that text stands, and followed nowhere else")
    func prefix() throws {
        let bytes = Array(String(repeating: "/a/b.c ", count: 20_000).utf8)
        var search = RegexSearch(try RegexProgram(try RegexReader.readReplaced(#"/v(\d+)"#).node))
        var count = 0
        let isDone = bytes.withUnsafeBytes { bytes in
            search.find(in: bytes, workLimit: 10_000) { _ in
                count += 1
                return true
            }
        }
        #expect(isDone && count == 0)
        #expect(try Self.matches(#"\b/v(\d+)"#, Array("a/v/v1/v a/v23".utf8))?.map(\.range) == [3..<6, 10..<14])
    }

    @Test("All edits of a body share the work that there is for it")
    func shared() throws {
        let body = String(repeating: "a", count: 800_000)
        let rules = (0..<10).map { number in
            #"{"name": "\#(number)", "response": {"body": {"replace": {"regex": "aa?b", "with": ""}}}}"#
        }
        let exchange = RuledExchange(
            code: 200,
            responseFields: ["Content-Type: text/plain"],
            responseBody: body
        )
        let list = RuleList(try RuleTree.rules("[\(rules.joined(separator: ","))]"), now: 0)
        let notes = try #require(try RuleTrial(list).touch(exchange)).uses.map(\.note)
        #expect(notes.count == 10 && notes.first == .some(nil))
        #expect(notes.last == "skipped: the regular expression takes too much work on this text")
    }

    @Test("An expression that begins with any word is found in a page of two megabytes")
    func longText() throws {
        let page = String(repeating: "some words of a page and then some more, ", count: 50_000)
        let exchange = RuledExchange(
            code: 200,
            responseFields: ["Content-Type: text/plain"],
            responseBody: page + "ann@shop"
        )
        let rule = #"[{"name": "a", "response": {"body": {"replace": {"regex": "\\w+@\\w+", "with": "-"}}}}]"#
        let touch = try #require(try RuleTrial(RuleList(try RuleTree.rules(rule), now: 0)).touch(exchange))
        #expect(touch.uses.map(\.note) == [nil] && touch.uses.first?.what == #"\w+@\w+"#)
    }

    private static func matches(_ pattern: String, _ bytes: [UInt8]) throws -> [RegexSearch.Match]? {
        var work = EditWork()
        var found: [RegexSearch.Match] = []
        let isDone = try ReplacedPattern(pattern).find(in: bytes, work: &work) { match in
            found.append(match)
            return true
        }
        return isDone ? found : nil
    }

    @Test("Bytes that are no UTF-8 stand for themselves, and are not changed")
    func invalid() throws {
        let bytes: [UInt8] = [0x61, 0xE9, 0xFF, 0x80, 0x61, 0xC3]
        let found = try Self.matches("a", bytes)
        #expect(found?.map(\.range) == [0..<1, 4..<5])
        #expect(try Self.matches("é", bytes)?.map(\.range) == [1..<2])
        #expect(try Self.matches(".", bytes)?.count == 6)
    }

    @Test(
        "What cannot be read is refused",
        arguments: [
            ("(a", "this ( is never closed"), ("a(?=b)", "looking ahead or behind is not supported"),
            (#"(a)\1"#, "references to groups are not supported"), ("*", "there is nothing here to repeat"),
            (String(repeating: "a", count: 1_001), "a pattern has at most 1000 characters"),
        ]
    )
    func refused(pattern: String, sentence: String) {
        #expect {
            try ReplacedPattern(pattern)
        } throws: { ($0 as? RegexReader.Problem)?.sentence == sentence }
    }

    @Test("A template names only groups that the expression has")
    func groups() throws {
        #expect(throws: ValueProblem.self) { try Template("${2}", groups: try ReplacedPattern("(a)").groups) }
        #expect(throws: ValueProblem.self) { try Template("${1}") }
        #expect(try ReplacedPattern("((a)(b)(c)(d)(e)(f)(g)(h)(i)(j))").groups == 9)
    }
}
