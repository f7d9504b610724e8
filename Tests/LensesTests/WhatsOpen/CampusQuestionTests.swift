import Foundation
import Lenses
import Testing
import Traffic

@Suite("Questions to the places of What's Open", .timeLimit(.minutes(15)))
struct CampusQuestionTests {
    /// Captures, the newest first; `nil` is one that is deleted while the walk comes to it.
    private struct Captured: CaptureWalk {
        let captures: [Capture?]

        func walk(_ selection: CaptureSelection, _ give: (CaptureVisit) throws -> Bool) throws {
            let list = CampusSample.capture("[\(CampusSample.json())]")
            for (place, capture) in captures.enumerated() {
                if case .one(let id) = selection, id != place + 1 { continue }
                guard try give(CaptureVisit((capture ?? list).summary) { capture }) else { return }
            }
        }
    }

    private func question(_ items: [(name: String, value: String)]) throws -> FacilityQuestion {
        try FacilityQuestion(PlaceOptions(items), Filter(), now: try CampusSample.moment("2026-09-16T12:00"))
    }

    @Test("Older answers than the newest 2,000 are not read, and the listing says so")
    func bound() throws {
        let single = CampusSample.capture("/api/facilities/southside/", CampusSample.json())
        let list = CampusSample.capture("[\(CampusSample.json()),\(CampusSample.json("north"))]")
        let singles = Array(repeating: single, count: PlaceBound.answers - 1)
        let whole = try question([]).answer(Captured(captures: singles + [list]))
        #expect(whole.list.count == "2" && whole.newer == 1 && !whole.list.origin.contains("not read"))
        let cut = try question([]).answer(Captured(captures: singles + [single, list]))
        #expect(cut.list.count == "1" && cut.list.origin.hasSuffix("EDT; older answers were not read"))
    }

    @Test("An exchange that is deleted meanwhile is passed over")
    func deleted() throws {
        let list = CampusSample.capture("[\(CampusSample.json())]")
        #expect(try question([]).answer(Captured(captures: [nil, list])).list.count == "1")
        #expect(throws: PlaceProblem.nothing(what: "facility list of What's Open", path: "/whatsopen/v2/facilities/")) {
            try question([]).answer(Captured(captures: [nil]))
        }
        #expect(throws: PlaceProblem.noExchange(1)) {
            try question([("from-capture", "1")]).answer(Captured(captures: [nil, list]))
        }
        #expect(try question([("from-capture", "2")]).answer(Captured(captures: [nil, list])).list.count == "1")
    }

    @Test(
        "A problem names options as a command line does, or as an address does",
        arguments: [
            ([("tz", "Mars")], "--tz Mars: expected the name of a zone, such as America/New_York or UTC"),
            ([("compare", "ios,")], "--compare ios,: expected a list of ios, android, web and server, or all"),
            ([("week", "true")], "--week goes with --compare, as in --compare ios,web --week"),
            ([("open-now", ""), ("closed", "")], "--open-now and --closed exclude each other; give one of them"),
            ([("sort", "size")], "--sort size: expected name, -name or location"),
            ([("from-capture", "x")], "--from-capture x: expected the number of an exchange"),
        ] as [([(name: String, value: String)], String)]
    )
    func words(items: [(name: String, value: String)], words: String) throws {
        let problem = try #require(throws: PlaceProblem.self) { try question(items) }
        #expect(problem.isOfQuestion && problem.words { "--\($0)" } == words)
        #expect(problem.words { $0 } == words.replacing("--", with: ""))
    }

    @Test("A flag is given where one of its values is true, and its bare name is")
    func flags() throws {
        let options = PlaceOptions([("a", "false"), ("a", "true"), ("b", ""), ("c", "false")])
        #expect(try options.flag("a") && options.flag("b") && !options.flag("c") && !options.flag("d"))
        #expect(throws: PlaceProblem.flag(option: "e", given: "1")) { try PlaceOptions([("e", "1")]).flag("e") }
    }
}
