import Testing
import Traffic

@Suite("Moments as text", .timeLimit(.minutes(15)))
struct TimestampTests {
    @Test(
        "A text is a moment of the years 1 to 9999 in UTC, whatever its zone, or none",
        arguments: [
            ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
            ("0001-01-01T01:00:00+01:00", -62_135_596_800_000_000),
            ("0001-01-01T00:00:00.000+01:00", nil),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
            ("9999-12-31T22:59:59.999999-01:00", 253_402_300_799_999_999),
            ("9999-12-31T23:59:59-00:01", nil),
            ("9999-12-31T23:59:60Z", nil),
        ] as [(String, Int64?)]
    )
    func range(text: String, moment: Int64?) {
        #expect(Timestamp.microseconds(text) == moment)
    }
}
