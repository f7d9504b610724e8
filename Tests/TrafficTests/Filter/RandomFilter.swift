import Support

@testable import Traffic

/// Filters drawn at random, of every kind of test.
struct RandomFilter {
    var dice: SeededGenerator

    init(seed: UInt64) { dice = SeededGenerator(seed: seed) }

    private static let words = [
        "a", "v2", "not found", "x,y", "q\"uote", "back\\slash", "é", "(b)", "-c", "or", "code:1", "*", "a=b", ">1",
        "/v2/", "/a",
        "ß", "\t", "Ärger", "日本", "none", "json", "a|b", "!a", "a&", "R&D",
    ]
    private static let regexes = ["a\\d+", "^x|y$", "[^a-f]{2,3}", "(a|b)*c", "\\bfoo\\b", "é+", "a/b.*"]
    private static let globs = ["a*", "*.json", "/v2/*/x", "é*ß", "*"]
    private static let paths = ["$.a", "$.items[0].id", "$['a b'].c", "$..id", "$.x[*]", "$['it\\'s']", "$"]

    private mutating func one<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &dice) }

    private mutating func some<Value>(_ make: (inout RandomFilter) -> Value) -> [Value] {
        (0..<Int.random(in: 1...3, using: &dice)).map { _ in make(&self) }
    }

    mutating func filter() -> Filter {
        var filter = Filter()
        for _ in 0..<Int.random(in: 0...4, using: &dice) { filter.require(condition(depth: 0)) }
        return filter
    }

    mutating func condition(depth: Int) -> FilterCondition {
        switch Int.random(in: 0..<(depth > 3 ? 6 : 10), using: &dice) {
        case 0..<6: .test(test())
        case 6, 7: .negation(condition(depth: depth + 1))
        case 8: .allOf(some { $0.condition(depth: depth + 1) })
        default: .anyOf(some { $0.condition(depth: depth + 1) })
        }
    }

    mutating func pattern(isPath: Bool = false) -> TextPattern {
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: (try? TextPattern(regex: one(Self.regexes) ?? "a.*")) ?? TextPattern(containing: "x")
        case 1: TextPattern(glob: one(Self.globs) ?? "*") ?? TextPattern(containing: "x")
        default: TextPattern(containing: one(Self.words) ?? "a")
        }
    }

    private mutating func selector(_ facet: Facet) -> FacetSelector {
        let texts: [String: [String]] = [
            "code": ["404", "5xx", "400-499", ">=400", "<=399", "pending", "none", "/^4/"],
            "method": ["get", "m-search", "none", "/^P/"], "scheme": ["https", "ws", "none"],
            "host": ["a.test", "*.a.test", "2001:db8::1", "none", "/^a\\./", "*"],
            "type": ["json", "image", "image/*", "application/json", "none", "/xml$/"],
            "version": ["1.0", "2", "ws", "none"], "outcome": ["completed", "failed", "cancelled", "pending"],
            "tag": ["slow", "b*", "none"], "lens": ["json", "cloud*", "none", "/^w/"],
            "rule": ["staging", "as the Beta app", "b*", "none", "/^n/"],
            "process": ["curl", "Web Content", "none", "/^p/", "py*"],
            "client": ["bruin", "What's Open", "a\"b c", "a\"b", "none", "/^a/", "b*", "x,y", "(b)", ">1", "safari"],
        ]
        let text = one(texts[facet.name] ?? ["none"]) ?? "none"
        return (try? FacetSelector(text, in: facet)) ?? .exactly("none")
    }

    private mutating func range() -> ClosedRange<Int64> {
        let low = Int64.random(in: 0...(one([3, 3_000, 3_000_000]) ?? 3), using: &dice)
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: return low...low
        case 1: return low...Int64.max
        case 2: return 0...low
        default: return low...low + Int64.random(in: 0...1_000_000, using: &dice)
        }
    }

    private mutating func json() -> JSONPattern {
        let path = (try? JSONPath(one(Self.paths) ?? "$")) ?? JSONPath(steps: [])
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: return JSONPattern(path: path, condition: .exists)
        case 1:
            return JSONPattern(
                path: path,
                condition: .compared(one(JSONPattern.Sign.allCases) ?? .over, Double(range().lowerBound) / 4)
            )
        case 2: return JSONPattern(path: path, condition: .equals(one(Self.words) ?? "a"))
        default:
            let pattern = pattern()
            return JSONPattern(
                path: path,
                condition: pattern.form == .contains ? .equals(pattern.source) : .like(pattern)
            )
        }
    }

    private mutating func header() -> HeaderPattern {
        switch Int.random(in: 0..<3, using: &dice) {
        case 0:
            (try? TextPattern(regex: "^x-.*:\\s1")).map { HeaderPattern(name: .line($0), value: nil) }
                ?? HeaderPattern(name: .named(TextPattern(containing: "a")), value: nil)
        case 1: HeaderPattern(name: .named(TextPattern(glob: "x-*") ?? TextPattern(containing: "x")), value: nil)
        default: HeaderPattern(name: .named(TextPattern(containing: "content-type")), value: pattern())
        }
    }

    mutating func test() -> FilterTest {
        let side = one([MessageSide.request, .response, nil]) ?? nil
        switch Int.random(in: 0..<14, using: &dice) {
        case 0..<4:
            let facet = one(Facet.all) ?? .code
            // A list names no value twice.
            let wanted = some { $0.selector(facet) }.reduce(into: [FacetSelector]()) {
                if !$0.contains($1) { $0.append($1) }
            }
            return .facet(facet, wanted)
        case 4, 5: return .number(one(FilterNumber.allCases) ?? .port, some { $0.range() })
        case 6: return Bool.random(using: &dice) ? .since(range().lowerBound) : .before(range().lowerBound * 7)
        case 7, 8: return .line(one(FilterLine.allCases) ?? .path, some { $0.pattern() })
        case 9: return .header(side, some { $0.header() })
        case 10: return .body(side, some { $0.pattern() })
        case 11: return .json(some { $0.json() })
        case 12:
            return Bool.random(using: &dice)
                ? .message(some { $0.pattern() }) : .trait([one(FilterTrait.allCases) ?? .replay])
        default:
            let pattern = pattern()
            return .text(pattern.form == .glob ? TextPattern(containing: pattern.source) : pattern)
        }
    }
}
