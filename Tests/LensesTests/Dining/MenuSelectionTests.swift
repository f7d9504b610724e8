import Foundation
import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct MenuSelectionTests {
    private static func book(_ bodies: String...) -> MenuBook {
        var book = MenuBook()
        for body in bodies { book.add(CloudKitSample.capture(response: body)) }
        return book
    }

    private static func moment(_ text: String) throws -> Date {
        let time = try #require(Moment.parse(text, now: 0, zone: CampusTime.zone))
        return Date(timeIntervalSince1970: Double(time) / 1_000_000)
    }

    private static func halls(_ selection: MenuSelection, _ book: MenuBook) -> [String] {
        selection.listing(of: book).flatMap { day in
            day.meals.flatMap { meal in
                meal.halls.map { "\(day.day.shortText) \(meal.name) \($0.name) \($0.hours?.text ?? "-")" }
            }
        }
    }

    @Test("Of each day the first menu that was added counts")
    func newest() {
        let newer = CloudKitSample.answer(CloudKitSample.record(CloudKitSample.payload(hall: "Feast")))
        let older = CloudKitSample.answer(CloudKitSample.record(CloudKitSample.payload()))
        let book = Self.book(newer, older)
        #expect(book.days.values.map { $0.menu.meals.first?.halls.first?.name } == ["Feast"])
    }

    @Test("What is still open of yesterday's late night counts as open now")
    func lateNight() throws {
        let late = CloudKitSample.payload(
            meal: "Late Night",
            hours: #""openHour":21,"openMin":0,"closeHour":26,"closeMin":0"#
        )
        let book = Self.book(CloudKitSample.answer(CloudKitSample.record(late)))
        var selection = MenuSelection(moment: try Self.moment("2015-05-30T01:30"))
        #expect(selection.listing(of: book).isEmpty)
        selection.isOpen = true
        #expect(Self.halls(selection, book) == ["5/29/15 Late Night De Neve 21:00–02:00 next day"])
        selection.moment = try Self.moment("2015-05-30T02:00")
        #expect(selection.listing(of: book).isEmpty)
    }

    @Test("Quick service is of today only, and has the hours of the day's menu, brunch for lunch")
    func quick() throws {
        let day = CloudKitSample.payload(
            meal: "Brunch",
            hall: "Bruin Cafe",
            hours: #""openHour":9,"openMin":30,"closeHour":15,"closeMin":0"#
        )
        let quick = CloudKitSample.record(
            CloudKitSample.payload(meal: "Lunch", hall: "Bruin Cafe"),
            name: "quick",
            type: "QuickMenu",
            day: nil
        )
        let book = Self.book(CloudKitSample.answer(CloudKitSample.record(day), quick))
        var selection = MenuSelection(moment: try Self.moment("2015-05-29T12:00"))
        selection.meal = "lunch"
        #expect(Self.halls(selection, book) == ["5/29/15 Lunch Bruin Cafe 09:30–15:00"])
        selection.days = [try #require(CampusDay(short: "5/30/15"))]
        #expect(selection.listing(of: book).isEmpty)
    }

    @Test(
        "Vegetarian takes vegan food too",
        arguments: [(.vegan, ["Vegan"]), (.vegetarian, ["Vegan", "Vegetarian"])] as [(MenuSelection.Diet, [String])]
    )
    func diet(diet: MenuSelection.Diet, types: [String]) throws {
        var selection = MenuSelection(moment: try Self.moment("2015-05-29T12:00"))
        selection.diet = diet
        let listed = ["", "Vegan", "Vegetarian"].filter { type in
            let record = CloudKitSample.record(CloudKitSample.payload(type: type))
            return !Self.halls(selection, Self.book(CloudKitSample.answer(record))).isEmpty
        }
        #expect(listed == types)
    }

    @Test(
        "Text is looked for in names, ingredients and sections",
        arguments: [("OAT", 1), ("rolled", 1), ("kitchen", 1), ("taco", 0)]
    )
    func search(text: String, count: Int) throws {
        var selection = MenuSelection(moment: try Self.moment("2015-05-29T12:00"))
        selection.search = text
        let book = Self.book(CloudKitSample.answer(CloudKitSample.record(CloudKitSample.payload())))
        #expect(Self.halls(selection, book).count == count)
    }

    @Test("A food is found by its recipe, by its name, or by a part of it")
    func foods() {
        let book = Self.book(CloudKitSample.answer(CloudKitSample.record(CloudKitSample.payload())))
        for name in ["059101", "oatmeal", "meal"] { #expect(book.foods(named: name).map(\.recipe) == ["059101"]) }
        #expect(book.foods(named: "taco").isEmpty)
        #expect(
            book.places(of: "059101").map { "\($0.day?.shortText ?? "") \($0.meal) \($0.halls)" } == [
                #"5/29/15 Breakfast ["De Neve"]"#
            ]
        )
    }
}
