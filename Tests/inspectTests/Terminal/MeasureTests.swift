import Testing

@testable import inspect

@Suite(.timeLimit(.minutes(15))) struct MeasureTests {
    @Test(
        "Sizes are told in thousands",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1 kB"), (1_540, "1.5 kB"), (9_960, "10 kB"), (999_499, "999 kB"),
            (999_500, "1 MB"), (2_147_483_648, "2.1 GB"),
        ]
            as [(Int64, String)]
    )
    func tellsBytes(_ count: Int64, _ text: String) {
        #expect(Measure.bytes(count) == text)
    }

    @Test(
        "Times are told in the unit that fits",
        arguments: [
            (0, "0 µs"), (999, "999 µs"), (1_000, "1 ms"), (12_440, "12 ms"), (2_440, "2.4 ms"), (1_500_000, "1.5 s"),
            (59_499_999, "59 s"), (59_500_000, "1 min 0 s"), (125_000_000, "2 min 5 s"), (119_600_000, "2 min 0 s"),
        ]
            as [(Int64, String)]
    )
    func tellsTimes(_ microseconds: Int64, _ text: String) {
        #expect(Measure.duration(microseconds) == text)
    }

    @Test(
        "Where room is short a time takes six cells at most",
        arguments: [
            (999, "999 µs"), (999_499, "999 ms"), (59_499_999, "59 s"), (59_500_000, "1m00s"), (125_000_000, "2m05s"),
            (3_599_000_000, "59m59s"), (3_600_000_000, "1h00m"), (7_325_000_000, "2h02m"), (86_399_000_000, "23h59m"),
            (86_400_000_000, "1d00h"), (8_639_999_000_000, "99d23h"),
        ]
            as [(Int64, String)]
    )
    func tellsBriefTimes(_ microseconds: Int64, _ text: String) {
        #expect(Measure.briefDuration(microseconds) == text)
        #expect(TerminalCells.width(text) <= 6)
    }
}
