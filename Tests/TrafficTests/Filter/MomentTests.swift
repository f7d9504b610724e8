import Foundation
import Testing
import Traffic

@Suite("Points in time as people write them", .timeLimit(.minutes(15)))
struct MomentTests {
    /// 2026-11-20T14:00:00Z.
    private static let now: Int64 = 1_795_183_200_000_000

    @Test(
        "Ages count back, dates and times are local unless they name a zone",
        arguments: [
            ("10m", "2026-11-20T13:50:00.000Z"), ("10m ago", "2026-11-20T13:50:00.000Z"),
            ("45s", "2026-11-20T13:59:15.000Z"),
            ("0s", "2026-11-20T14:00:00.000Z"),
            ("2h", "2026-11-20T12:00:00.000Z"), ("3d", "2026-11-17T14:00:00.000Z"), ("1w", "2026-11-13T14:00:00.000Z"),
            ("2026-11-20", "2026-11-20T05:00:00.000Z"), ("2026-07-01", "2026-07-01T04:00:00.000Z"),
            ("2026-11-20T14:00", "2026-11-20T19:00:00.000Z"), ("2026-11-20 14:00:05", "2026-11-20T19:00:05.000Z"),
            ("2026-11-20T14:00Z", "2026-11-20T14:00:00.000Z"), ("2026-11-20T14:00:00z", "2026-11-20T14:00:00.000Z"),
            ("2026-11-20T14:00:05.25+02:00", "2026-11-20T12:00:05.250Z"),
            ("2026-07-01T00:00-0530", "2026-07-01T05:30:00.000Z"), ("2028-02-29", "2028-02-29T05:00:00.000Z"),
            ("2026-11-20T14:00:00.123456789Z", "2026-11-20T14:00:00.123Z"),
            ("1969-12-31T23:00Z", "1969-12-31T23:00:00.000Z"),
        ]
    )
    func reads(_ text: String, _ expected: String) throws {
        let zone = try #require(TimeZone(identifier: "America/New_York"))
        let time = try #require(Moment.parse(text, now: Self.now, zone: zone))
        #expect(Timestamp.text(microseconds: time) == expected)
    }

    @Test("Fractions are kept to the microsecond, and an age beyond all numbers is before everything")
    func edges() {
        #expect(Moment.parse("2026-11-20T14:00:00.123456789Z", now: 0) == Self.now + 123_456)
        #expect(Moment.parse("999999999w", now: Self.now) == 0)
    }

    @Test(
        "What is no point in time is refused",
        arguments: [
            "", "m", "ago", " ago", "10m  ago", "2026-11-20 ago", "yesterday", "now", "10", "10x", "10 m", "-5m", "+5m",
            "1e3s", "0000000001s", "2026-13-01",
            "2026-02-29", "2026-02-30", "2026-11-20T25:00Z", "2026-11-20T14:60", "2026-11-20T14:00:60",
            "2026-11-20T14:00+99:00", "2026-11-20T14:00+1:000", "2026-11-20T14:00:00.Z", "2026-11-20T14",
            "2026-11-20T", "2026-1-2", "٢٠٢٦-١١-٢٠", "2026-11-20T14:00.5",
        ]
    )
    func refuses(_ text: String) { #expect(Moment.parse(text, now: Self.now) == nil) }
}
