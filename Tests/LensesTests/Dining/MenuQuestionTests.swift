import Foundation
import Lenses
import Testing
import Traffic

@Suite("Questions to the places of the dining menus", .timeLimit(.minutes(15)))
struct MenuQuestionTests {
    /// Answers without a menu, then so many captures of one day's menu.
    private struct Captured: CaptureWalk {
        let count: Int
        var others = 0

        func walk(_ selection: CaptureSelection, _ give: (CaptureVisit) throws -> Bool) throws {
            let capture = CloudKitSample.capture(
                response: CloudKitSample.answer(CloudKitSample.record(CloudKitSample.payload()))
            )
            let other = CloudKitSample.capture(response: CloudKitSample.answer())
            for _ in 0..<others {
                guard try give(CaptureVisit(other.summary) { other }) else { return }
            }
            for _ in 0..<count {
                guard try give(CaptureVisit(capture.summary) { capture }) else { return }
            }
        }
    }

    private func board(_ count: Int, others: Int = 0) throws -> MenuBoard {
        try MenuQuestion(PlaceOptions([("day", "all")]), Filter(), now: Date(timeIntervalSince1970: 0))
            .answer(Captured(count: count, others: others))
    }

    @Test("Older answers than the newest 2,000 are not read, and the board says so")
    func bound() throws {
        let whole = try board(PlaceBound.answers)
        #expect(whole.book.isWhole && whole.listings.count == 1)
        #expect(try !board(PlaceBound.answers + 1).book.isWhole)
    }

    @Test("Answers without a menu keep no older menu from being read")
    func others() throws {
        let board = try board(1, others: PlaceBound.answers + 1)
        #expect(board.book.isWhole && board.listings.count == 1)
    }

    @Test(
        "A question that makes no sense says of which option, and what was expected",
        arguments: [
            ([("day", "x")], .value(option: "day", given: "x", expectation: "expected \(DayName.expectation)")),
            ([("diet", "meat")], .value(option: "diet", given: "meat", expectation: "expected vegan or vegetarian")),
            (
                [("from-capture", "-1")],
                .value(
                    option: "from-capture",
                    given: "-1",
                    expectation: "expected the number of an exchange, 1 or more"
                )
            ),
        ] as [([(name: String, value: String)], PlaceProblem)]
    )
    func problems(items: [(name: String, value: String)], expected: PlaceProblem) throws {
        #expect(throws: expected) { try MenuQuestion(PlaceOptions(items), Filter(), now: Date()) }
        #expect(expected.isOfQuestion)
    }

    @Test("Where a food is looked for and no menu was found, it is told whether older exchanges were read")
    func absence() throws {
        let question = try FoodQuestion(PlaceOptions([("food", "oatmeal")]), Filter())
        #expect(throws: PlaceProblem.noMenus(food: "oatmeal")) { try question.answer(Captured(count: 0, others: 1)) }
        #expect(throws: PlaceProblem.notInNewest(what: "menu")) {
            try question.answer(Captured(count: 1, others: PlaceBound.others))
        }
    }

    @Test("Of one exchange every day is wanted, unless only what is open is")
    func single() throws {
        let options: [(name: String, value: String)] = [("from-capture", "1")]
        let now = Date(timeIntervalSince1970: 0)
        let all = try MenuQuestion(PlaceOptions(options), Filter(), now: now).answer(Captured(count: 1))
        #expect(all.listings.map(\.day.isoText) == ["2015-05-29"])
        let open = try MenuQuestion(PlaceOptions(options + [("open-now", "")]), Filter(), now: now)
            .answer(Captured(count: 1))
        #expect(open.listings.isEmpty)
    }

    @Test("A food's servings are where the listed menus have it")
    func servings() throws {
        let servings = try board(1).servings(of: "059101")
        #expect(servings.map { "\($0.day.isoText) \($0.meal) \($0.hall)" } == ["2015-05-29 Breakfast De Neve"])
        #expect(try board(1).servings(of: "059102").isEmpty)
    }
}
