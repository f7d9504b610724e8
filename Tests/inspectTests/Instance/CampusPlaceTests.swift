import Testing
import Traffic

@testable import ProgramTests
@testable import Web

@Suite("The places of What's Open", .timeLimit(.minutes(15)))
struct CampusPlaceTests {
    @Test("The JSON of a place is the command's, byte for byte", arguments: CampusGolden.all)
    func json(golden: PlaceGolden) async throws {
        let store = try await CampusGolden.store()
        #expect(try AskedPlace.answer(golden.place, golden.options, from: store) == golden.json + "\n")
    }

    @Test("A question that makes no sense is told from captures that hold nothing of it")
    func problems() async throws {
        let store = try await CampusGolden.store()
        let table: [(String, [(name: String, value: String)], PlaceAnswers.Problem.Kind, String)] = [
            ("facilities", [("tz", "Mars/Base")], .question, "tz Mars/Base: expected the name of a zone, "),
            ("facilities", [("week", "perhaps")], .question, "week=perhaps: expected true or false"),
            ("facilities", [("week", "true")], .question, "week goes with compare, as in compare ios,web week"),
            ("facilities", [("open-now", ""), ("closed", "")], .question, "open-now and closed exclude each other"),
            ("alerts", [("urgency", "huge")], .question, "urgency huge: expected info, minor, major, emergency"),
            ("facilities", [("campus", "mars")], .absence, "campus mars: nothing captured has it; there are arlington"),
            ("facility", [("slug", "te")], .absence, "there is no facility “te” in exchange 1; did you mean tea?"),
            ("facilities", [("from-capture", "99")], .absence, "there is no exchange 99 in the store"),
            ("facilities", [("from-capture", "3")], .absence, "exchange 3 holds no facilities of What's Open"),
        ]
        for (place, options, kind, sentence) in table {
            let problem = try #require(throws: PlaceAnswers.Problem.self) {
                try AskedPlace.answer(place, options, from: store)
            }
            #expect(problem.kind == kind && problem.sentence.hasPrefix(sentence), "\(problem.sentence)")
        }
        let other = try FilterParser.parse("host:nowhere.test", now: 0)
        let problem = try #require(throws: PlaceAnswers.Problem.self) {
            try AskedPlace.answer("alerts", [], other, from: store)
        }
        #expect(problem.kind == .absence && problem.sentence.hasPrefix("no alert of What's Open is captured"))
    }
}
