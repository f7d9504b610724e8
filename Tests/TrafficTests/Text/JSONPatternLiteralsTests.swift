import Support
import Testing

@testable import Traffic

@Suite("What a text holds where a JSON pattern is met", .timeLimit(.minutes(15)))
struct JSONPatternLiteralsTests {
    private func pattern(_ query: String) throws -> JSONPattern {
        let filter = try FilterParser.parse(query, now: 0)
        guard case .test(.json(let patterns))? = filter.conditions.first, let first = patterns.first else {
            throw Unexpected()
        }
        return first
    }

    private struct Unexpected: Error {}

    @Test(
        "Names stand in quotes, values too where all of a string is asked for; numbers and what may be escaped are not counted on",
        arguments: [
            ("json:$.user.name=Ann", [#""ann""#, #""user""#, #""name""#]), ("json:$..id>5", [#""id""#]),
            ("json:$.id=5", [#""id""#]), ("json:$.id=0x10", [#""id""#]), ("json:$.ok=TRUE", ["true", #""ok""#]),
            ("json:$.a=*fox*", ["fox", #""a""#]), ("json:$.a=/b[ao]r-x/", ["r-x", #""a""#]),
            ("json:$.a=*10*", [#""a""#]), ("json:$.a=/1e/", [#""a""#]),
            ("json:$.a=\"https://x.test/y\"", ["https:", #""a""#]),
            ("json:$[*][0]", []), ("json:\"$['é']\"", []), ("json:$.n=Café", [#""n""#]),
        ]
    )
    func literals(query: String, expected: [String]) throws {
        let found = try pattern(query).literals.map { String(decoding: $0, as: UTF8.self) }
        #expect(found == expected)
    }

    @Test("Escapes are those that may stand for a character of the literals, capitals and K and İ too")
    func escapes() {
        let found = JSONPattern.escapes(of: [Array(#""k1""#.utf8), Array("i ".utf8)])
        let expected = [#"\u002"#, #"\u003"#, #"\u004"#, #"\u006"#, #"\u013"#, #"\u212"#]
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    private static let characters: [Character] = [
        "f", "o", "X", "k", "K", "\u{212A}", "i", "İ", "é", "e\u{301}", "/", "\"", "\\", ";", "\u{37E}", "1", "0", " ",
        "\n", "ß",
    ]

    /// A string as some program may write it.
    private func written(_ text: String, _ generator: inout SeededGenerator) -> String {
        let units = text.unicodeScalars.map { scalar -> String in
            let short: [Unicode.Scalar: String] = ["\"": #"\""#, "\\": #"\\"#, "\n": #"\n"#]
            let isEscaped = Int.random(in: 0..<6, using: &generator) == 0
            if !isEscaped { return short[scalar] ?? String(scalar) }
            if scalar == "/" { return #"\/"# }
            let hex = String(scalar.value, radix: 16, uppercase: Bool.random(using: &generator))
            return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }
        return "\"" + units.joined() + "\""
    }

    @Test(
        "A text in which a pattern is met holds all its literals or an escape",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func soundness(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func word(_ most: Int) -> String {
            String(
                (0..<Int.random(in: 1...most, using: &generator)).map { _ in
                    Self.characters.randomElement(using: &generator) ?? "x"
                }
            )
        }
        var met = 0
        for _ in 0..<5_000 {
            let (name, value) = (word(3), word(5))
            // What is asked for is often what is there, or a part of it in another case.
            var wanted = Bool.random(using: &generator) ? value : word(2)
            if Bool.random(using: &generator) { wanted = wanted.uppercased() }
            let condition: JSONPattern.Condition =
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: .exists
                case 1: .equals(wanted)
                case 2: .like(TextPattern(containing: String(wanted.prefix(3))))
                default:
                    .like(TextPattern(glob: "*" + wanted.replacing("*", with: "") + "*") ?? TextPattern(containing: ""))
                }
            let asked = Int.random(in: 0..<8, using: &generator) == 0 ? word(3) : name
            let pattern = JSONPattern(path: JSONPath(steps: [.name(asked)]), condition: condition)
            let number = ["1e1", "100", "10.0", "true", "null"].randomElement(using: &generator) ?? "1"
            let written = Bool.random(using: &generator) ? written(value, &generator) : number
            let text = "{\(self.written(name, &generator)): \(written)}"
            guard pattern.matches([try JSONReader.value(Array(text.utf8))]) else { continue }
            met += 1
            let folded = TextFold.bytes(text)
            func holds(_ bytes: [UInt8]) -> Bool { TextFold.find(bytes, in: folded) != nil }
            let literals = pattern.literals
            let isSound = literals.allSatisfy(holds) || JSONPattern.escapes(of: literals).contains(where: holds)
            #expect(isSound, "\(text) has \(pattern)")
        }
        #expect(met > 500)
    }
}
