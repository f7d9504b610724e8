import Foundation
import Support
import Synchronization
import Testing

@testable import Traffic

@Suite("Regular expressions in time proportional to the text", .timeLimit(.minutes(15)))
struct TextRegexTests {
    @Test(
        "What matches",
        arguments: [
            ("abc", "xABCx", true), ("(?-i)abc", "xABCx", false), ("^abc$", "abc", true), ("^abc$", "abcd", false),
            ("a.c", "a\nc", false),
            ("(?s)a.c", "a\nc", true), ("a{2,3}b", "xaab", true), ("^a{2,3}b", "aaaab", false),
            ("a{,3}", "a{,3}", true),
            ("[^a-c]", "abc", false), ("[^a-c]", "ABCd", true), ("[]x]", "]", true), ("[a\\]b-]+$", "a]-", true),
            ("\\bfoo\\b", "a foo.", true),
            ("\\bfoo\\b", "afoo", false), ("foo\\B", "foox", true), ("\\b1\\b", "é1", true), ("$\\b", "B1", true),
            ("é", "É", true), ("[à-ö]", "É", true),
            (".", "😀", true),
            ("^.$", "😀", true), ("\\u{1F600}", "😀", true), ("(a|b|)c", "c", true), ("", "", true), ("a??b", "b", true),
            ("\\x41\\t", "a\t", true), ("(?:a|(?<n>b))+$", "abab", true), ("\\d{3}-\\d{4}", "555-1234", true),
            ("{\"a\":1}", "{\"A\":1}", true), ("^\\s+$", "\u{A0}\u{2003}\u{3000}\u{FEFF} \t", true),
            ("^\\p{L}+$", "Zürich日", true), ("(?-i)\\p{Lu}", "a", false),
            ("\\p{Lu}", "a", true), ("^[\\p{Letter}\\p{Nd}_]+$", "a1_৪", true), ("\\P{N}", "1২Ⅷ", false),
            ("^[^\\p{Sc}]$", "€", false),
            // A set with a name is the same in a class and outside of one: case does not come to it twice.
            ("\\P{Lu}", "S", false), ("[\\P{Lu}]", "S", false), ("[x\\P{Lu}]", "I", false), ("[x\\P{Lu}]", "X", true),
            ("(?-i)[\\P{Lu}]", "s", true), ("(?-i)[^\\p{Lu}]", "S", false), ("^[\\p{Ll}]$", "S", true),
            ("a.b", "a\rb", false), ("a.b", "a\u{2028}b", false), ("(?s)a.b", "a\rb", true),
            ("^\\cC\\cj$", "\u{3}\n", true),
            ("\\S", "\u{2028}\u{2029}\u{202F}", false), ("\\s", "\u{200B}\u{180E}", false),
        ]
    )
    func table(pattern: String, text: String, isMatch: Bool) throws {
        #expect(try TextPattern(regex: pattern).matches(text) == isMatch)
    }

    @Test("Patterns that make others hang, and texts in pieces")
    func hostile() throws {
        let long = String(repeating: "a", count: 200_000)
        for pattern in [
            "(a+)+$", "(a|a)*b", "(a*)*b", "(.*)*x", "(a|aa)+$", "a*a*a*a*a*a*a*b", "(a?){100}a{100}b",
            "((a{0,30}){0,30})b", ".*.*.*=.*",
        ] {
            let regex = try TextPattern(regex: pattern)
            var scan = regex.scan()
            var found = false
            for piece in 0..<4 {
                found =
                    Array(long.utf8.dropFirst(piece * 50_000).prefix(50_000)).withUnsafeBytes { scan.feed($0) } || found
            }
            found =
                "!".utf8.withContiguousStorageIfAvailable { scan.feed(UnsafeRawBufferPointer($0)) } ?? false || found
            #expect(!(scan.finish() || found), "\(pattern)")
        }
        for pattern in [
            String(repeating: "a", count: 1_001), "((((a{1000}){1000}){1000}){1000})", "(){1000}{2}",
            "((){1000}){1000}", String(repeating: "(", count: 500),
        ] {
            #expect(throws: RegexReader.Problem.self) { try TextPattern(regex: pattern) }
        }
    }

    @Test("Swift's own engine agrees, on texts in one piece or in several", arguments: 1...6 as ClosedRange<UInt64>)
    func judge(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        // Not \b: Swift's, held to ASCII, takes no digit for a part of a word.
        let atoms = ["a", "b", "é", ".", "[ab]", "[^a]", "\\d", "\\w", "1", "^", "$", "(?:ab|b)", "(a|1)", "x"]
        let suffixes = ["", "", "", "*", "+", "?", "{2}", "{1,2}", "{0,3}"]
        for _ in 0..<150 {
            var pattern = ""
            for _ in 0..<Int.random(in: 1...5, using: &dice) {
                let atom = atoms.randomElement(using: &dice) ?? "a"
                pattern += atom + (["^", "$"].contains(atom) ? "" : suffixes.randomElement(using: &dice) ?? "")
                if Int.random(in: 0..<6, using: &dice) == 0 { pattern += "|" }
            }
            let judge = try Regex<AnyRegexOutput>("(?:" + pattern + ")").ignoresCase().matchingSemantics(.unicodeScalar)
                .asciiOnlyWordCharacters().asciiOnlyDigits().wordBoundaryKind(.simple)
            let regex = try TextPattern(regex: pattern)
            for _ in 0..<12 {
                let letters = ["a", "B", "b", "1", "é", "É", " ", "x"]
                let text = (0..<Int.random(in: 0...7, using: &dice)).map { _ in
                    letters.randomElement(using: &dice) ?? "a"
                }.joined()
                let expected = text.firstMatch(of: judge) != nil
                #expect(regex.matches(text) == expected, "\(pattern) on \(text)")
                var scan = regex.scan()
                var isFound = false
                for character in text {
                    isFound = Array(String(character).utf8).withUnsafeBytes { scan.feed($0) } || isFound
                }
                #expect((scan.finish() || isFound) == expected, "\(pattern) on \(text) in pieces")
            }
        }
    }

    @Test("A text is found whatever its case and wherever the pieces end", arguments: 1...3 as ClosedRange<UInt64>)
    func folding(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let letters = ["a", "B", "É", "é", "ß", "İ", "日", " ", "Σ"]
        for _ in 0..<400 {
            func word(_ range: ClosedRange<Int>) -> String {
                (0..<Int.random(in: range, using: &dice)).map { _ in letters.randomElement(using: &dice) ?? "a" }
                    .joined()
            }
            let (needle, text) = (word(1...3), word(0...12))
            let fold: (String) -> String = { $0.unicodeScalars.map(\.properties.lowercaseMapping).joined() }
            let expected = Array(fold(text).utf8).firstRange(of: Array(fold(needle).utf8)) != nil
            let pattern = TextPattern(containing: needle)
            #expect(pattern.matches(text) == expected)
            var scan = pattern.scan()
            for scalar in text.unicodeScalars { _ = Array(String(scalar).utf8).withUnsafeBytes { scan.feed($0) } }
            #expect(scan.finish() == expected, "\(needle) in \(text)")
        }
    }

    @Test("A general category is looked for once, whatever number of patterns name it")
    func categories() throws {
        func ranges(_ pattern: String) throws -> [ClosedRange<UInt32>] {
            guard case .set(let set) = try RegexReader.read(pattern) else { return [] }
            return set.ranges
        }
        for (pattern, same) in [
            ("\\p{Lu}", "\\p{Lu}"), ("(?-i)\\p{Letter}", "(?-i)\\p{L}"), ("\\P{Sc}", "\\P{Currency_Symbol}"),
            ("(?-i)\\P{N}", "(?-i)\\P{N}"),
        ] {
            let (one, other) = (try ranges(pattern), try ranges(same))
            let places = [one, other].map { $0.withUnsafeBufferPointer(\.baseAddress) }
            #expect(one.count > 1 && places[0] == places[1], "\(pattern)")
        }
    }

    @Test("A search is given up once its work is done, and says so")
    func work() throws {
        var dice = SeededGenerator(seed: 5)
        let letters = (0..<50_000).map { _ in UInt8.random(in: 0x61...0x62, using: &dice) }
        var left = 100_000
        let pattern = try TextPattern(regex: "^[ab]*a[ab]{900}c")
        var isMatch = pattern.matches(String(decoding: letters, as: UTF8.self), work: &left)
        #expect(isMatch == nil && left <= 0)
        left = 0
        isMatch = pattern.matches("a", work: &left)
        #expect(isMatch == nil && left == 0, "Nothing more is looked at")
        // What is plain costs little more than its bytes, wherever the pieces of a long text end.
        let plain = try TextPattern(regex: "é日😀x")
        for (text, wanted) in [("é日😀x", true), ("é日😀y", false), ("", false)] {
            for blanks in [0, 4_089, 4_093, 4_095, 4_096, 10_001] {
                let long = String(repeating: " ", count: blanks) + text
                left = 2 * long.utf8.count + 1_000
                isMatch = plain.matches(long, work: &left)
                #expect(isMatch == wanted && left > 0)
            }
        }
        left = 10
        isMatch = TextPattern(containing: "b").matches("abc", work: &left)
        #expect(isMatch == true && left == 7)
    }

    @Test("More states than a short table would hold are found once each, and forgotten only for their size")
    func manyStates() throws {
        let node = try RegexReader.read("a[ab]{10}c")
        let program = try RegexProgram(node)
        var dice = SeededGenerator(seed: 3)
        let text = (0..<20_000).map { _ in UInt8.random(in: 0x61...0x62, using: &dice) }
        var scan = RegexScan(program)
        #expect(!text.withUnsafeBytes { scan.feed($0) } && !scan.finish())
        let known = program.states.withLock { (count: $0.states.count, generation: $0.generation) }
        #expect(known.count > 1_500 && known.generation == 0)
        // Some that are as large as can be do not stay.
        let large = try RegexProgram(RegexReader.read("[ab]*a[ab]{900}c"))
        scan = RegexScan(large)
        #expect(!text.prefix(3_000).withUnsafeBytes { scan.feed($0) } && !scan.finish())
        #expect(large.states.withLock { $0.generation } > 0)
    }
}
