import Testing
import Traffic

@testable import ProgramTests
@testable import Web

@Suite("The place of the open-data portal", .timeLimit(.minutes(15)))
struct DatasetPlaceTests {
    @Test("The JSON of the place is the command's, byte for byte", arguments: DatasetGolden.all)
    func json(golden: PlaceGolden) async throws {
        let store = try await DatasetGolden.store()
        #expect(try AskedPlace.answer(golden.place, golden.options, from: store) == golden.json + "\n")
    }

    @Test("A question that makes no sense is told from captures that hold nothing of it")
    func problems() async throws {
        let store = try await DatasetGolden.store()
        let table: [([(name: String, value: String)], PlaceAnswers.Problem.Kind, String)] = [
            ([("sort", "size")], .question, "sort size: expected one of title, name, division, modified, refreshed"),
            ([("facet", "size")], .question, "facet size: expected one of topics, formats"),
            ([("map", ""), ("scroll", "")], .question, "dataset, facet, scroll, map and notices exclude each other"),
            ([("stale", "perhaps")], .question, "stale=perhaps: expected true or false"),
            ([("topic", "moon")], .absence, "topic moon: nothing captured has it; there are Health"),
            ([("dataset", "rink")], .absence, "the captures show no dataset 'rink'; did you mean 'rinks'?"),
            ([("from-capture", "6")], .absence, "exchange 6 is not with the open-data portal; 'inspect datasets' "),
            ([("from-capture", "9")], .absence, "there is no exchange 9 in the store"),
        ]
        for (options, kind, sentence) in table {
            let problem = try #require(throws: PlaceAnswers.Problem.self) {
                try AskedPlace.answer("datasets", options, from: store)
            }
            #expect(problem.kind == kind && problem.sentence.hasPrefix(sentence), "\(problem.sentence)")
        }
        let other = try FilterParser.parse("host:nowhere.test", now: 0)
        let none = try AskedPlace.answer("datasets", [], other, from: store)
        #expect(none == #"{"total":0,"matched":0,"datasets":[]}"# + "\n")
    }
}
