import Foundation
import Lenses
import Testing
import Traffic

@Suite("Where the answers of the places of What's Open come from", .timeLimit(.minutes(15)))
struct CampusSourceTests {
    /// Captures, the newest first.
    private struct Captured: CaptureWalk {
        let captures: [Capture]

        func walk(_ selection: CaptureSelection, _ give: (CaptureVisit) throws -> Bool) throws {
            for capture in captures {
                guard try give(CaptureVisit(capture.summary) { capture }) else { return }
            }
        }
    }

    private static let noon = "2026-09-14T12:00"

    /// An answer of a server on Monday 14 September, some minutes after 16:00 GMT.
    private static func capture(_ id: ExchangeID, _ target: String, _ body: String, host: String = "a.test") -> Capture
    {
        let made = CampusSample.capture(target, date: "Mon, 14 Sep 2026 16:0\(id):00 GMT", body)
        var exchange = made.exchange
        exchange.id = id
        exchange.host = host
        return Capture(exchange: exchange, response: made.response)
    }

    private static func place(_ slug: String, tag: String) -> String { CampusSample.json(slug, name: "\(slug) \(tag)") }

    private static func alert(_ id: Int, _ subject: String, from start: String, to end: String) -> String {
        #"{"id":\#(id),"urgency_tag":"minor","subject":"\#(subject)","body":"","url":"","#
            + #""start_datetime":"\#(start)T00:00:00-04:00","end_datetime":"\#(end)T00:00:00-04:00"}"#
    }

    private static func object(_ board: some PlaceBoard) throws -> [String: Any] {
        var json = JSONWriter()
        board.write(to: &json)
        return try #require(try JSONSerialization.jsonObject(with: Data(json.take())) as? [String: Any])
    }

    private static func facilities(_ captures: [Capture]) throws -> [String: Any] {
        let question = try FacilityQuestion(PlaceOptions([]), Filter(), now: try CampusSample.moment(noon))
        return try object(try question.answer(Captured(captures: captures)))
    }

    private static func alerts(_ captures: [Capture], all: Bool = true) throws -> [[String: Any]] {
        let options = PlaceOptions(all ? [("all", "true")] : [])
        let question = try AlertQuestion(options, Filter(), now: try CampusSample.moment(noon))
        let board = try question.answer(Captured(captures: captures))
        return try #require(try object(board)["alerts"] as? [[String: Any]])
    }

    @Test("A newer answer about one facility stands in a list of its own server, and in no other's")
    func servers() throws {
        let list = Self.capture(
            1,
            "/api/facilities/",
            "[\(Self.place("x", tag: "old")),\(Self.place("y", tag: "old"))]"
        )
        let root = try Self.facilities([
            Self.capture(4, "/api/facilities/z/", Self.place("z", tag: "elsewhere"), host: "b.test"),
            Self.capture(3, "/api/facilities/x/", Self.place("x", tag: "elsewhere"), host: "b.test"),
            Self.capture(2, "/api/facilities/x/", Self.place("x", tag: "new")), list,
        ])
        let rows = try #require(root["facilities"] as? [[String: Any]])
        #expect(rows.map { $0["name"] as? String } == ["x new", "y old"])
        #expect(rows.map { $0["exchange"] as? Int } == [2, 1])
        #expect(rows.map { $0["captured"] as? String } == ["2026-09-14T12:02:00-04:00", "2026-09-14T12:01:00-04:00"])
        #expect(root["server"] as? String == "a.test:8081" && root["exchange"] as? Int == 1)
    }

    @Test("Without a list, the facilities are those that the server of the newest answer told of")
    func singles() throws {
        let root = try Self.facilities([
            Self.capture(3, "/api/facilities/x/", Self.place("x", tag: "new")),
            Self.capture(2, "/api/facilities/y/", Self.place("y", tag: "elsewhere"), host: "b.test"),
            Self.capture(1, "/api/facilities/y/", Self.place("y", tag: "old")),
        ])
        let rows = try #require(root["facilities"] as? [[String: Any]])
        #expect(rows.map { $0["name"] as? String } == ["x new", "y old"])
        #expect(rows.map { $0["exchange"] as? Int } == [3, 1])
    }

    @Test("One facility names the answer that it is from, not the list that it would be in")
    func card() throws {
        let options = PlaceOptions([("slug", "x")])
        let question = try FacilityCardQuestion(options, Filter(), now: try CampusSample.moment(Self.noon))
        let captures = [
            Self.capture(2, "/api/facilities/x/", Self.place("x", tag: "new")),
            Self.capture(1, "/api/facilities/", "[\(Self.place("x", tag: "old"))]"),
        ]
        let card = try question.answer(Captured(captures: captures))
        let root = try Self.object(card)
        #expect(root["name"] as? String == "x new" && root["exchange"] as? Int == 2)
        #expect(root["captured"] as? String == "2026-09-14T12:02:00-04:00")
        #expect(card.origin == "from exchange 2 of a.test:8081, last updated Mon 2026-09-14 12:02 EDT")
    }

    @Test("A facility of another server's newer answer is found by its slug, and a list says that it is left out")
    func elsewhere() throws {
        let captures = [
            Self.capture(3, "/api/facilities/z/", Self.place("z", tag: "newest"), host: "b.test"),
            Self.capture(2, "/api/facilities/z/", Self.place("z", tag: "newer"), host: "b.test"),
            Self.capture(1, "/api/facilities/", "[\(Self.place("x", tag: "old"))]"),
        ]
        let now = try CampusSample.moment(Self.noon)
        for slug in ["z", "Z", "Z newest"] {
            let question = try FacilityCardQuestion(PlaceOptions([("slug", slug)]), Filter(), now: now)
            let card = try question.answer(Captured(captures: captures))
            #expect(try Self.object(card)["name"] as? String == "z newest")
            #expect(card.origin == "from exchange 3 of b.test:8081, last updated Mon 2026-09-14 12:03 EDT")
        }
        let board = try FacilityQuestion(PlaceOptions([]), Filter(), now: now).answer(Captured(captures: captures))
        #expect(
            board.origin
                == "from exchange 1 of a.test:8081, last updated Mon 2026-09-14 12:01 EDT; 1 of another server is left out"
        )
        let none = try FacilityCardQuestion(PlaceOptions([("slug", "nowhere")]), Filter(), now: now)
        #expect(throws: PlaceProblem.self) { try none.answer(Captured(captures: captures)) }
    }

    @Test("The newest alerts win over an older answer with all of them, which adds those that are past or to come")
    func alerts() throws {
        let past = Self.alert(1, "past", from: "2026-09-01", to: "2026-09-02")
        let withdrawn = Self.alert(2, "withdrawn", from: "2026-09-14", to: "2026-09-15")
        let old = Self.alert(3, "old words", from: "2026-09-14", to: "2026-09-15")
        let new = Self.alert(3, "new words", from: "2026-09-14", to: "2026-09-16")
        let added = Self.alert(4, "added", from: "2026-09-14", to: "2026-09-15")
        let foreign = Self.alert(5, "elsewhere", from: "2026-09-01", to: "2026-09-02")
        let captures = [
            Self.capture(5, "/api/alerts/?urgency_tag=major", "[]"),
            Self.capture(4, "/api/alerts/", "[\(new),\(added)]"),
            Self.capture(3, "/api/alerts/?all_alerts", "[\(foreign)]", host: "b.test"),
            Self.capture(2, "/api/alerts/?all_alerts&ordering=id", "[\(past),\(withdrawn),\(old)]"),
            Self.capture(
                1,
                "/api/alerts/?all_alerts",
                "[\(Self.alert(6, "older", from: "2026-08-01", to: "2026-08-02"))]"
            ),
        ]
        let all = try Self.alerts(captures)
        #expect(all.map { $0["subject"] as? String } == ["new words", "added", "past"])
        #expect(all.map { $0["exchange"] as? Int } == [4, 4, 2])
        #expect(all.last?["captured"] as? String == "2026-09-14T12:02:00-04:00")
        #expect(try Self.alerts(captures, all: false).map { $0["subject"] as? String } == ["new words", "added"])
    }
}
