import Testing

@testable import ProgramTests
@testable import Web

@Suite("The places of the dining menus", .timeLimit(.minutes(15)))
struct DiningPlaceTests {
    @Test("The JSON of a place is the command's, byte for byte", arguments: DiningGolden.all)
    func json(golden: PlaceGolden) async throws {
        let store = try await DiningGolden.store()
        #expect(try AskedPlace.answer(golden.place, golden.options, from: store) == golden.json + "\n")
    }

    @Test("A question that makes no sense is told from captures that hold nothing of it")
    func problems() async throws {
        let store = try await DiningGolden.store()
        let table: [(String, [(name: String, value: String)], PlaceAnswers.Problem.Kind, String)] = [
            ("menus", [("day", "someday")], .question, "day someday: expected today, tomorrow, yesterday, a weekday"),
            ("menus", [("diet", "meat")], .question, "diet meat: expected vegan or vegetarian"),
            ("menus", [("open-now", "1")], .question, "open-now=1: expected true or false"),
            ("menus", [("at", "never")], .question, "at never: expected an age"),
            ("menus", [("from-capture", "0")], .question, "from-capture 0: expected the number of an exchange, 1 or"),
            ("menus", [("from-capture", "3")], .absence, "exchange 3 is no exchange with CloudKit's web services"),
            ("menus", [("from-capture", "9")], .absence, "there is no exchange 9 in the store"),
            ("menus", [("hall", "mars")], .absence, "hall mars: nothing captured has it; there are Covel, De Neve,"),
            ("food", [], .question, "food is missing"),
            ("food", [("food", "taco"), ("servings", "17")], .question, "servings 17: expected 0 to 16"),
            ("food", [("food", "zzz")], .absence, "food “zzz”: no captured menu has it; 'inspect menus' lists them"),
            ("food", [("food", "a")], .absence, "food “a”: 2 have it in their name: 059101 Oatmeal"),
            ("swipes", [], .question, "plan is missing"),
            ("swipes", [("plan", "x")], .question, "plan x: expected one of BP19, BP14, Gold19, Gold14, Cub11"),
            ("swipes", [("plan", "BP19"), ("week", "11")], .question, "week 11: expected 0 to 10, where 10 is finals"),
            (
                "swipes", [("plan", "BP19"), ("at", "2015-07-04")], .absence,
                "Sat 2015-07-04 is in no quarter of the app's calendar; name the week with week 0 to 10"
            ),
        ]
        for (place, options, kind, sentence) in table {
            let problem = try #require(throws: PlaceAnswers.Problem.self) {
                try AskedPlace.answer(place, options, from: store)
            }
            #expect(problem.kind == kind && problem.sentence.hasPrefix(sentence), "\(problem.sentence)")
        }
    }
}
