import Foundation
import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct DiningMenuLensTests {
    private let lens = DiningMenuLens()

    private static let query = """
        {"zoneID":{"zoneName":"_defaultZone"},"resultsLimit":200,"query":{"recordType":"DiningDay","filterBy":[\
        {"comparator":"LESS_THAN_OR_EQUALS","fieldName":"Day","fieldValue":{"value":1433401200000,"type":"TIMESTAMP"}},\
        {"comparator":"GREATER_THAN_OR_EQUALS","fieldName":"Day","fieldValue":{"value":1432882800000,"type":"TIMESTAMP"}}],\
        "sortBy":[{"fieldName":"Day","ascending":true}]}}
        """

    @Test("A query is told in words, with its times on campus, and its token is not told")
    func query() {
        let answer = CloudKitSample.answer(CloudKitSample.record(CloudKitSample.payload()))
        let fields = "X-Apple-CloudKit-Request-KeyID: k3y-1d\r\nX-Apple-CloudKit-Request-SignatureV1: s1gn-4ture\r\n"
        let view = lens.view(
            CloudKitSample.capture(
                request: Self.query,
                response: answer,
                target: CloudKitSample.target + "&ckWebAuthToken=w3b-t0k3n",
                fields: fields
            )
        )
        #expect(
            view.request
                == "Query DiningDay in iCloud.BruinLife.MatthewDeCoste: Day at most Thu 2015-06-04 00:00 PDT and "
                + "Day at least Fri 2015-05-29 00:00 PDT, sorted by Day ascending, at most 200 records"
        )
        #expect(view.response == "1 record: 1 DiningDay (Fri 2015-05-29)")
        #expect(view.failure == nil)
        let text = CloudKitSample.text(view)
        for secret in ["s3cr3t-t0k3n", "w3b-t0k3n", "k3y-1d", "s1gn-4ture"] { #expect(!text.contains(secret)) }
        let told = ["an API token, a signed-in person's token, a server's signature (hidden)", "production", "public"]
        for words in told { #expect(text.contains(words), "\(words)") }
    }

    @Test("A menu is a tree of meal, hall with its hours, section and food")
    func tree() throws {
        let answer = CloudKitSample.answer(CloudKitSample.record(CloudKitSample.payload()))
        // It was answered at 9 in the morning of that day.
        let view = lens.view(CloudKitSample.capture(request: Self.query, response: answer))
        let section = try #require(view.sections.first { $0.title == "Menu of Fri 2015-05-29" })
        guard case .tree(let meals) = section.content else { throw NoTree() }
        let hall = try #require(meals.first?.children.first)
        #expect(meals.first?.label.text == "Breakfast" && hall.label.text == "De Neve")
        #expect(hall.detail == LensText("07:00–11:00, open", .good))
        #expect(hall.children.first?.label.text == "The Kitchen")
        let food = try #require(hall.children.first?.children.first)
        #expect(food.label.text == "Oatmeal" && food.detail?.text == "Vegan, 150 cal, 059101")
    }

    struct NoTree: Error {}

    @Test("The trees of one view are bounded, and what is beyond is counted")
    func bounded() throws {
        let foods = (0..<5000).map { #"{"name":"F\#($0)","type":"","recipe":"r"}"# }.joined(separator: ",")
        let hall =
            #"{"openHour":7,"openMin":0,"closeHour":9,"closeMin":0,"sections":[{"name":"S","foods":[\#(foods)]}]}"#
        let payload = #"{"date":"5/29/15","meals":{"Lunch":{"halls":{"Covel":\#(hall)}}},"foods":{}}"#
        let record = CloudKitSample.record(payload)
        let view = lens.view(CloudKitSample.capture(response: CloudKitSample.answer(record, record)))
        let trees = view.sections.compactMap { if case .tree(let nodes) = $0.content { nodes } else { nil } }
        // A meal, a hall and a section take three of the 4000 lines.
        let section = try #require(trees.first?.first?.children.first?.children.first)
        #expect(section.children.count == 3998 && section.children.last?.label.text == "… 1003 more")
        #expect(trees.last?.map(\.label.text) == ["… 1 more"])
    }

    @Test(
        "The other operations are told too",
        arguments: [
            ("lookup", #"{"records":[{"recordName":"quick"}]}"#, "Look up 1 record in c: quick"),
            (
                "modify", #"{"operations":[{"operationType":"create","record":{"recordType":"DiningDay"}}]}"#,
                "Change 1 record in c: 1 create"
            ),
            ("changes", #"{"zoneID":{"zoneName":"menus"}}"#, "Ask what changed in the zone menus in c"),
            ("resolve", "[]", "Call resolve in c"),
            ("\u{301}x", "[]", "Call \u{301}x in c"), ("query", "{", "Query records of no named type in c"),
        ]
    )
    func operations(name: String, body: String, sentence: String) {
        let target = "/database/1/c/development/private/records/\(name)"
        let view = lens.view(CloudKitSample.capture(request: body, response: #"{"records":[]}"#, target: target))
        #expect(view.request == sentence)
    }

    @Test(
        "Each error code of the reference has its status and its meaning",
        arguments: [
            ("ACCESS_DENIED", 403), ("ATOMIC_ERROR", 400), ("AUTHENTICATION_FAILED", 401),
            ("AUTHENTICATION_REQUIRED", 421), ("BAD_REQUEST", 400), ("CONFLICT", 409), ("EXISTS", 409),
            ("INTERNAL_ERROR", 500), ("NOT_FOUND", 404), ("QUOTA_EXCEEDED", 413), ("THROTTLED", 429),
            ("TRY_AGAIN_LATER", 503), ("VALIDATING_REFERENCE_ERROR", 412), ("ZONE_NOT_FOUND", 404),
        ]
    )
    func errors(code: String, status: Int) throws {
        let url = "https://idmsa.apple.example/auth?oauth_token=s3cr3t"
        let body =
            #"{"uuid":"7f3a","serverErrorCode":"\#(code)","reason":"because","retryAfter":30,"redirectURL":"\#(url)"}"#
        let view = lens.view(CloudKitSample.capture(response: body, code: status))
        let meaning = try #require(view.response?.split(separator: "\(status) \(code) (because). ").first)
        #expect(meaning.hasSuffix(".") && !meaning.contains("names no such code"), "\(meaning)")
        #expect(view.failure == nil)
        let text = CloudKitSample.text(view)
        #expect(text.contains("30 seconds before trying again") && text.contains("idmsa.apple.example/auth?… (hidden)"))
        #expect(!text.contains("s3cr3t") && !text.contains("this code comes with"))
        let inside = lens.view(CloudKitSample.capture(response: body))
        #expect(inside.failure == "200, but failed inside: \(code) (because).")
        #expect(CloudKitSample.text(inside).contains("this code comes with \(status)"))
    }

    @Test("A code that the reference does not have is said to be none of its")
    func unknownCode() {
        let view = lens.view(CloudKitSample.capture(response: #"{"serverErrorCode":"NEW_ONE"}"#, code: 400))
        #expect(view.response == "400 NEW_ONE. CloudKit's reference names no such code.")
    }

    @Test(
        "A 200 that holds errors, or no menu that can be shown, is a failure",
        arguments: [
            (
                CloudKitSample.answer(
                    CloudKitSample.record(CloudKitSample.payload()),
                    #"{"recordName":"quick","reason":"Record not found","serverErrorCode":"NOT_FOUND"}"#
                ),
                "200, but failed inside: 1 record of 2 in error, quick: NOT_FOUND (Record not found)."
            ),
            (
                CloudKitSample.answer(CloudKitSample.record(#"{"date":"5/29/15","meals":[]}"#)),
                "200, but failed inside: 1 of 1 menu cannot be shown, 5/29/15 is an unsafe record: "
                    + "meals is a list, not an object."
            ),
            ("<html>", "200, but failed inside: The body is no JSON at its byte 0 (<html>)."),
            ("", "200, but failed inside: The body is empty."),
            ("[]", "200, but failed inside: The body is a list without records."),
            (#"{"records":[]}"#, nil),
        ] as [(String, String?)]
    )
    func failures(body: String, failure: String?) {
        #expect(lens.view(CloudKitSample.capture(response: body)).failure == failure)
    }

    @Test("More records than came are told as what the app never asks for, without the marker")
    func continued() {
        let body = CloudKitSample.answer(
            CloudKitSample.record(CloudKitSample.payload()),
            more: #","continuationMarker":"b3BhcXVl""#
        )
        let view = lens.view(CloudKitSample.capture(response: body))
        #expect(view.response?.hasSuffix("; there are more, which Bruin Life never asks for") == true)
        #expect(!CloudKitSample.text(view).contains("b3BhcXVl"))
    }

    @Test("Two captures of the menus differ by day, hall and food")
    func changes() {
        let before = CloudKitSample.answer(
            CloudKitSample.record(CloudKitSample.payload()),
            CloudKitSample.record(
                CloudKitSample.payload(date: "5/30/15"),
                name: "5/30/15",
                day: CloudKitSample.friday + CloudKitSample.dayMilliseconds
            )
        )
        let later = CloudKitSample.payload(hours: #""openHour":8,"openMin":0,"closeHour":11,"closeMin":0"#)
            .replacingOccurrences(of: "Oatmeal", with: "Porridge")
        let after = CloudKitSample.answer(CloudKitSample.record(later))
        #expect(
            lens.changes(from: CloudKitSample.capture(response: before), to: CloudKitSample.capture(response: after))
                == [
                    "Fri 2015-05-29, Breakfast at De Neve: open 08:00–11:00, was 07:00–11:00.",
                    "Fri 2015-05-29, Breakfast at De Neve: now serves Porridge.",
                    "Fri 2015-05-29, Breakfast at De Neve: no longer serves Oatmeal.",
                    "Sat 2015-05-30: the day is gone.",
                ]
        )
    }
}
