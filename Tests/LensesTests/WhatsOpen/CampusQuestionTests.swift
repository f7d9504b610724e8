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

    /// Captures, and the targets of those whose bodies were read.
    private final class Reading: CaptureWalk {
        private let captures: [Capture]
        private(set) var targets: [String] = []

        init(_ captures: [Capture]) { self.captures = captures }

        func walk(_ selection: CaptureSelection, _ give: (CaptureVisit) throws -> Bool) throws {
            for capture in captures {
                let visit = CaptureVisit(capture.summary) {
                    self.targets.append(capture.exchange.target)
                    return capture
                }
                guard try give(visit) else { return }
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
        #expect(whole.list.count == "2" && !whole.list.origin.contains("not read"))
        let cut = try question([]).answer(Captured(captures: singles + [single, list]))
        #expect(cut.list.count == "1" && cut.list.origin.hasSuffix("EDT; older answers were not read"))
    }

    @Test("Answers of another kind, and exchanges of another server, keep no older list from being read")
    func others() throws {
        let list = CampusSample.capture("[\(CampusSample.json())]")
        for other in [CampusSample.capture("/api/alerts/", "[]"), CampusSample.capture("/weather/", #"{"t":1}"#)] {
            let others = Array(repeating: other, count: PlaceBound.answers + 1)
            let found = try question([]).answer(Captured(captures: others + [list]))
            #expect(found.list.count == "1" && !found.list.origin.contains("not read"))
        }
    }

    @Test("The body of an answer is not read where its request was for another resource")
    func resources() throws {
        let facility = CampusSample.json()
        let alert =
            #"{"id":1,"urgency_tag":"info","subject":"Sun","body":"b","url":"","#
            + #""start_datetime":"2026-08-01T00:00:00-04:00","end_datetime":null}"#
        let captures = [
            CampusSample.capture("/api/alerts/?all_alerts", "[\(alert)]"),
            CampusSample.capture("/api/facilities/south/", facility),
            CampusSample.capture("/whatsopen/v2/locations/", "[]"),
            CampusSample.capture("/campus.json", "[\(facility)]"),
        ]
        let places = Reading(captures)
        #expect(try question([]).answer(places).list.count == "1")
        #expect(places.targets == ["/api/facilities/south/", "/campus.json"])
        let messages = Reading(captures.reversed())
        let alerts = try AlertQuestion(PlaceOptions([]), Filter(), now: try CampusSample.moment("2026-09-16T12:00"))
        _ = try alerts.answer(messages)
        #expect(messages.targets == ["/campus.json", "/api/alerts/?all_alerts"])
    }

    @Test("Where the bound is reached before anything is found, nobody says that nothing is captured")
    func unreadRest() throws {
        let list = CampusSample.capture("[\(CampusSample.json())]")
        let other = CampusSample.capture("/weather/", #"{"t":1}"#)
        let others = Array(repeating: other, count: PlaceBound.others)
        #expect(throws: PlaceProblem.notInNewest(what: "facility list of What's Open")) {
            try question([]).answer(Captured(captures: others + [list]))
        }
        let alerts = try AlertQuestion(PlaceOptions([]), Filter(), now: try CampusSample.moment("2026-09-16T12:00"))
        // Its path does not say what it has.
        let unread = CampusSample.capture("/campus.json", "[\(CampusSample.json())]")
        #expect(throws: PlaceProblem.notInNewest(what: "alert of What's Open")) {
            try alerts.answer(Captured(captures: others + [unread]))
        }
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
        "A question that makes no sense says of which option, and what was expected",
        arguments: [
            (
                [("tz", "Mars")],
                .value(
                    option: "tz",
                    given: "Mars",
                    expectation: "expected the name of a zone, such as America/New_York or UTC"
                )
            ),
            (
                [("compare", "ios,")],
                .value(
                    option: "compare",
                    given: "ios,",
                    expectation: "expected a list of ios, android, web and server, or all"
                )
            ),
            ([("week", "true")], .needs(option: "week", other: "compare", example: "ios,web")),
            ([("open-now", ""), ("closed", "")], .conflict(["open-now", "closed"])),
            (
                [("sort", "size")],
                .value(option: "sort", given: "size", expectation: "expected name, -name or location")
            ),
            (
                [("from-capture", "x")],
                .value(option: "from-capture", given: "x", expectation: "expected the number of an exchange")
            ),
        ] as [([(name: String, value: String)], PlaceProblem)]
    )
    func problems(items: [(name: String, value: String)], expected: PlaceProblem) throws {
        #expect(throws: expected) { try question(items) }
        #expect(expected.isOfQuestion)
    }

    @Test("A flag is given where one of its values is true, and its bare name is")
    func flags() throws {
        let options = PlaceOptions([("a", "false"), ("a", "true"), ("b", ""), ("c", "false")])
        #expect(try options.flag("a") && options.flag("b") && !options.flag("c") && !options.flag("d"))
        #expect(throws: PlaceProblem.flag(option: "e", given: "1")) { try PlaceOptions([("e", "1")]).flag("e") }
    }

    @Test("The table has a row for each facility, and the clients that are compared beside it")
    func table() throws {
        let captures = Captured(captures: [CampusSample.capture("[\(CampusSample.json())]")])
        let plain = try question([]).answer(captures).table
        #expect(plain.columns == ["facility", "now", "closes", "opens next", "schedule", "campus", "warnings"])
        #expect(plain.rows.map { $0[0].text } == ["Southside"] && plain.total == 1)
        let compared = try question([("compare", "ios,web"), ("week", "true")]).answer(captures).table
        let columns = ["facility", "now", "ios wrong", "web wrong", "closes", "opens next"]
        #expect(Array(compared.columns.prefix(6)) == columns && compared.rows[0].count == compared.columns.count)
    }
}
