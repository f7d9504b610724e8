import Foundation
import Testing
import Traffic

@testable import Web

@Suite("Addresses are read the way they are written")
struct AddressTests {
    @Test(
        "Query pairs are decoded, and what is not percent-encoding stands for itself",
        arguments: [
            ("a=1&b=2", "b", "2"), ("host=a%2Ab", "host", "a*b"), ("a=x+y", "a", "x y"), ("a=100%", "a", "100%"),
            ("a=%zz", "a", "%zz"),
            ("a", "a", ""), ("a=b=c", "a", "b=c"), ("a=%C3%A9", "a", "é"), ("%61=1", "a", "1"), ("&&a=1", "a", "1"),
        ]
    )
    func decodes(query: String, name: String, value: String) {
        #expect(QueryItems(query).first(name) == value)
    }

    @Test("Taking a pair away leaves the others as they stood")
    func removes() {
        #expect(QueryItems("a=%2a&token=x&b&token").removing("token").text == "a=%2a&b")
    }

    /// 2026-11-20T14:00:00Z.
    static let now = Date(timeIntervalSince1970: 1_795_183_200)

    @Test(
        "Ages count back and times stand for themselves",
        arguments: [
            ("90s", 1_795_183_110_000_000), ("10m", 1_795_182_600_000_000), ("1d", 1_795_096_800_000_000),
            ("2026-11-20T14:00:00Z", 1_795_183_200_000_000), ("2026-11-20T14:00Z", 1_795_183_200_000_000),
            ("2026-11-20T16:00+02:00", 1_795_183_200_000_000), ("2026-11-20 10:00:00.25-0400", 1_795_183_200_250_000),
            ("2026-11-20T14:00:00.123456789Z", 1_795_183_200_123_456),
        ] as [(String, Int64)]
    )
    func moments(text: String, microseconds: Int64) throws {
        #expect(try Moment.parse(text, key: "since", now: Self.now) == microseconds)
    }

    @Test(
        "What is no time is refused",
        arguments: [
            "", "m", "-5m", "5x", "2026-02-30", "2026-11-20T25:00Z", "2026-11-20T14:00+99:00", "now", "10 m",
            "2026-11-20T14:00:00.Z",
        ]
    )
    func refusesMoments(text: String) {
        #expect(throws: FilterError.self) { try Moment.parse(text, key: "since", now: Self.now) }
    }

    @Test("A secret is compared whole")
    func compares() {
        let token = AccessToken("0123456789abcdef")
        #expect(token.matches("0123456789abcdef"))
        #expect(!token.matches("0123456789abcdeg") && !token.matches("0123456789abcde") && !token.matches(""))
    }
}
