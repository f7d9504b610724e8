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
}
