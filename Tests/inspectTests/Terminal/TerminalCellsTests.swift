import Testing

@testable import inspect

@Suite(.timeLimit(.minutes(15))) struct TerminalCellsTests {
    @Test(
        "Wide characters take two cells",
        arguments: [
            ("", 0), ("abc", 3), ("Phở", 3), ("Café", 4), ("朝の集い", 8), ("한국", 4), ("ｆ", 2), ("🫖", 2), ("❤", 1),
            ("❤\u{FE0F}", 2),
            ("…", 1), ("–", 1), ("█", 1), ("e\u{301}", 1),
        ]
    )
    func widths(text: String, cells: Int) {
        #expect(TerminalCells.width(text) == cells)
    }

    @Test(
        "Columns are padded and cut by cells",
        arguments: [
            ("朝の集い", 10, "朝の集い  "), ("朝の集い", 8, "朝の集い"), ("朝の集い", 7, "朝の集…"), ("朝の集い", 6, "朝の… "),
            ("abcdef", 4, "abc…"),
        ]
    )
    func columns(text: String, width: Int, set: String) {
        #expect(TextColumns.padded(TextColumns.cut(text, to: width), to: width) == set)
    }

    @Test(
        "A text that is cut at its beginning keeps its end",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 4, "…def"), ("朝の集い", 5, "…集い"), ("朝の集い", 4, "…い"), ("abc", 1, ""),
        ]
    )
    func starts(text: String, width: Int, set: String) {
        #expect(TextColumns.cutStart(text, to: width) == set)
    }

    @Test("Columns are left out, in the order that is given, until the last has two fifths")
    func room() {
        for (width, room, line) in [(40, 24, "1234567 1234567 x"), (20, 12, "1234567 x"), (10, 10, "x")] {
            var columns = TextColumns(style: Style(isColoured: false), width: width, widths: [7, 7, 1], gap: " ")
            columns.makeRoom(leavingOut: [1, 0])
            #expect(columns.lastRoom == room)
            #expect(columns.line(["1234567", "1234567", "x"].map { ($0, nil) }) == line)
        }
    }

    @Test(
        "A text is broken between words, and a word only where it is wider than a line; the head stands on the first line"
    )
    func breaks() {
        func lines(_ text: String, after head: String = "", indent: Int? = nil, width: Int?) -> [String] {
            LineBreaks.lines(
                text,
                after: head,
                indent: indent,
                in: Layout(style: Style(isColoured: true), width: width)
            )
        }
        #expect(lines("one two three", width: nil) == ["one two three"])
        #expect(lines("one two three", width: 7) == ["one two", "three"])
        #expect(lines("one two three", after: "- ", width: 9) == ["- one two", "  three"])
        #expect(
            lines("one two three", after: "\u{1B}[31m-\u{1B}[0m ", width: 9) == [
                "\u{1B}[31m-\u{1B}[0m one two", "  three",
            ]
        )
        #expect(lines("one two three", after: "head: ", indent: 1, width: 9) == ["head: one", " two", " three"])
        #expect(lines("three two", after: "head: ", indent: 1, width: 9) == ["head: ", " three", " two"])
        #expect(lines("abcdefghij k", width: 4) == ["abcd", "efgh", "ij k"])
        #expect(lines("朝の集い", width: 5) == ["朝の", "集い"])
        #expect(lines("", after: "head", width: 10) == ["head"])
    }
}
