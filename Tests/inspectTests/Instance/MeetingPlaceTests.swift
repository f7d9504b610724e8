import Foundation
import Store
import Testing
import Traffic

@testable import ProgramTests
@testable import Web
@testable import inspect

@Suite("The place of the virtual meetings", .timeLimit(.minutes(15)))
struct MeetingPlaceTests {
    @Test("The JSON of the place is the command's, byte for byte", arguments: MeetingGolden.all)
    func json(golden: PlaceGolden) async throws {
        let store = try await MeetingGolden.store()
        #expect(try AskedPlace.answer(golden.place, golden.options, from: store) == golden.json + "\n")
    }

    @Test("A question that makes no sense is told from captures that hold nothing of it")
    func problems() async throws {
        let store = try await MeetingGolden.store()
        let table: [([(name: String, value: String)], PlaceAnswers.Problem.Kind, String)] = [
            ([("day", "someday")], .question, "day someday: expected sun, mon, tue, wed, thu, fri, sat or a number"),
            ([("day", "8")], .question, "day 8 is search; say for what with search TEXT"),
            ([("time", "1900")], .question, "time goes with a day, such as day tue"),
            ([("day", "sun"), ("time", "2500")], .question, "time 2500: expected hours and minutes, such as 1900"),
            ([("slots", ""), ("now", "")], .question, "slots are those of a day of the week, such as day tue"),
            ([("now", ""), ("search", "x")], .question, "now, day and search exclude each other; give one of them"),
            ([("kind", "x")], .question, "kind x: expected one of virtual, hybrid, in-person, video, phone"),
            ([("tz", "Mars")], .question, "tz Mars: expected the name of a zone"),
            ([("from-capture", "2")], .absence, "exchange 2 is no answer to ?query of a meeting server"),
            ([("from-capture", "9")], .absence, "there is no exchange 9 in the store"),
        ]
        for (options, kind, sentence) in table {
            let problem = try #require(throws: PlaceAnswers.Problem.self) {
                try AskedPlace.answer("meetings", options, from: store)
            }
            #expect(problem.kind == kind && problem.sentence.hasPrefix(sentence), "\(problem.sentence)")
        }
        let other = try FilterParser.parse("host:nowhere.test", now: 0)
        let problem = try #require(throws: PlaceAnswers.Problem.self) {
            try AskedPlace.answer("meetings", [], other, from: store)
        }
        #expect(problem.kind == .absence && problem.sentence.hasPrefix("no matching exchange is an answer to ?query"))
    }

    @Test("Marks of attendance are kept beside the store; what names no meeting is a problem of the page's")
    func marks() async throws {
        let store = try await MeetingGolden.store()
        let mark = try #require(PlaceAnswers.Place.meetings.mark)
        let reading = try TrafficStore(path: store.path, access: .reading)
        let names = #"{"add":["99/11","1741626418397197"],"remove":["99/12"]}"#
        #expect(try mark(try JSONDecoder().decode(PlaceAnswers.MarkedNames.self, from: Data(names.utf8)), reading) == 2)
        let listed = try AskedPlace.answer("meetings", [("attended", "true"), ("tz", "UTC")], from: store)
        #expect(listed.contains(#""listed":2"#))
        let none = try JSONDecoder().decode(PlaceAnswers.MarkedNames.self, from: Data(#"{"remove":["x"]}"#.utf8))
        let problem = try #require(throws: PlaceAnswers.Problem.self) { try mark(none, reading) }
        #expect(problem.sentence == "remove x: expected a server's and a meeting's number, such as 99/11")
    }
}
