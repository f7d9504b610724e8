import Testing
import Traffic

@Suite("Exchanges of two sets that stand in the same place find each other", .timeLimit(.minutes(15)))
struct ExchangeAlignmentTests {
    /// A line of a set, `GET /a` or `GET other.test/a`.
    private func row(_ id: Int, _ text: String) -> ExchangeSummary {
        var exchange = SampleExchange(ExchangeID(id)).exchange
        let parts = text.split(separator: " ")
        exchange.method = String(parts[0])
        exchange.host = parts[1].hasPrefix("/") ? "api.example.test" : String(parts[1].prefix { $0 != "/" })
        exchange.target = String(parts[1].drop { $0 != "/" })
        return exchange.summary
    }

    /// The places as `1-101`, `2-`, `-103`; the right side counts from 101.
    private func places(_ left: [String], _ right: [String], ignoring noise: [String] = []) throws -> [String] {
        var alignment = ExchangeAlignment(noise: try DiffNoise(declared: noise))
        for (index, text) in left.enumerated() { alignment.addLeft(row(index + 1, text)) }
        for (index, text) in right.enumerated() { alignment.addRight(row(index + 101, text)) }
        return alignment.places().map { place in
            switch place {
            case .both(let left, let right): "\(left)-\(right)"
            case .removed(let left): "\(left)-"
            case .added(let right): "-\(right)"
            }
        }
    }

    @Test(
        "By method, path and query whatever its order, then by endpoint, in their order",
        arguments: [
            (["GET /a", "GET /b"], ["GET /b", "GET /a"], ["1-102", "2-101"]),
            (["GET /a", "GET /a", "GET /a"], ["GET /a", "GET /a"], ["1-101", "2-102", "3-"]),
            (["GET /a"], ["POST /a"], ["1-", "-101"]),
            (["GET /a?x=1&y=2"], ["GET /a?y=2&x=1"], ["1-101"]),
            (["GET /items/7"], ["GET /items/8"], ["1-101"]),
            (["GET /items/seven"], ["GET /items/eight"], ["1-", "-101"]),
            (["GET /items/7", "GET /items/8"], ["GET /items/8", "GET /items/9"], ["1-102", "2-101"]),
            (["GET /a?page=1", "GET /a?page=2"], ["GET /a?page=2", "GET /a?page=3"], ["1-102", "2-101"]),
            (["GET /a?page=1"], ["GET /a?size=1"], ["1-", "-101"]),
            (["GET one.test/a"], ["GET two.test/a"], ["1-101"]),
            (["GET one.test/a", "GET two.test/a"], ["GET two.test/a", "GET one.test/a"], ["1-102", "2-101"]),
        ]
    )
    func places(left: [String], right: [String], expected: [String]) throws {
        #expect(try places(left, right) == expected)
    }

    @Test("Query items that are noise do not part them")
    func noise() throws {
        #expect(try places(["GET /a?ts=1"], ["GET /a"], ignoring: ["query:ts"]) == ["1-101"])
        #expect(try places(["GET /a?ts=1"], ["GET /a"]) == ["1-", "-101"])
    }

    @Test("Many values in one place of the path are one endpoint")
    func templates() throws {
        let left = (0..<60).map {
            "GET /u/name\(String(UnicodeScalar(UInt8(97 + $0 % 26))))x\("abc".dropFirst($0 / 26))"
        }
        #expect(try places(left + ["GET /u/onlyleft/p"], ["GET /u/onlyright/p"]).contains("61-101"))
    }
}
