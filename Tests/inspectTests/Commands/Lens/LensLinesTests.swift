import Lenses
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

@Suite("A lens's view drawn for a terminal", .timeLimit(.minutes(15)))
struct LensLinesTests {
    /// A lens with a hostile title.
    private struct Sample: Lens {
        let name = "sample"
        let title = "Sam\u{1B}[2Jple"

        func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool { false }
        func view(_ capture: Capture) -> LensView { LensView(of: self, request: "") }
    }

    private static let table = LensTable(
        columns: ["Hall", "Meals"],
        rows: [["De Neve", "3"], [LensText("Bru\u{7}in Plate", .warning), "12"]]
    )

    private static let view = LensView(
        of: Sample(),
        request: "every hall",
        response: "2 halls\nof many",
        failure: "it says so",
        sections: [
            LensSection("Facts", .fields([LensField("status", LensText("bad", .bad)), LensField("a", "b")])),
            LensSection("Halls", .table(table)),
            LensSection("Menu", .tree([LensNode("Lunch", detail: "today", children: [LensNode("Soup")])])),
            LensSection("Words", .text("one\r\ntwo\u{1B}\n")),
        ]
    )

    @Test("In a pipe it is plain text, every part under its heading, and nothing from the wire is a control")
    func plain() {
        let lines = LensLines(layout: .plain).lines(Self.view)
        #expect(
            lines == [
                "Decoded  Sam\\e[2Jple (sample)", "FAILED    it says so", "Request   every hall",
                "Response  2 halls\\nof many", "", "Facts", "  status  bad", "  a       b", "", "Halls",
                "  HALL              MEALS", "  De Neve               3", "  Bru\\u{7}in Plate     12", "", "Menu",
                "  Lunch  today", "    Soup", "", "Words", "  one", "  two\\e",
            ]
        )
    }

    @Test("On a terminal tones are colours, and a failure is bold and red")
    func coloured() {
        let lines = LensLines(layout: Layout(style: Style(isColoured: true), width: nil)).lines(Self.view)
        #expect(lines.contains("\u{1B}[1;31mFAILED    it says so\u{1B}[0m"))
        #expect(lines.contains { $0.contains("\u{1B}[31mbad\u{1B}[0m") })
        #expect(lines.contains { $0.contains("\u{1B}[33mBru\\u{7}in Plate\u{1B}[0m") })
    }

    @Test(
        "A table fits the terminal: its widest columns give way, then those on the right, and what is cut says so",
        arguments: [20, 30, 60]
    )
    func narrow(width: Int) {
        let long = LensTable(
            columns: ["Name", "What", "Where"],
            rows: [[LensText(String(repeating: "n", count: 40)), "short", LensText(String(repeating: "w", count: 50))]]
        )
        let lines = LensLines(layout: Layout(style: Style(isColoured: false), width: width)).lines(long)
        #expect(lines.allSatisfy { $0.count <= width - 2 })
        #expect(lines[1].hasPrefix("nnn") && lines[1].contains("…"))
        #expect(lines[1].contains(width < 60 ? "…  short" : "  short  w"))
        #expect(lines.count == (width < 60 ? 3 : 2) && (width == 60 || lines[2].hasPrefix("… no room for WHE")))
        let whole = LensLines(layout: .plain).lines(long)
        #expect(whole[1].hasSuffix("  short  " + String(repeating: "w", count: 50)))
    }

    @Test("A table without rows says so and has no headings")
    func empty() {
        let printer = LensLines(layout: .plain)
        #expect(printer.lines(LensTable(columns: ["Name"], rows: [])) == ["none"])
    }

    @Test("Rows that a view leaves out are counted, and so are lines beyond a limit")
    func counts() {
        let many = LensTable(columns: ["N"], rows: (0..<700).map { [LensText(String($0))] })
        let printer = LensLines(layout: .plain)
        #expect(printer.lines(many).last == "… 200 more of 700")
        let cut = printer.lines(LensSection("All", .table(many)), lineLimit: 3)
        #expect(cut == ["All", "    N", "    0", "    1", "  … 499 more lines"])
    }
}
