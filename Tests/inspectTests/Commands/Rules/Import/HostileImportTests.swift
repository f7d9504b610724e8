import Foundation
import Support
import Testing
import Traffic

@testable import inspect

/// Files that are broken, or made to harm, give one line each, and never a rules file that cannot be read.
@Suite(.timeLimit(.minutes(15))) struct HostileImportTests {
    /// What an import of a text answers, where it refuses it.
    private static func refusal(_ text: String) -> String? {
        do {
            _ = try ImportedSample(text)
            return nil
        } catch {
            return CommandFailure(error, arguments: ["inspect", "rules", "import", "file"]).line
        }
    }

    private static let laughs =
        "<!DOCTYPE r [<!ENTITY a \"ha\">"
        + (1...9).map { "<!ENTITY a\($0) \"\(String(repeating: "&a;", count: 10))\">" }.joined()
        + "]><r>&a9;</r>"

    private static let broken: [(String, String)] = [
        (laughs, "file:1:1: rules have no document type of their own"),
        (
            "\u{FEFF}<?xml version=\"1.0\"?>\n<!DOCTYPE r SYSTEM \"file:///etc/passwd\"><r/>",
            "file:2:1: rules have no document type of their own"
        ),
        (String(repeating: "<a>", count: 100_000), "file:1:99: elements lie more than 32 deep in one another"),
        ("<a>" + String(repeating: "<b/>", count: 250_000) + "</a>", "the file holds more than 200000 elements"),
        ("<a " + (0...1_000).map { "a\($0)=''" }.joined(separator: " ") + "/>", "an element has too many attributes"),
        (
            "<?xml\t version='1.0'\n encoding = \"UTF-7\"?>\n+ADwAIQ-DOCTYPE r><r/>",
            "file:1:1: the encoding 'utf-7' is not read; save the file as UTF-8"
        ),
        (
            "<?xml version='1.0'?><?xml\nversion='1.0' encoding='UTF-7'?><r/>",
            "file:1:1: the file has two XML declarations"
        ),
        ("<?xml version='1.0' encoding='UTF-7'", "file:1:1: the XML declaration does not end"),
        ("<a/>\n<?xml version='1.0' encoding='UTF-7'?>", "the XML cannot be read beyond this place"),
        (
            String(laughs.utf8.flatMap { "\(Character(Unicode.Scalar($0)))\0" }),
            "file:1:1: the file holds signs that are no text"
        ),
        ("<a>\n<b></a>", "the XML cannot be read beyond this place"),
        ("<a><b>", "the XML cannot be read beyond this place"),
        ("<a/><b/>", "the XML cannot be read beyond this place"),
        ("<a>&b;</a>", "the XML cannot be read beyond this place"),
        ("<a>\0</a>", "the file holds signs that are no text"), ("<", "the file holds no XML"),
        ("<a/>", "inspect: file holds no rules of Charles, Fiddler or mitmproxy"),
        ("", "inspect: file holds no rules of Charles, Fiddler or mitmproxy"),
        ("a: [", "file:"), ("just words", "inspect: file holds no rules of Charles, Fiddler or mitmproxy"),
    ]

    @Test("A file that is no XML of rules, or more than that, is refused at its place", arguments: broken)
    func refused(_ text: String, _ part: String) {
        let line = Self.refusal(text)
        #expect(
            line?.contains(part) == true && line?.contains("\n") == false,
            "\(line ?? "nil")"
        )
    }

    @Test("More rules than are taken, and a set for more places than a query holds, are said")
    func tooMany() throws {
        let rule = "<ResponseRule Match='x' Action='*drop'/>"
        let many = "<s>\(String(repeating: rule, count: RuleList.limit + 1))</s>"
        #expect(Self.refusal(many) == "inspect: file holds 10001 rules; at most 10000 are taken")
        let place = "<locationMatch><location><host>a.test</host></location></locationMatch>"
        let places = try ImportedSample(
            "<rewriteSet><name>n</name><hosts>\(String(repeating: place, count: 1_000))</hosts><rules><rewriteRule/></rules></rewriteSet>"
        )
        #expect(places.rules.isEmpty && places.text.contains("its set is for more places than a query holds"))
    }

    @Test("One long text that is in every rule costs its length once, and rules are counted before they are made")
    func repeated() throws {
        let name = String(repeating: "n", count: 1 << 20)
        func set(_ count: Int, _ hosts: String, _ rule: String = "") -> String {
            "<rewriteSet>\(String(repeating: "<b/>", count: 20_000))<name>\(name)</name><hosts>\(hosts)</hosts>"
                + "<rules>\(String(repeating: "<rewriteRule>\(rule)</rewriteRule>", count: count))</rules></rewriteSet>"
        }
        let named = try ImportedRules(set(1_000, ""), path: "file")
        #expect(named.rules.count == 1_000 && named.rules.allSatisfy { $0.name.utf8.count < 200 })
        #expect(Self.refusal(set(10_001, "")) == "inspect: file holds 10001 rules; at most 10000 are taken")
        let places = String(repeating: "<locationMatch/>", count: 10_001)
        let blocks = Self.refusal("<blacklist><locations>\(places)</locations></blacklist>")
        #expect(blocks == "inspect: file holds 10001 rules; at most 10000 are taken")
        let host = "<locationMatch><location><host>\(name.prefix(9_000))</host></location></locationMatch>"
        let adds = "<ruleType>8</ruleType><newHeader>a</newHeader>"
        let long = Self.refusal(set(2_000, host, adds))
        #expect(long == "inspect: file holds rules that take over 4 MiB when they are written out")
    }

    @Test("A text that YAML names again and again counts as often")
    func aliases() {
        func refusal(_ length: Int, _ count: Int) -> String? {
            let text = String(repeating: "x", count: length)
            return Self.refusal("block_list: [&a '\(text)'\(String(repeating: ",*a", count: count))]")
        }
        #expect(refusal(10, 10_000) == "inspect: file holds 10001 rules; at most 10000 are taken")
        let long = "file:1:14: the file holds too long texts; aliases count as often as they are named"
        #expect(refusal(60_000, 100) == long && refusal(100_000, 10_000) == long)
    }

    @Test("An attribute may hold any signs, and a text as many equals signs as it likes")
    func equals() throws {
        let signs = String(repeating: "=", count: 5_000)
        let sample = try ImportedSample(
            "<s><ResponseRule Match=\"a\" Action=\"*drop\" Comment='>\(signs)'/>\(signs)</s>"
        )
        #expect(sample.rules.count == 1)
    }

    @Test("Conditions of a thousand parts, long values and a filter of brackets end")
    func long() throws {
        for (text, sentence) in [
            (
                "<ResponseRule Match='\(String(repeating: "METHOD:GET ", count: 9_000))' Action='*drop'/>",
                "too many parts"
            ),
            ("<ResponseRule Match='\(String(repeating: "1%:", count: 9_000))' Action='*drop'/>", "too many parts"),
            ("block_list:\n- '|\(String(repeating: "(", count: 60_000))|404'\n", "at most 64 KiB"),
            ("block_list:\n- '|\(String(repeating: "a", count: 70_000))|404'\n", "its value is over 64 KiB"),
        ] {
            let sample = try ImportedSample(text)
            #expect(sample.rules.isEmpty && sample.text.contains(sentence), "\(sample.text.suffix(200))")
        }
    }

    @Test("A million signs that stand for others, and thousands of brackets, are read in one go")
    func signs() throws {
        let count = 50_000
        func body(_ new: String) throws -> String {
            try ImportedSample(
                """
                <rewriteSet><name>n</name><hosts><locationMatch/></hosts><rules><rewriteRule><ruleType>7</ruleType><matchValue>(a)</matchValue>
                <matchValueRegex>true</matchValueRegex><matchResponse>true</matchResponse><newValue>\(new)</newValue></rewriteRule></rules>
                </rewriteSet>
                """
            ).text
        }
        #expect(try body(String(repeating: "$1", count: 1 << 20)).contains("a replacement over 1 MiB"))
        #expect(try body(String(repeating: "\\$", count: count)).contains(String(repeating: "$", count: count)))
        let values = (0..<3).map { "- '/~s/a\($0)/\(String(repeating: "\\\\", count: 15_000))'\n" }
        #expect(try ImportedSample("modify_body:\n\(values.joined())").rules.count == 3)
        let brackets = (0..<20).map { "- '|\(String(repeating: "[-", count: 1_990))|/tmp/x\($0)'\n" }
        #expect(try ImportedSample("map_local:\n\(brackets.joined())").rules.isEmpty)
        let quotes = "- '|\(String(repeating: "~d \"a\" ", count: 8_000))|404'\n"
        #expect(try ImportedSample("block_list:\n\(quotes)").text.contains("at most 64 KiB"))
    }

    @Test("The places of a set are read once, and whether a file can be read is found without its content")
    func once() throws {
        let place = (0..<300).map { "<locationMatch><location><host>a\($0)</host></location></locationMatch>" }.joined()
        let rule = "<rewriteRule><ruleType>8</ruleType><newHeader>a</newHeader></rewriteRule>"
        func cost(_ count: Int) throws -> Double {
            let rules = String(repeating: rule, count: count)
            let set = "<rewriteSet><name>n</name><hosts>\(place)</hosts><rules>\(rules)</rules></rewriteSet>"
            var made: [ImportedRule] = []
            let cost = try ThreadTime.least { made = try ImportedRules(set, path: "file").rules }
            #expect(made.count == count && made.allSatisfy { $0.isSaid && $0.condition.contains("a299") })
            return cost
        }
        let (one, many) = (try cost(1), try cost(300))
        #expect(throws: InputError.self, "300 places are tested by each of 400 rules") { try cost(400) }
        #expect(many < 100 * one, "\(many / one)")
        let directory = try TemporaryDirectory()
        let file = directory.file("large")
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        let bodies = (0..<1_000).map { "- '/~s & ~u x\($0)/.*/@\(file)'\n" }.joined()
        func cost() throws -> Double {
            try ThreadTime.least {
                let taken = try ImportedRules("modify_body:\n\(bodies)", path: "file")
                #expect(taken.rules.count { $0.isSaid } == 1_000)
            }
        }
        let empty = try cost()
        #expect(truncate(file, off_t(8) << 20) == 0)
        let full = try cost()
        #expect(full < 2 * empty, "\(full / empty)")
        #expect(truncate(file, off_t(8) << 20 + 1) == 0)
        let refused = try ImportedRules("modify_body: ['|.*|@\(file)']", path: "file")
        #expect(refused.text.contains("cannot be read: it is over 8 MiB"))
    }

    private static let files = [
        """
        <?xml version='1.0' encoding='UTF-8' ?>
        <r><rewriteSet><active>true</active><name>né "w"</name><hosts><locationMatch><location><host>*.a.test</host><path>/x?</path>
        </location></locationMatch></hosts><rules><rewriteRule><ruleType>3</ruleType><matchHeader>A</matchHeader><matchValue>b.c</matchValue>
        <matchValueRegex>true</matchValueRegex><matchRequest>true</matchRequest><newValue>${d} $1 \\ "e"</newValue></rewriteRule></rules>
        </rewriteSet><mapMapping><sourceLocation><host>a.test</host></sourceLocation><destLocation><host>b.test</host></destLocation></mapMapping></r>
        """,
        """
        <AutoResponder><State><ResponseRule Match="regex:(?i)a\\.b/, &quot;" Action="http://a.test/b?c" Latency="5"/>
        <ResponseRule Match="METHOD:GET 30%:x" Action="*redir:https://b.test/"/></State></AutoResponder>
        """,
        """
        map_remote: ["|https://a.test/|https://b.test/"]
        modify_body: ['/~s & (~d "a b" | !~u c)/d(e)/\\\\1${f}']
        block_list: [':~u "x\\\\.y":404']
        """,
    ]

    /// Signs that mean something in one of the languages.
    private static let signs = Array("<>&;\"'\\/,|!~()[]{}*?$:#-\n\t \u{301}\u{2028}é0".unicodeScalars)

    @Test("A thousand damaged files give one line, or rules that can be read", arguments: files)
    func damaged(_ file: String) {
        let scalars = Array(file.unicodeScalars)
        for seed in 0..<334 {
            var random = Dice(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1)
            var damaged = scalars
            for _ in 0..<Int.random(in: 1...4, using: &random) where !damaged.isEmpty {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: damaged.removeSubrange(place...)
                case 1: damaged.remove(at: place)
                case 2: damaged[place] = signs(&random)
                default: damaged.insert(signs(&random), at: place)
                }
            }
            var text = String.UnicodeScalarView()
            text.append(contentsOf: damaged)
            let line = Self.refusal(String(text))
            #expect(line?.contains("\n") != true, "\(seed): \(line ?? "")")
        }
    }

    private func signs(_ random: inout Dice) -> Unicode.Scalar {
        Self.signs.randomElement(using: &random) ?? " "
    }

    /// Numbers that are the same in every run.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
