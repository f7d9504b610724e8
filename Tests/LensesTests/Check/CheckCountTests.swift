import Lenses
import Testing
import Traffic

@Suite("The counts of a check", .timeLimit(.minutes(15)))
struct CheckCountTests {
    private static let meetings = LensSample.capture(
        "/x.php?query",
        json: MeetingSample.answer(
            (0..<522).map { number in
                MeetingSample.json(["meeting_id": "\(number)", "virtual_information": #"{"url":"call me"}"#])
            }
        )
    )

    private static let datasets = PortalCapture.of(
        "package_search?rows=30",
        result: PortalCapture.found(
            (0..<30).map { PortalCapture.package(named: "set-\($0)", ["last_refreshed": #""2026-09-14""#]) }
        )
    )

    private static let notices = PortalCapture.of(
        "/nm/notices.json",
        body: #"{"Records":[\#(Array(repeating: "{}", count: 50).joined(separator: ","))]}"#,
        host: "app.toronto.ca"
    )

    /// A hall's menu of 120 foods, none of which the day's foods have.
    private static var menu: Capture {
        let foods = (0..<120).map { #"{"name":"F","type":"","recipe":"r\#($0)"}"# }.joined(separator: ",")
        let hours = #""openHour":7,"openMin":0,"closeHour":9,"closeMin":0"#
        let hall = #"{"hall":"Covel",\#(hours),"sections":[{"name":"S","foods":[\#(foods)]}]}"#
        let payload = #"{"date":"5/29/15","meals":{"Lunch":{"halls":{"Covel":\#(hall)}}},"foods":{}}"#
        return CloudKitSample.capture(response: CloudKitSample.answer(CloudKitSample.record(payload)))
    }

    /// The outcome of the rule that an exchange breaks most often, with three findings kept.
    private static func most(_ capture: Capture, document: OpenAPICheck? = nil) -> CheckRun.Outcome? {
        var run = CheckRun(selects: { _ in true }, document: document, shownLimit: 3)
        run.add(capture) { _ in nil }
        return run.outcomes.max { $0.count < $1.count }
    }

    @Test(
        "Every breach of a rule counts, however many there are in one answer",
        arguments: [(meetings, "VM-5", 522), (datasets, "CK-6", 30), (notices, "CK-23", 50), (menu, "BL-4", 120)]
    )
    func everyBreach(capture: Capture, rule: String, count: Int) throws {
        let outcome = try #require(Self.most(capture))
        #expect(outcome.rule.id == rule && outcome.count == count, "\(outcome.rule.id) \(outcome.count)")
        #expect(outcome.exchangeCount == 1 && outcome.shown.count == 3)
    }

    @Test("Every value that a document's schema forbids counts")
    func everyValue() throws {
        let document = try OpenAPICapture.document(
            #"{"openapi": "3.1.0", "paths": {"/x": {"get": {"responses": {"200": {"description": "", "content": {"#
                + #""application/json": {"schema": {"type": "array", "items": {"type": "integer"}}}}}}}}}}"#
        )
        let body = "[\(Array(repeating: "\"a\"", count: 100).joined(separator: ","))]"
        let capture = OpenAPICapture.make("GET", "https://a.test/x", answer: body)
        let outcome = try #require(Self.most(capture, document: OpenAPICheck(document)))
        #expect(outcome.rule.id == "OA-schema" && outcome.count == 100, "\(outcome.rule.id) \(outcome.count)")
    }
}
