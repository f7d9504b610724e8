import Foundation
import Lenses
import Testing
import Traffic

@Suite("A place that is open 24 hours", .timeLimit(.minutes(15)))
struct RoundTheClockTests {
    private static let everyDay = CampusSample.entries(0...6, "00:00:00", "23:59:59")

    /// Main schedules that never close, by their flag and by their entries.
    private static let schedules = [CampusSample.schedule(allDay: true), CampusSample.schedule(everyDay)]

    private static func texts(_ sections: [LensSection]) -> [String] {
        sections.flatMap { section -> [String] in
            switch section.content {
            case .fields(let fields): fields.map { "\($0.name): \($0.value.text)" }
            case .table(let table): table.rows.flatMap { $0.map(\.text) }
            default: []
            }
        }
    }

    @Test("It has no closing time: no text names the end of the days that are read", arguments: schedules)
    func words(schedule: String) throws {
        let facility = try CampusSample.facility(json: CampusSample.json(main: schedule))
        let now = try CampusSample.moment("2026-09-14T12:00")
        let explanation = FacilityExplanation(facility, at: now, clock: CampusClock(CampusSample.zone, around: now))
        let texts = Self.texts(explanation.sections(clients: []))
        #expect(texts.contains("now: open 24 hours") && texts.count { $0 == "24 hours" } == 7, "\(texts)")
        #expect(
            !texts.contains { $0.contains("opens next") || $0.contains("2026-09-2") || $0.contains("2026-09-0") },
            "\(texts)"
        )
    }

    @Test("A listing says so, and its JSON has neither beginning nor end of it", arguments: schedules)
    func listing(schedule: String) throws {
        let list = CampusSample.capture("[\(CampusSample.json(main: schedule))]")
        let now = try CampusSample.moment("2026-09-14T12:00")
        let question = try FacilityQuestion(PlaceOptions([]), Filter(), now: now)
        let board = try question.answer(One(capture: list))
        #expect(board.table.rows.map { $0[1...3].map(\.text) } == [["open 24 hours", "–", "–"]])
        var json = JSONWriter()
        board.write(to: &json)
        let text = String(decoding: json.take(), as: UTF8.self)
        #expect(text.contains(#""hours":[{"start":null,"end":null}]"#), "\(text)")
    }

    @Test("A place that closes after days of it says when")
    func closing() throws {
        let closed = CampusSample.schedule(from: "2026-09-18T00:00:00-04:00", to: "2026-09-19T00:00:00-04:00")
        let facility = try CampusSample.facility([], specials: [closed], allDay: true)
        let now = try CampusSample.moment("2026-09-14T12:00")
        let explanation = FacilityExplanation(facility, at: now, clock: CampusClock(CampusSample.zone, around: now))
        let texts = Self.texts(explanation.sections(clients: []))
        #expect(texts.contains("now: open until Fri 00:00") && texts.count { $0 == "24 hours" } == 6, "\(texts)")
        #expect(texts.contains("closed"))
    }

    /// A capture alone.
    private struct One: CaptureWalk {
        let capture: Capture

        func walk(_ selection: CaptureSelection, _ give: (CaptureVisit) throws -> Bool) throws {
            _ = try give(CaptureVisit(capture.summary) { capture })
        }
    }
}
